import { dataTable } from './parameters';
import { ExampleWorkflow, keepsNoData } from './workflow';

/** What may go: no list, no consent and no key is among it. */
const tables = [
	...['Agent answers', 'Approvals', 'Campaign list', 'Code tries', 'Confirmed numbers'],
	...['CRM contacts texted', 'Message statuses', 'Messages a week', 'Numbers to correct'],
	...['One-time codes', 'Order messages', 'Orders of two approvals', 'Reminders'],
	...['Replies to answer', 'Send log'],
	...['Skipped', 'SMS delivery reports', 'Spread list'],
];

/** Deletes old rows of the other examples' Data Tables, every night. */
export function deleteAfterDays(): ExampleWorkflow {
	const workflow = new ExampleWorkflow('delete-after-days', 'Delete after N days', keepsNoData);
	workflow.notes(260, [480], {
		Overview:
			'## Delete rows after 90 days\n\nNeeds no credential. Change the days in **Settings**: at least 62, since totals and limits count two months. Then publish.\n\nOnly the Data Tables in **Settings** are touched. **Consents**, **Do not contact**, **To review**, keys and what waits to be sent are never deleted. Take off the names of tables that you need for longer, such as **Confirmed numbers**.',
	});
	workflow.add('When Clicking Execute', 'manualTrigger@1', [0, 0]);
	workflow.schedule('Every Night', [0, 1], { triggerAtHour: 3 });
	workflow.set('Settings', [1, 0], { days: ['number', 90], tables: tables.join('\n') });
	workflow.dataTable('Tables', [2, 0], {
		...{ resource: 'table', operation: 'list', returnAll: true, options: {} },
	});
	workflow.filter(
		'Only These',
		[3, 0],
		"={{ $('Settings').first().json.tables.split('\\n').includes($json.name) }}",
	);
	const before =
		"={{ $now.minus({ days: Math.max(62, $('Settings').first().json.days) }).toUTC().toISO() }}";
	const rows = dataTable.delete('={{ $json.name }}', [['createdAt', 'lt', before]]);
	workflow.dataTable('Delete Old Rows', [4, 0], rows);
	workflow.connect('Every Night', 'Settings');
	workflow.chain('When Clicking Execute', 'Settings', 'Tables', 'Only These', 'Delete Old Rows');
	return workflow;
}
