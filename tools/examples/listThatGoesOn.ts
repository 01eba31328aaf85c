import { dataTable, sameColumns } from './parameters';
import { patient, patientOnce } from './stores';
import { ExampleWorkflow } from './workflow';

const table = 'List that goes on';

/**
 * Whether a failed item stays on the list: nothing was sent for it, and it is not the service's word about
 * this message. A wrong number stays too, until somebody has corrected it in the table.
 */
const waits = `(({ outcome, answer, httpCode }) => outcome === 'notStarted' || (outcome === 'refused' && (!answer || /^(401|403|429|5..)$/.test(httpCode ?? '') || /desconectad/i.test(JSON.stringify(answer)))))($json.error)`;

/** Sends to a list, and after an outage goes on with the rest until nothing is left. */
export function listThatGoesOn(): ExampleWorkflow {
	const workflow = new ExampleWorkflow('list-that-goes-on', 'A list that pauses and goes on');
	workflow.notes(320, [480, 440, 400], {
		Overview: `## An outage does not end it\n\n1. Select your **Messaging Gateway** credential in **Send SMS**, and write your text.\n2. Replace **Sample List** with your own: each person has an ID, a number and a name.\n3. Publish, then press *Execute workflow*. For another list, change the key in **Deduplication** and delete the rows of **${table}**.\n\nOnce your service no longer answers, the rest of the list is not tried. Every ten minutes it goes on, until nobody waits.`,
		Rows: `## Who waits\n\nRows of the Data Table **${table}** without \`outcome\`; \`why\` says what was in the way: no answer, the API key, a disconnected chat app, the hours of *Send Between*. A wrong number waits until you correct it there.\n\n\`unknown\` may have been sent: look it up at your service. To try a \`refused\` one again, empty its \`outcome\`.`,
		Once: '## Nobody twice\n\nBoth paths lead to the same **Send SMS**, because keys belong to a node. So rounds may overlap, and n8n may be killed in one: whoever was sent to is skipped, and their row says `sent`.\n\nWith several n8n workers, let a workflow keep the keys.',
	});
	const columns = ['contact', 'phone', 'name', 'outcome', 'why'];
	const create = (name: string, row: number) =>
		workflow.dataTable(name, [1, row], dataTable.create(table, columns), patientOnce);
	const people = ['+55 11 9XXXX-XXXX', '+55 21 9XXXX-XXXX', '+55 31 9XXXX-XXXX'].map(
		(phone, index) => ({
			contact: `C-100${index + 1}`,
			phone,
			name: ['Ana', 'Bruno', 'Carla'][index]!,
		}),
	);
	const byHand = workflow.add('When Clicking Execute', 'manualTrigger@1', [0, 1]);
	const bySchedule = workflow.schedule('Every Ten Minutes', [0, 3], {
		field: 'minutes',
		minutesInterval: 10,
	});
	workflow.add('Sample List', 'set@3.4', [1, 1], {
		mode: 'raw',
		jsonOutput: JSON.stringify({ people }, null, 2),
		options: {},
	});
	workflow.add('One Item per Person', 'splitOut@1', [2, 1], {
		fieldToSplitOut: 'people',
		options: {},
	});
	const of = (field: string) => `={{ $json.${field} }}`;
	const put = dataTable.upsert(table, ['contact'], sameColumns('contact', 'phone', 'name'));
	workflow.dataTable('Put on the List', [3, 1], put, patient);
	const byAge = { orderBy: true, orderByColumn: 'id', orderByDirection: 'ASC' };
	const waiting = dataTable.get(table, [['outcome', 'isEmpty']], byAge);
	workflow.dataTable('Who Waits', [4, 2], waiting, patientOnce);
	workflow.sendSms(
		'Send SMS',
		[5, 2],
		{
			to: of('phone'),
			text: '=Acme: Hello {{ $json.name }}, our spring sale begins today. Reply STOP to opt out.',
			deduplication: { values: { key: '=spring sale {{ $json.contact }}', oncePer: 'key' } },
		},
		{ onError: 'continueErrorOutput' },
	);
	const id: [string, string] = ['id', "={{ $('Who Waits').item.json.id }}"];
	const sent = dataTable.update(table, [id], {
		outcome:
			"={{ ({ doNotContact: 'do not contact', outsideHours: '' })[$json.reason] ?? 'sent' }}",
		why: "={{ $json.explanation ?? '' }}",
	});
	workflow.dataTable('Sent or Skipped', [6, 1], sent, patient);
	// Another round may have sent it meanwhile.
	const failed = dataTable.update(table, [id, ['outcome', 'isEmpty']], {
		outcome: `={{ ${waits} ? '' : $json.error.outcome }}`,
		why: '={{ $json.error.message }}',
	});
	workflow.dataTable('Failed', [6, 3], failed, patient);
	workflow.connect(byHand, [create('List Table', 0), 'Sample List']);
	workflow.chain('Sample List', 'One Item per Person', 'Put on the List', 'Who Waits', 'Send SMS');
	workflow.connect(bySchedule, [create('Same Table', 2), 'Who Waits']);
	workflow.branch('Send SMS', 'Sent or Skipped', 'Failed');
	return workflow;
}
