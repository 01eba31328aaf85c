import { dataTable } from './parameters';
import { patient } from './stores';
import { continues, ExampleWorkflow } from './workflow';

const table = 'Approvals';

/** Asks one person after the other about an order until somebody answers, and records the decision. */
export function approvalThatReminds(): ExampleWorkflow {
	const workflow = new ExampleWorkflow(
		'approval-that-reminds',
		'Approval that reminds and asks somebody else',
	);
	workflow.notes(260, [480, 440, 440], {
		Overview:
			'## A manager approves an order by SMS\n\n1. Select your **Messaging Gateway** credential in the three nodes that send.\n2. Enter your numbers in **Order**, and in **Whom to Ask** one entry per question, with the hours to wait. Add and remove as you like.\n3. Press *Execute workflow*. Later, replace **Order** with your own data, one order per execution.\n\nThe SMS links to a page with two buttons. Opening it decides nothing: only pressing a button does.',
		Reminder:
			'## If nobody answers in time\n\n**Next Question** takes the next entry: a reminder with a new link, then a second person. Only the newest link counts. The older pages say that their question is closed.\n\nWhoever may not be texted, or has a wrong number, is passed over. Restart n8n whenever you like: nobody is asked twice.',
		'Who, When, What': `## Who, when, what\n\nThe Data Table **${table}** has a row per order. \`what\` is *open*, *approved*, *declined*, or *no answer*, which counts as declined. \`when\` is UTC. \`why\` says who could not be asked.\n\nThe same order again asks nobody, unless there was *no answer*. To ask again anyway, delete its row.`,
	});
	const columns = ['request', 'who', 'when', 'what', 'why', 'question', 'execution'];
	const order = (field: string) => `$('Order').first().json.${field}`;
	workflow.add('When Clicking Execute', 'manualTrigger@1', [0, 1]);
	workflow.set('Order', [1, 1], sampleOrder);
	workflow.dataTable(`${table} Table`, [2, 0], dataTable.create(table, columns), patient);
	const request = `={{ ${order('orderId')} }}`;
	const open = { request, what: 'open', execution: '={{ $execution.id }}' };
	workflow.dataTable('Add Row', [2, 1], dataTable.insert(table, open));
	// The row first, so that of two executions at once one asks.
	const oldest = dataTable.get(
		table,
		[
			['request', request],
			['what', 'neq', 'no answer'],
		],
		{
			...{ returnAll: false, limit: 1 },
			...{ orderBy: true, orderByColumn: 'id', orderByDirection: 'ASC' },
		},
	);
	workflow.dataTable('Oldest Row', [3, 1], oldest, patient);
	const added = "$('Add Row').first().json.id";
	workflow.if('Is New?', [4, 1], `={{ $json.id === ${added} }}`);
	const own = dataTable.delete(table, [['id', `={{ ${added} }}`]]);
	workflow.dataTable('Delete Repetition', [5, 2], own, patient);
	const jsonOutput = JSON.stringify({ questions }, null, 2);
	workflow.add('Whom to Ask', 'set@3.4', [5, 1], { mode: 'raw', jsonOutput, options: {} });
	const split = { fieldToSplitOut: 'questions', options: {} };
	workflow.add('One Item per Question', 'splitOut@1', [6, 1], split);
	workflow.add('Next Question', 'splitInBatches@3', [7, 1], { options: {} });
	const buttons = { approveLabel: 'Send it', disapproveLabel: 'Do not send it' };
	const hours = { resumeAmount: '={{ $json.hours }}', resumeUnit: 'hours' };
	const question = {
		...{ resource: 'message', operation: 'sendAndWait', to: '={{ $json.phone }}' },
		message: `={{ $json.intro }}Order {{ ${order('orderId')} }} costs {{ ${order('total')} }}. May we send it?`,
		responseType: 'approval',
		approvalOptions: { values: { approvalType: 'double', ...buttons } },
		options: {
			limitWaitTime: { values: { limitType: 'afterTimeInterval', ...hours } },
			responseFormTitle: `=Order {{ ${order('orderId')} }}`,
		},
	};
	workflow.gateway('Ask', [8, 2], question, continues);
	workflow.if('Answered?', [9, 2], '={{ !!$json.data?.respondedAt }}');
	const decision = dataTable.update(
		table,
		[
			['request', request],
			['what', 'open'],
		],
		{
			request,
			who: "={{ $json.data ? $('Next Question').item.json.who : '' }}",
			when: '={{ $json.data?.respondedAt ?? $now.toUTC().toISO() }}',
			what: "={{ $json.data ? ($json.data.approved ? 'approved' : 'declined') : 'no answer' }}",
			why: "={{ $json.data ? '' : $('Next Question').all(0).map(({ json }) => json.explanation ?? json.error?.message).filter(Boolean).join(' ') }}",
			question: "={{ $json.sent?.messageId ?? '' }}",
		},
		'upsert',
	);
	workflow.dataTable('Save Decision', [10, 1], decision, { executeOnce: true, ...patient });
	workflow.if('Approved?', [11, 1], "={{ $json.what === 'approved' }}");
	const tell = (name: string, row: number, to: string, text: string, key: string) => {
		const deduplication = { values: { key, oncePer: 'key' } };
		workflow.sendSms(name, [12, row], { to: `={{ ${order(to)} }}`, text, deduplication });
	};
	tell(
		...(['Tell Customer', 0, 'customer'] as const),
		'=Your order {{ $json.request }} is on its way.',
		'=order-{{ $json.request }}-on-its-way',
	);
	tell(
		...(['Tell Office', 2, 'office'] as const),
		"=Order {{ $json.request }} is not approved: {{ $json.what }}{{ $json.who ? ' by ' + $json.who : '' }}.",
		'=order-{{ $json.request }}-not-approved-{{ $json.id }}',
	);
	workflow.connect('When Clicking Execute', 'Order');
	workflow.connect('Order', [`${table} Table`, 'Add Row']);
	workflow.chain('Add Row', 'Oldest Row', 'Is New?');
	workflow.branch('Is New?', 'Whom to Ask', 'Delete Repetition');
	workflow.chain('Whom to Ask', 'One Item per Question', 'Next Question');
	workflow.branch('Next Question', 'Save Decision', 'Ask');
	workflow.connect('Ask', 'Answered?');
	workflow.branch('Answered?', 'Save Decision', 'Next Question');
	workflow.connect('Save Decision', 'Approved?');
	workflow.branch('Approved?', 'Tell Customer', 'Tell Office');
	return workflow;
}

const sampleOrder = {
	orderId: '4711',
	total: '1,250.00',
	customer: '+55 21 9XXXX-XXXX',
	office: '+55 41 9XXXX-XXXX',
};
const ana = { who: 'Ana', phone: '+55 11 9XXXX-XXXX', hours: 1 };
const carla = { who: 'Carla', phone: '+55 31 9XXXX-XXXX', hours: 1 };
const questions = [
	{ ...ana, intro: '' },
	{ ...ana, intro: 'Reminder: ' },
	{ ...carla, intro: 'Ana has not answered. ' },
];
