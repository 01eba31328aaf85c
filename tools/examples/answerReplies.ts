import { now, personOr } from './consent';
import { dataTable, sameColumns } from './parameters';
import { patient, patientOnce } from './stores';
import { isNotOurs } from './stopByReply';
import { ExampleWorkflow } from './workflow';

const table = 'Replies to answer';
const mostAnswers = 3;

/** Words of machines: `Out of office`, in some languages, without accents. */
const machineWords =
	/out of (the )?office|auto(matic|mated)?[- ]?(reply|response|answer)|do not reply|(resposta|respuesta|reponse|risposta) autom|fora do escritorio|fuera de (la )?oficina|n(a)?o responda|abwesenheit|automatische antwort/i;

/** The replies of this person within the hour that count, oldest first. */
const rows = `$('Replies of the Last Hour').all().map(({ json }) => json).filter(({ to, kind }) => to === $json.to && kind === 'person').sort((a, b) => a.id - b.id)`;

/** Answers replies that are no STOP, in one answer each time, and never without end. */
export function answerReplies(): ExampleWorkflow {
	const workflow = new ExampleWorkflow(
		'answer-replies',
		'Answer replies without going round in circles',
	);
	workflow.notes(320, [460, 420, 400], {
		Overview:
			'## Replies that are no STOP\n\n1. Select your **Messaging Gateway** credential in the nodes that ask for it, write your text in **Send Answer**, and enter a colleague in **Tell Colleague**. Publish.\n2. In **STOP by reply**, choose this workflow in **Answer Replies**, activate that node, and publish again. One webhook serves both.\n\nFor an AI agent, put it before **Send Answer**: `together` is what the person has written.',
		Circles: `## No circles\n\nA person gets ${mostAnswers} answers within an hour at most. Then **Tell Colleague** says so once, and nothing more is answered until an hour has passed. So two machines that answer each other come to an end.\n\nWho writes *out of office* and the like is no person: \`kind\` is \`machine\`, and nothing is answered. Letters as a sender cannot be answered.`,
		Once: `## One answer\n\nWhat comes in quick succession is answered as one, once a person is quiet for 20 seconds. A delivery that comes twice is answered once, by its message ID; without an ID, the same words count once an hour.\n\nAll replies are in the Data Table **${table}**.`,
	});
	const called = workflow.called('Called by STOP by Reply', [0, 1]);
	const columns = ['key', 'to', 'words', 'kind', 'answered', 'together'];
	workflow.dataTable('Table', [1, 0], dataTable.create(table, columns), patientOnce);
	const checks = isNotOurs(workflow, called, [1, 1]);
	const reply = `$('${called}').item.json`;
	workflow.readNumber('Read Number', [4, 1], `={{ ${reply}.digits.replace(/^(?=\\d)/, '+') }}`);
	workflow.set('Reply', [5, 1], {
		to: `={{ ${personOr(`${reply}.digits`)} }}`,
		key: `={{ ${reply}.messageId || [${reply}.digits, ${reply}.at.slice(0, 13), ${reply}.words.slice(0, 200)].join(' ') }}`,
		words: `={{ ${reply}.words }}`,
		kind: `={{ ${machineWords}.test(${reply}.words.normalize('NFKD').replace(/[\\u0300-\\u036f]/g, '')) ? 'machine' : 'person' }}`,
	});
	workflow.filter('Has a Number', [6, 1], "={{ $json.to !== '' }}");
	const of = (field: string) => `={{ $json.${field} }}`;
	const columnsOfReply = sameColumns('key', 'to', 'words', 'kind');
	const keep = dataTable.upsert(table, ['key'], columnsOfReply);
	workflow.dataTable('Keep Reply', [7, 1], keep, patient);
	workflow.filter('Is a Person', [8, 1], "={{ $json.kind === 'person' }}");
	workflow.add('Wait 20 Seconds', 'wait@1.1', [9, 1], {
		...{ resume: 'timeInterval', amount: 20, unit: 'seconds' },
	});
	const lastHour = dataTable.get(table, [
		['to', of('to')],
		['createdAt', 'gte', '={{ $now.minus({ hours: 1 }).toUTC().toISO() }}'],
	]);
	workflow.dataTable('Replies of the Last Hour', [10, 0], lastHour, patient);
	const others = `${rows}.filter(({ answered, key }) => answered && key !== $json.key)`;
	workflow.addFields('Which One', [10, 1], {
		isNewest: ['boolean', `={{ ${rows}.at(-1)?.key === $json.key }}`],
		answers: ['number', `={{ ${others}.length }}`],
		last: `={{ ${others}.at(-1)?.key ?? '' }}`,
		together: `={{ ((rows, last) => rows.filter(({ id }) => id > last).map(({ words }) => words).join('\\n'))(${rows}, ${others}.at(-1)?.id ?? 0) }}`,
	});
	workflow.switch('What to Do', [11, 1], {
		Answer: `={{ $json.isNewest && $json.answers < ${mostAnswers} }}`,
		'Tell Colleague': `={{ $json.isNewest && $json.answers >= ${mostAnswers} }}`,
	});
	const answered = { answered: `=${now}`, together: of('together') };
	const mark = dataTable.update(table, [['key', of('key')]], answered);
	workflow.dataTable('Mark as Answered', [12, 0], mark, patient);
	const once = (key: string) => ({ deduplication: { values: { key, oncePer: 'key' } } });
	workflow.sendSms('Send Answer', [13, 0], {
		to: of('to'),
		text: 'Acme: thank you for your message. A colleague will answer it within a day.',
		...once('=answer to {{ $json.key }}'),
	});
	workflow.sendSms('Tell Colleague', [12, 2], {
		to: '+55 11 9XXXX-XXXX',
		text: `=Acme: {{ $json.to }} has had ${mostAnswers} answers within an hour and gets no more. See "${table}".`,
		...once('=no more after {{ $json.last }}'),
	});
	workflow.connect(called, ['Table', checks.first]);
	workflow.chain(checks.last, 'Read Number', 'Reply', 'Has a Number', 'Keep Reply', 'Is a Person');
	workflow.chain('Is a Person', 'Wait 20 Seconds');
	workflow.connect('Wait 20 Seconds', ['Replies of the Last Hour', 'Which One']);
	workflow.chain('Which One', 'What to Do');
	workflow.branch('What to Do', 'Mark as Answered', 'Tell Colleague');
	workflow.chain('Mark as Answered', 'Send Answer');
	return workflow;
}
