import { dataTable, fields, sms, where } from './parameters';
import { patient } from './stores';
import { ExampleWorkflow } from './workflow';

const table = 'Approvals';

/** Asks one person after the other about an order until somebody answers, and records the decision. */
export function approvalThatReminds(): ExampleWorkflow {
	const workflow = new ExampleWorkflow(
		'approval-that-reminds',
		'Approval that reminds and asks somebody else',
	);
	workflow.note(
		'Overview',
		'## A manager approves an order by SMS\n\n1. Select your **Messaging Gateway** credential in the three nodes that send.\n2. Enter your numbers in **Order**, and in **Whom to Ask** one entry per question, with the hours to wait. Add and remove as you like.\n3. Press *Execute workflow*. Later, replace **Order** with your own data, one order per execution.\n\nThe SMS links to a page with two buttons. Opening it decides nothing: only pressing a button does.',
		[480, 260],
	);
	workflow.note(
		'Reminder',
		'## If nobody answers in time\n\n**Next Question** takes the next entry: a reminder with a new link, then a second person. Only the newest link counts. The older pages say that their question is closed.\n\nWhoever may not be texted, or has a wrong number, is passed over. Restart n8n whenever you like: nobody is asked twice.',
		[440, 260],
	);
	workflow.note(
		'Who, When, What',
		`## Who, when, what\n\nThe Data Table **${table}** has a row per order. \`what\` is *open*, *approved*, *declined*, or *no answer*, which counts as declined. \`when\` is UTC. \`why\` says who could not be asked.\n\nThe same order again asks nobody, unless there was *no answer*. To ask again anyway, delete its row.`,
		[440, 260],
	);
	const columns = ['request', 'who', 'when', 'what', 'why', 'question', 'execution'];
	const order = (field: string) => `$('Order').first().json.${field}`;
	workflow.add('When Clicking Execute', 'manualTrigger@1', [0, 1]);
	workflow.add('Order', 'set@3.4', [1, 1], fields(sampleOrder));
	workflow.add(
		`${table} Table`,
		'dataTable@1.1',
		[2, 0],
		dataTable.create(table, columns),
		patient,
	);
	const request: [string, string] = ['request', `={{ ${order('orderId')} }}`];
	workflow.add(
		'Add Row',
		'dataTable@1.1',
		[2, 1],
		dataTable.insert(table, {
			request: request[1],
			what: 'open',
			execution: '={{ $execution.id }}',
		}),
	);
	// The row first, so that of two executions at once one asks.
	workflow.add(
		'Oldest Row',
		'dataTable@1.1',
		[3, 1],
		{
			...dataTable.get(table, [request, ['what', 'neq', 'no answer']]),
			...{ returnAll: false, limit: 1 },
			...{ orderBy: true, orderByColumn: 'id', orderByDirection: 'ASC' },
		},
		patient,
	);
	workflow.add(
		'Is New?',
		'if@2.2',
		[4, 1],
		where("={{ $json.id === $('Add Row').first().json.id }}"),
	);
	workflow.add(
		'Delete Repetition',
		'dataTable@1.1',
		[5, 2],
		dataTable.delete(table, [['id', "={{ $('Add Row').first().json.id }}"]]),
		patient,
	);
	workflow.add('Whom to Ask', 'set@3.4', [5, 1], {
		mode: 'raw',
		jsonOutput: JSON.stringify({ questions }, null, 2),
		options: {},
	});
	workflow.add('One Item per Question', 'splitOut@1', [6, 1], {
		fieldToSplitOut: 'questions',
		options: {},
	});
	workflow.add('Next Question', 'splitInBatches@3', [7, 1], { options: {} });
	workflow.add(
		'Ask',
		'messagingGateway@1',
		[8, 2],
		{
			...{ resource: 'message', operation: 'sendAndWait', to: '={{ $json.phone }}' },
			message: `={{ $json.intro }}Order {{ ${order('orderId')} }} costs {{ ${order('total')} }}. May we send it?`,
			responseType: 'approval',
			approvalOptions: {
				values: {
					approvalType: 'double',
					approveLabel: 'Send it',
					disapproveLabel: 'Do not send it',
				},
			},
			options: {
				limitWaitTime: {
					values: {
						limitType: 'afterTimeInterval',
						resumeAmount: '={{ $json.hours }}',
						resumeUnit: 'hours',
					},
				},
				responseFormTitle: `=Order {{ ${order('orderId')} }}`,
			},
		},
		{ onError: 'continueRegularOutput' },
	);
	workflow.add('Answered?', 'if@2.2', [9, 2], where('={{ !!$json.data?.respondedAt }}'));
	workflow.add(
		'Save Decision',
		'dataTable@1.1',
		[10, 1],
		dataTable.upsert(table, [request, ['what', 'open']], {
			request: request[1],
			who: "={{ $json.data ? $('Next Question').item.json.who : '' }}",
			when: '={{ $json.data?.respondedAt ?? $now.toUTC().toISO() }}',
			what: "={{ $json.data ? ($json.data.approved ? 'approved' : 'declined') : 'no answer' }}",
			why: "={{ $json.data ? '' : $('Next Question').all(0).map(({ json }) => json.explanation ?? json.error?.message).filter(Boolean).join(' ') }}",
			question: "={{ $json.sent?.messageId ?? '' }}",
		}),
		{ executeOnce: true, ...patient },
	);
	workflow.add('Approved?', 'if@2.2', [11, 1], where("={{ $json.what === 'approved' }}"));
	const once = (key: string) => ({ deduplication: { values: { key, oncePer: 'key' } } });
	workflow.add(
		'Tell Customer',
		'messagingGateway@1',
		[12, 0],
		sms(
			`={{ ${order('customer')} }}`,
			'=Your order {{ $json.request }} is on its way.',
			once('=order-{{ $json.request }}-on-its-way'),
		),
	);
	workflow.add(
		'Tell Office',
		'messagingGateway@1',
		[12, 2],
		sms(
			`={{ ${order('office')} }}`,
			"=Order {{ $json.request }} is not approved: {{ $json.what }}{{ $json.who ? ' by ' + $json.who : '' }}.",
			once('=order-{{ $json.request }}-not-approved-{{ $json.id }}'),
		),
	);
	workflow.connect('When Clicking Execute', 'Order');
	workflow.connect('Order', [`${table} Table`, 'Add Row']);
	workflow.chain('Add Row', 'Oldest Row', 'Is New?');
	workflow.connect('Is New?', 'Whom to Ask', 0);
	workflow.connect('Is New?', 'Delete Repetition', 1);
	workflow.chain('Whom to Ask', 'One Item per Question', 'Next Question');
	workflow.connect('Next Question', 'Save Decision', 0);
	workflow.connect('Next Question', 'Ask', 1);
	workflow.connect('Ask', 'Answered?');
	workflow.connect('Answered?', 'Save Decision', 0);
	workflow.connect('Answered?', 'Next Question', 1);
	workflow.chain('Save Decision', 'Approved?');
	workflow.connect('Approved?', 'Tell Customer', 0);
	workflow.connect('Approved?', 'Tell Office', 1);
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
