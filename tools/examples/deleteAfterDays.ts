import { dataTable, fields, where } from './parameters';
import { ExampleWorkflow } from './workflow';

/** What may go: no list, no consent and no key is among it. */
const tables = [
	...[
		'Agent answers',
		'Approvals',
		'Campaign list',
		'Code tries',
		'Confirmed numbers',
		'CRM contacts texted',
	],
	...['Message statuses', 'Messages a week', 'Numbers to correct', 'One-time codes'],
	...['Order messages', 'Orders of two approvals', 'Reminders', 'Replies to answer', 'Send log'],
	...['Skipped', 'SMS delivery reports', 'Spread list'],
];

/** Deletes old rows of the other examples' Data Tables, every night. */
export function deleteAfterDays(): ExampleWorkflow {
	const workflow = new ExampleWorkflow('delete-after-days', 'Delete after N days', {
		saveDataSuccessExecution: 'none',
	});
	workflow.note(
		'Overview',
		'## Delete rows after 90 days\n\nNeeds no credential. Change the days in **Settings**: at least 62, since totals and limits count two months. Then publish.\n\nOnly the Data Tables in **Settings** are touched. **Consents**, **Do not contact**, **To review**, keys and what waits to be sent are never deleted. Take off the names of tables that you need for longer, such as **Confirmed numbers**.',
		[480, 260],
	);
	workflow.add('When Clicking Execute', 'manualTrigger@1', [0, 0]);
	workflow.add('Every Night', 'scheduleTrigger@1.2', [0, 1], {
		rule: { interval: [{ triggerAtHour: 3 }] },
	});
	workflow.add(
		'Settings',
		'set@3.4',
		[1, 0],
		fields({ days: ['number', 90], tables: tables.join('\n') }),
	);
	workflow.add('Tables', 'dataTable@1.1', [2, 0], {
		...{ resource: 'table', operation: 'list', returnAll: true, options: {} },
	});
	workflow.add(
		'Only These',
		'filter@2.2',
		[3, 0],
		where("={{ $('Settings').first().json.tables.split('\\n').includes($json.name) }}"),
	);
	workflow.add('Delete Old Rows', 'dataTable@1.1', [4, 0], {
		...dataTable.delete('', [
			[
				'createdAt',
				'lt',
				"={{ $now.minus({ days: Math.max(62, $('Settings').first().json.days) }).toUTC().toISO() }}",
			],
		]),
		dataTableId: { __rl: true, mode: 'name', value: '={{ $json.name }}' },
	});
	workflow.connect('Every Night', 'Settings');
	workflow.chain('When Clicking Execute', 'Settings', 'Tables', 'Only These', 'Delete Old Rows');
	return workflow;
}
