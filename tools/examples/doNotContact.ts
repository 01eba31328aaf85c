import {
	listTables,
	isConfirmation,
	mostPeople,
	now,
	personOr,
	rowsAbout,
	wordsAfterStop,
} from './consent';
import { dataTable, query, type Conditions } from './parameters';
import { at, inDataTables, patientOnce, type Store } from './stores';
import { ExampleWorkflow, type Place, keepsNoData } from './workflow';

/** Answers whether numbers may be contacted, and has a form for people who want no messages. */
export function doNotContact(store: Store): ExampleWorkflow {
	const isSql = store !== inDataTables;
	const title = isSql ? 'in PostgreSQL' : 'in a Data Table';
	const file = `do-not-contact-${isSql ? 'postgresql' : 'data-table'}`;
	const workflow = new ExampleWorkflow(file, `Do not contact, ${title}`, keepsNoData);
	workflow.notes(300, [480, 440, 460], {
		Overview: `## Check who must not be contacted\n\n1. Select your **Messaging Gateway** credential${isSql ? ' and your **Postgres** credential' : ''} in the nodes that ask for it, then publish this workflow.\n2. Enter this workflow's ID in that credential: **Do Not Contact Workflow ID**.\n\nThe first run creates ${isSql ? 'the tables `do_not_contact`, `consents` and `to_review`' : 'the Data Tables **Do not contact**, **Consents** and **To review**'}. People enter themselves in **STOP Form**, or with a reply: import **STOP by reply${store.where}** too.`,
		Protocol:
			'## Input and output\n\n**In**, one item per number: `to`, the number with + and country code, and where the message comes from: `channel`, `workflow`, `node`, `execution`.\n\n**Out**, one item per number: `to`, and `allowed` (true or false).\n\nWithout an answer for each number, the node sends nothing. One message to who opted out is let through: **Confirm STOP**, from the execution that read the newest STOP.',
		'By Hand': `## Numbers you enter yourself\n\n${isSql ? 'Insert rows with `number` only' : 'Fill in `number` and leave `to` empty'}, in any spelling. The next check reads it like the numbers you send to, and enters it in \`to\`. Such rows stay until you delete them. **to review** in \`to\` means that nobody could be found by it: correct \`number\` and empty \`to\`.\n\n${isSql ? '' : `Data Tables have room for about ${mostPeople.toLocaleString('en')} people: take PostgreSQL for more. When they are full, this workflow fails, and nobody is sent to.\n\n`}The nodes that read numbers send nothing: they are dry runs.`,
	});

	workflow.called('Called by the Messaging Gateway Node', [0, 1]);
	const created = store.tables(workflow, 'Tables', [1, 0], listTables);
	const read = readEnteredNumbers(workflow, store, [1, 1]);
	const answers = isSql ? answerFromPostgres(workflow) : answerFromDataTables(workflow);
	workflow.connect('Called by the Messaging Gateway Node', [...created, read, ...answers]);

	const form = workflow.numberForm(
		'STOP Form',
		[0, 7],
		'No more messages',
		'Enter your number, and we send you no more messages.',
	);
	const same = store.tables(workflow, 'Same Tables', [1, 6], listTables);
	readFormNumber(workflow, form, [1, 7]);
	workflow.connect(form, [...same, 'Read Number']);
	const block = store.block(workflow, [4, 7], 'form');
	const review = store.review(workflow, [4, 9], 'form');
	workflow.branch('Is a Number', block.first, review.first);
	workflow.lastPage('Done', [6, 7], 'Done', wordsAfterStop);
	workflow.lastPage('Enter It Again', [6, 9], ...enterAgain);
	workflow.connect(block.last, 'Done');
	workflow.connect(review.last, 'Enter It Again');
	if (isSql) {
		const text = 'Your number is not stored. Please go back and try again in some minutes.';
		workflow.lastPage('Not Stored', [6, 8], 'Please try again later', text);
		for (const { last } of [block, review]) workflow.connect(last, 'Not Stored', 1);
	}
	return workflow;
}

export const enterAgain = [
	'Please enter your number again',
	'We could not read it. Please go back and enter it with + and your country code, such as +55 11 9XXXX-XXXX.',
] as const;

/** Reads the number of a form. One with + that no plan has yet is taken as it is. */
export function readFormNumber(
	workflow: ExampleWorkflow,
	form: string,
	[column, row]: Place,
	suffix = '',
): void {
	const entered = `$('${form}').item.json['Phone Number']`;
	workflow.readNumber(`Read Number${suffix}`, [column, row], `={{ ${entered} }}`);
	const digits = `(/^\\s*(\\+|00)/.test(${entered}) ? ${entered}.replace(/\\D/g, '').replace(/^00/, '') : '')`;
	workflow.set(`Person${suffix}`, [column + 1, row], {
		number: `={{ ${entered} }}`,
		to: `={{ ${personOr(digits)} }}`,
		words: '',
		at,
	});
	workflow.if(`Is a Number${suffix}`, [column + 2, row], "={{ $json.to !== '' }}");
	workflow.chain(`Read Number${suffix}`, `Person${suffix}`, `Is a Number${suffix}`);
}

/** Enters the person of each number that somebody has entered by hand. */
export function readEnteredNumbers(
	workflow: ExampleWorkflow,
	store: Store,
	[column, row]: Place,
): string {
	const isSql = store !== inDataTables;
	const name = 'Entered by Hand';
	const entries: Conditions = [
		['to', 'isEmpty'],
		['number', 'isNotEmpty'],
	];
	const [type, read] = isSql
		? ['postgres@2.6', query(`SELECT number FROM do_not_contact WHERE coalesce("to", '') = '';`)]
		: ['dataTable@1.1', dataTable.get('Do not contact', entries)];
	workflow.add(name, type, [column, row], read, { executeOnce: true });
	workflow.readNumber('Read Entered Number', [column + 1, row], '={{ $json.number }}', {});
	const entered = `$('${name}').item.json.number.toString()`;
	const digits = `${entered}.replace(/[\\s().+-]/g, '').replace(/^00/, '')`;
	const to = personOr(digits, "'to review'");
	const update = `UPDATE do_not_contact SET "to" = $1::json ->> 'to' WHERE number = $1::json ->> 'number';`;
	const id: Conditions = [['id', `={{ $('${name}').item.json.id }}`]];
	const enter = isSql
		? query(update, `{ number: ${entered}, to: ${to} }`)
		: dataTable.update('Do not contact', id, { to: `={{ ${to} }}` });
	workflow.add('Enter in to', type, [column + 2, row], enter);
	workflow.chain(name, 'Read Entered Number', 'Enter in to');
	return name;
}

/**
 * The rows about each number, and an answer from them. It first writes a row, which fails when the Data
 * Tables are full: then no STOP can be stored, and nobody may be sent to.
 */
function answerFromDataTables(workflow: ExampleWorkflow): string[] {
	const room = roomForStops(workflow, [1, 2]);
	const about = [['to', '={{ $json.to }}']] as [string, string][];
	workflow.dataTable('Listed', [1, 3], dataTable.get('Do not contact', about));
	const outs = dataTable.get('Consents', [...about, ['what', 'out']]);
	workflow.dataTable('Stops', [1, 4], outs);
	const isListed = `${rowsAbout('Listed')}.length > 0`;
	const allowed = `={{ !(${isListed}) || ${isConfirmation(rowsAbout('Stops'))} }}`;
	const values = { to: '={{ $json.to }}', allowed: ['boolean', allowed] as ['boolean', string] };
	workflow.set('Answer', [1, 5], values);
	return [...room, 'Listed', 'Stops', 'Answer'];
}

export function roomForStops(workflow: ExampleWorkflow, place: Place): string[] {
	const [first] = inDataTables.tables(workflow, 'Room for a STOP?', place, ['Last check']);
	const row = { what: 'do not contact', at: `=${now}` };
	const upsert = dataTable.upsert('Last check', ['what'], row);
	const [column, line] = place;
	workflow.dataTable('Write a Row', [column + 1, line], upsert, patientOnce);
	workflow.connect(first!, 'Write a Row');
	return [first!];
}

function answerFromPostgres(workflow: ExampleWorkflow): string[] {
	workflow.set(
		'Messages',
		[1, 3],
		{ messages: '={{ JSON.stringify($input.all().map((item) => item.json)) }}' },
		{ executeOnce: true },
	);
	workflow.postgres(
		'Answer',
		[2, 3],
		`SELECT asked."to", NOT EXISTS (SELECT FROM do_not_contact AS listed WHERE listed."to" = asked."to")
  OR (asked.node = 'Confirm STOP' AND coalesce(asked.execution = (
    SELECT execution FROM consents WHERE consents."to" = asked."to" AND what = 'out' ORDER BY at DESC LIMIT 1), false)) AS allowed
FROM json_to_recordset($1) AS asked ("to" text, node text, execution text);`,
		'JSON.parse($json.messages)',
	);
	workflow.connect('Messages', 'Answer');
	return ['Messages'];
}
