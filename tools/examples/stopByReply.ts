import {
	listTables,
	actOfWords,
	digitsOfSender,
	mostPeople,
	personOr,
	plainWords,
	wordLists,
	wordsAfterStop,
} from './consent';
import { dataTable, type Conditions } from './parameters';
import { at, inDataTables, patient, type Store } from './stores';
import { ExampleWorkflow, continues, type Place } from './workflow';

const company = 'Acme';

/** Reads replies, and acts on those that say STOP, START or HELP in any way. */
export function stopByReply(store: Store): ExampleWorkflow {
	const list = store.where ? 'Do not contact, in PostgreSQL' : 'Do not contact, in a Data Table';
	const workflow = new ExampleWorkflow(
		`stop-by-reply${store.suffix}`,
		`STOP by reply${store.where}`,
	);
	workflow.notes(320, [480, 400, 460], {
		Overview: `## Replies that say STOP\n\n1. Import **${list}** first: this workflow fills its list.\n2. Select your **Messaging Gateway** credential${store.where ? ', your **Postgres** credential' : ''} and one that sends e-mail in the nodes that ask for it.\n3. Enter your company in **Confirm STOP** and **Answer HELP**, and a colleague in **Tell Colleague** and **E-Mail**. Publish.\n\nSTOP is confirmed once a day per number. START lifts a STOP by reply or form, never what you entered.`,
		Fields:
			"## Where are the number and the text?\n\nYour service's documentation does not say. Press **Execute step** in **Reply**, send yourself a message and answer it, and choose the fields in **Number and Words**.\n\nOnly deliveries from a person are read: they have a sender, no status, and not the ID of one of your messages.",
		Words: `## No reply is lost\n\nSTOP, STOPALL, UNSUBSCRIBE, REVOKE, OPT OUT, PARE, PARAR, SAIR, BAJA and ARRET count as the first line, CANCEL, CANCELAR, END, QUIT and SALIR as the whole reply.\n\nEvery other reply is a row in **To review**, and a colleague is told every 15 minutes. Enter who wants no messages in **Do not contact**, and delete each row once you have read it. What may mean STOP, by the lists in **Words**, holds back marketing until then.\n\nTo answer replies, import **Answer replies**, and switch on the node of that name here.\n\n${store.where ? 'While the database cannot be reached, replies are kept in the Data Table **Replies not stored**, and brought in every five minutes.' : "If n8n's own database fails, your service has to repeat the delivery, or you press *Retry*. Data Tables have room for about 20,000 people: take PostgreSQL for more."}`,
	});

	const reply = workflow.add('Reply', 'messagingGatewayTrigger@2', [0, 2], { options: {} });
	const tables = store.tables(workflow, 'Tables', [1, 0], listTables);
	const lists = Object.entries(wordLists).map(
		([name, words]) => [name, ['array', JSON.stringify(words)]] as const,
	);
	workflow.addFields('Words', [1, 2], Object.fromEntries(lists));
	workflow.set('Number and Words', [2, 2], {
		number: "={{ ($json.from ?? '').toString().trim() }}",
		words: "={{ ($json.text ?? '').toString() }}",
		status: "={{ $json.status ?? $json._gateway.status ?? '' }}",
		messageId: "={{ $json._gateway.messageId ?? '' }}",
		at,
	});
	workflow.connect(reply, [...tables, 'Words']);
	workflow.addFields('In Capitals', [3, 2], { ...plainWords, digits: `={{ ${digitsOfSender} }}` });
	workflow.addFields('What It Says', [4, 2], { act: actOfWords });
	const isActed = "={{ $json.number !== '' && $json.status === '' && $json.act !== '' }}";
	workflow.filter('Is from a Person', [5, 2], isActed);
	const checks = isNotOurs(workflow, 'Is from a Person', [6, 2]);
	const digits = "$('What It Says').item.json.digits";
	workflow.readNumber('Read Number', [9, 2], `={{ ${digits}.replace(/^(?=\\d)/, '+') }}`);
	const of = (field: string) => `={{ $('What It Says').item.json.${field} }}`;
	workflow.set('Person', [10, 2], {
		act: of('act'),
		number: of('number'),
		words: of('words'),
		at: of('at'),
		to: `={{ ${personOr(digits)} }}`,
		isRead: ['boolean', '={{ !!$json.country }}'],
	});
	workflow.switch('What to Do', [11, 2], {
		Stop: "={{ $json.act === 'stop' && $json.to !== '' }}",
		Start: "={{ $json.act === 'start' && $json.to !== '' }}",
		Help: "={{ $json.act === 'help' && $json.to !== '' }}",
		Review: "={{ $json.act === 'review' || ($json.isRead === false && $json.act !== 'help') }}",
		Read: "={{ $json.act === 'read' && $json.isRead !== false }}",
	});
	const reads = ['Words', 'Number and Words', 'In Capitals', 'What It Says', 'Is from a Person'];
	workflow.chain(...reads, checks.first);
	workflow.chain(checks.last, 'Read Number', 'Person', 'What to Do');
	passOn(workflow);

	const block = store.block(workflow, [12, 0], 'reply');
	const lift = store.lift(workflow, [12, 2]);
	const review = store.review(workflow, [12, 6], 'reply');
	const read = store.read(workflow, [12, 7]);
	const answerOncePerDay = (name: string, place: Place, about: string, text: string) => {
		const values = { key: `=${about}-{{ $json.at.slice(0, 10) }}`, oncePer: 'keyAndNumber' };
		const message = {
			to: '={{ $json.to }}',
			text: `${company}: ${text}`,
			deduplication: { values },
		};
		workflow.sendSms(name, place, message, continues);
	};
	answerOncePerDay(
		'Confirm STOP',
		[14, 1],
		'stop',
		`${wordsAfterStop} To get them again, reply START.`,
	);
	answerOncePerDay(
		'Answer HELP',
		[12, 5],
		'help',
		'we text you about your orders and offers. Questions: help@example.com. Reply STOP to opt out.',
	);
	workflow.branch('What to Do', block.first, lift.first, 'Answer HELP', review.first, read.first);
	workflow.connect(block.last, 'Confirm STOP');
	if (store !== inDataTables)
		keepUntilStored(workflow, [block.last, lift.last, review.last, read.last]);
	tellColleague(workflow, store);
	return workflow;
}

/**
 * Lets through what is none of the account's own messages, by the ID that a node has read.
 *
 * @returns the names of the first node and of the last
 */
export function isNotOurs(
	workflow: ExampleWorkflow,
	source: string,
	[column, row]: Place,
): { first: string; last: string } {
	const names = ['Is It Our SMS?', 'Is It Our Chat Message?'] as const;
	for (const [index, name] of names.entries()) {
		const channel = index === 0 ? 'sms' : 'chatApp';
		const messageId = `={{ $('${source}').item.json.messageId }}`;
		workflow.getStatus(name, [column + index, row], { channel, messageId });
	}
	const isNeither = "={{ !$('Is It Our SMS?').item.json.messageId && !$json.messageId }}";
	workflow.filter('Is Not Ours', [column + 2, row], isNeither);
	workflow.chain(...names, 'Is Not Ours');
	return { first: names[0], last: 'Is Not Ours' };
}

/** Gives another workflow what says nothing about STOP, START or HELP, once a person has chosen it there. */
function passOn(workflow: ExampleWorkflow): void {
	workflow.filter(
		'Is Another Reply',
		[5, 3],
		"={{ $json.number !== '' && $json.status === '' && $json.act === 'read' }}",
	);
	const chosen = { workflowId: { __rl: true, mode: 'list', value: '' } };
	const parameters = { ...chosen, options: { waitForSubWorkflow: false } };
	const more = { ...continues, disabled: true };
	workflow.add('Answer Replies', 'executeWorkflow@1.3', [6, 3], parameters, more);
	workflow.chain('What It Says', 'Is Another Reply', 'Answer Replies');
}

/** Keeps in n8n what the database could not take, and brings it in later. */
function keepUntilStored(workflow: ExampleWorkflow, stores: string[]): void {
	const kept = 'Replies not stored';
	const of = (field: string) => `={{ $json.${field} ?? $('What to Do').item.json.${field} }}`;
	const reply = { number: of('number'), words: of('words'), at: of('at') };
	inDataTables.tables(workflow, 'Table of Replies', [1, 8], [kept]);
	workflow.schedule('Every 5 Minutes', [0, 8], { field: 'minutes', minutesInterval: 5 });
	workflow.dataTable('Kept Replies', [2, 8], dataTable.get(kept, [['number', 'isNotEmpty']]));
	const row = { ...reply, act: of('act'), to: of('to') };
	const keep = dataTable.upsert(kept, Object.keys(reply), row);
	workflow.dataTable('Keep Reply', [14, 8], keep, patient);
	inDataTables.tables(workflow, 'Same Table of Replies', [14, 7], [kept]);
	workflow.filter('Was Kept', [14, 3], '={{ !!$json.kept }}');
	const forget = dataTable.delete(kept, [['id', '={{ $json.kept }}']]);
	workflow.dataTable('Forget Reply', [15, 3], forget, patient);
	workflow.connect('Was Kept', 'Forget Reply');
	workflow.chain('Every 5 Minutes', 'Table of Replies', 'Kept Replies', 'What to Do');
	for (const store of stores) {
		workflow.connect(store, 'Was Kept');
		workflow.connect(store, ['Same Table of Replies', 'Keep Reply'], 1);
	}
}

/** Every 15 minutes, one SMS about the replies that nobody has been told of; an e-mail if anything fails. */
function tellColleague(workflow: ExampleWorkflow, store: Store): void {
	const row = 10;
	const isSql = store !== inDataTables;
	workflow.schedule('Every 15 Minutes', [0, row], { field: 'minutes', minutesInterval: 15 });
	const tables = store.tables(workflow, 'Same Tables', [1, row - 1], listTables);
	const countOnce = { executeOnce: true };
	if (isSql) {
		workflow.postgres(
			'Open Rows',
			[1, row],
			'SELECT count(*)::int AS open, max(at)::text AS newest FROM to_review HAVING count(*) FILTER (WHERE told IS NULL) > 0;',
		);
	} else {
		workflow.dataTable('Not Told Yet', [1, row], dataTable.get('To review', [['told', 'isEmpty']]));
		const all = dataTable.get('To review', [['number', 'isNotEmpty']]);
		workflow.dataTable('All Rows', [2, row], all, countOnce);
		const open = ['number', "={{ $('All Rows').all().length }}"] as ['number', string];
		workflow.set('Open Rows', [3, row], { open }, countOnce);
		workflow.chain('Not Told Yet', 'All Rows', 'Open Rows');
	}
	workflow.connect('Every 15 Minutes', [...tables, isSql ? 'Open Rows' : 'Not Told Yet']);
	workflow.sendSms('Tell Colleague', [4, row], {
		to: '+55 11 9XXXX-XXXX',
		text: `=${company}: replies to read in "To review": {{ $json.open }}.`,
	});
	workflow.filter('Was Told', [5, row], '={{ !!$json.messageId }}');
	if (isSql) {
		const sql =
			"UPDATE to_review SET told = now() WHERE told IS NULL AND at <= ($1::json ->> 'newest')::timestamptz;";
		workflow.postgres('Mark as Told', [6, row], sql, "$('Open Rows').item.json");
	} else {
		const newest = "={{ Math.max(...$('Not Told Yet').all().map(({ json }) => json.id)) }}";
		const told: Conditions = [
			['told', 'isEmpty'],
			['id', 'lte', newest],
		];
		const update = dataTable.update('To review', told, { told: at });
		workflow.dataTable('Mark as Told', [6, row], update);
	}
	workflow.chain('Open Rows', 'Tell Colleague', 'Was Told', 'Mark as Told');

	if (!isSql) warnBeforeFull(workflow, row + 4);
	workflow.add('When Anything Fails', 'errorTrigger@1', [0, row + 2]);
	workflow.add('E-Mail', 'emailSend@2.1', [1, row + 2], {
		fromEmail: 'n8n@example.com',
		toEmail: 'colleague@example.com',
		subject: '=n8n: {{ $json.workflow.name }} failed',
		emailFormat: 'text',
		text: '=A reply may not have been stored: {{ $json.execution?.error?.message }}\n\nOpen the execution, mend what is wrong, and press Retry: {{ $json.execution?.url }}',
		options: { appendAttribution: false },
	});
	workflow.connect('When Anything Fails', 'E-Mail');
}

/** Once a day, whether the Data Tables have room for more people: rows of Consents are never deleted. */
function warnBeforeFull(workflow: ExampleWorkflow, row: number): void {
	workflow.schedule('Every Morning', [0, row], { triggerAtHour: 8 });
	const [table] = inDataTables.tables(workflow, 'Consents Table', [1, row], ['Consents']);
	const newest = dataTable.get('Consents', [['to', 'isNotEmpty']], {
		...{ returnAll: false, limit: 1 },
		...{ orderBy: true, orderByColumn: 'id', orderByDirection: 'DESC' },
	});
	workflow.dataTable('Newest Consent', [2, row], newest);
	const most = 0.6 * mostPeople;
	workflow.filter('60 % Are Used', [3, row], `={{ $json.id >= ${most} }}`);
	workflow.sendSms('Warn Colleague', [4, row], {
		to: '+55 11 9XXXX-XXXX',
		text: `=${company}: Consents has {{ $json.id }} rows. When n8n's Data Tables are full, nothing is sent: move to PostgreSQL.`,
	});
	workflow.chain('Every Morning', table!, 'Newest Consent', '60 % Are Used', 'Warn Colleague');
}
