import { personOr } from './consent';
import { dataTable } from './parameters';
import { ExampleWorkflow, continues } from './workflow';

/** The Data Tables of the examples that name people, each with the column of the number. */
const columns = {
	'Campaign list': 'phone',
	'Confirmed numbers': 'number',
	'Message statuses': 'to',
	'Messages a week': 'to',
	'Numbers to correct': 'phone',
	'One-time codes': 'number',
	Reminders: 'phone',
	'Replies to answer': 'to',
	'Send log': 'number',
	Skipped: 'number',
	'SMS delivery reports': 'to',
	'Spread list': 'phone',
};
/** Without these, somebody who wants no messages would get some, or one would be sent twice. */
const columnsThatStay = {
	Consents: 'to',
	'Do not contact': 'to',
	'List that goes on': 'phone',
	'Replies not stored': 'to',
	'SMS in doubt': 'number',
	'To review': 'to',
};

/** Started by hand, without a trace in n8n: its executions hold a person's file. */
const unsaved = {
	saveDataSuccessExecution: 'none',
	saveDataErrorExecution: 'none',
	saveManualExecutions: false,
	saveExecutionProgress: false,
} as const;

/** Reads the number, then the rows of the tables about it, in any spelling of the number. */
function readRows(workflow: ExampleWorkflow, tables: object): void {
	workflow.readNumber('Read Number', [3, 0], "={{ $('Number').first().json.number }}");
	const digits = "$('Number').first().json.number.replace(/\\D/g, '').replace(/^00/, '')";
	workflow.set('Person', [4, 0], {
		person: `={{ ${personOr(digits)} }}`,
		columns: JSON.stringify(tables),
	});
	workflow.dataTable('Tables', [5, 0], {
		...{ resource: 'table', operation: 'list', returnAll: true, options: {} },
	});
	const column = (name: string) => `JSON.parse($('Person').first().json.columns)[${name}]`;
	workflow.filter('Only These', [6, 0], `={{ !!${column('$json.name')} }}`);
	workflow.dataTable('All Rows', [7, 0], dataTable.get('={{ $json.name }}', [['id', 'gt', 0]]));
	workflow.addFields('Row', [8, 0], { table: "={{ $('Only These').item.json.name }}" });
	const entered = `String($json[${column('$json.table')}] ?? '').replace(/\\D/g, '').replace(/^0+/, '')`;
	workflow.filter(
		'Of the Person',
		[9, 0],
		`={{ ((person, entered) => person !== '' && [0, 1, 2, 3].some((code) => person.slice(code) === entered))($('Person').first().json.person.slice(1), ${entered}) }}`,
	);
	workflow.chain('Read Number', 'Person', 'Tables', 'Only These');
	workflow.chain('Only These', 'All Rows', 'Row', 'Of the Person');
}

const person = "{ person: $('Person').first().json.person }";
const keysOf = `FROM messaging_gateway_keys WHERE recipient = $1::json ->> 'person'`;

/** Puts all that is known about a number into one file. */
export function findPersonsFile(): ExampleWorkflow {
	const workflow = new ExampleWorkflow('find-persons-file', "Find a person's file", unsaved);
	workflow.notes(300, [480, 440], {
		Overview:
			"## What is known about a number\n\n1. Select your **Messaging Gateway** credential, and your **Postgres** credential if you keep deduplication keys there, in the nodes that ask for them.\n2. Enter the number in **Number**, with + and country code, and press *Execute workflow*.\n3. Download the file from **File**, and empty **Number** again.\n\nMake no form of it: whoever found its address could read anybody's file. Its executions are not saved.",
		'What Is Missing':
			"## What it cannot find\n\nExecutions, n8n's log, backups, built-in keys (they are hashes), and what your own workflows write elsewhere. Rows that name a person without a number, such as **Agent answers**.\n\nAdd your own tables in **Person**: name, and column of the number.",
	});
	workflow.add('When Clicking Execute', 'manualTrigger@1', [1, 0]);
	workflow.set('Number', [2, 0], { number: '+55 11 9XXXX-XXXX' });
	readRows(workflow, { ...columns, ...columnsThatStay });
	workflow.postgres('Keys', [5, 1], `SELECT * ${keysOf};`, person, continues);
	for (const [index, channel] of ['sms', 'chatApp'].entries()) {
		const to = "={{ $('Person').first().json.person }}";
		const name = channel === 'sms' ? 'SMS at the Service' : 'Chat Messages at the Service';
		workflow.getStatus(name, [5, 2 + index], { channel, findBy: 'to', to });
	}
	const all = (name: string) => `$('${name}').all().map(({ json }) => json)`;
	workflow.add(
		'All of It',
		'set@3.4',
		[5, 4],
		{
			mode: 'raw',
			jsonOutput: `={{ { person: $('Person').first().json.person, rows: $('Of the Person').isExecuted ? ${all('Of the Person')} : [], keys: ${all('Keys')}, sms: ${all('SMS at the Service')}, chatApp: ${all('Chat Messages at the Service')} } }}`,
			options: {},
		},
		{ executeOnce: true },
	);
	workflow.add('File', 'convertToFile@1.1', [6, 4], { operation: 'toJson', options: {} });
	workflow.chain('When Clicking Execute', 'Number', 'Read Number');
	workflow.connect('Person', [
		'Keys',
		'SMS at the Service',
		'Chat Messages at the Service',
		'All of It',
	]);
	workflow.connect('All of It', 'File');
	return workflow;
}

/** Deletes what may be deleted about a number, and says what stays. */
export function deletePersonsFile(): ExampleWorkflow {
	const workflow = new ExampleWorkflow('delete-persons-file', "Delete a person's file", unsaved);
	workflow.notes(300, [480, 440], {
		Overview:
			"## Delete what is known about a number\n\n1. Run **Find a person's file** first, to see what there is.\n2. Select your **Messaging Gateway** credential, and your **Postgres** credential if you keep deduplication keys there.\n3. Enter the number twice in **Number**, with + and country code, and press *Execute workflow*. It cannot be undone.\n4. Read the **Report** of what stays, and empty **Number** again. Executions are not saved.",
		'What Stays':
			'## What stays, and why\n\nThe opt-out and its evidence: without them, the next list reaches the person again. Keys younger than 90 days and built-in keys: without them, somebody may be sent to twice. What waits to be sent or looked into.\n\nFor what your messaging service keeps, ask the service.',
	});
	workflow.add('When Clicking Execute', 'manualTrigger@1', [0, 0]);
	workflow.set('Number', [1, 0], { number: '+55 11 9XXXX-XXXX', 'number again': '' });
	const isSame = "={{ $json.number !== '' && $json.number === $json['number again'] }}";
	workflow.if('Is the Same', [2, 0], isSame);
	workflow.add('Type It Twice', 'stopAndError@1', [3, 1], {
		errorMessage: "Enter the same number twice in 'Number'. Nothing was deleted.",
	});
	workflow.chain('When Clicking Execute', 'Number', 'Is the Same');
	workflow.branch('Is the Same', 'Read Number', 'Type It Twice');
	readRows(workflow, columns);
	const row = dataTable.delete('={{ $json.table }}', [['id', '={{ $json.id }}']]);
	workflow.dataTable('Delete Row', [10, 0], row);
	workflow.connect('Of the Person', 'Delete Row');
	const old = `AND claimed_at < now() - interval '90 days'`;
	const deletion = `DELETE ${keysOf} ${old} RETURNING key;`;
	workflow.postgres('Delete Old Keys', [5, 2], deletion, person, continues);
	workflow.set(
		'What Stays',
		[5, 3],
		{
			deleted: "={{ $('Of the Person').isExecuted ? $('Of the Person').all().length : 0 }} rows",
			optOut: `Rows in ${Object.keys(columnsThatStay).slice(0, 2).join(' and ')}: without them, the next list reaches this person again`,
			open: 'Rows in To review, SMS in doubt, Replies not stored and List that goes on: somebody has to settle them first',
			keys: 'Keys younger than 90 days, and built-in ones: without them, a message may be sent twice',
			executions: 'Executions of n8n, its log and backups: until they are deleted there',
			service: 'What your messaging service keeps: ask the service',
		},
		{ executeOnce: true },
	);
	workflow.add('Report', 'convertToFile@1.1', [6, 3], { operation: 'toJson', options: {} });
	workflow.connect('Person', ['Delete Old Keys', 'What Stays']);
	workflow.connect('What Stays', 'Report');
	return workflow;
}
