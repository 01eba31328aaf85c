import { listTables, isConfirmation, mayMarket, rowsAbout, type TableName } from './consent';
import { enterAgain, readEnteredNumbers, readFormNumber, roomForStops } from './doNotContact';
import { dataTable } from './parameters';
import { at, evidence, inDataTables, patient } from './stores';
import { ExampleWorkflow, keepsNoData } from './workflow';

const asked = 'Called by the Messaging Gateway Node';

/** Answers for each message whether its workflow may send it to that number now. */
export function permissionToSend(): ExampleWorkflow {
	const workflow = new ExampleWorkflow('permission-to-send', 'Permission to send', keepsNoData);
	workflow.notes(320, [480, 480, 440], {
		Overview:
			"## May this message be sent?\n\n1. Select your **Messaging Gateway** credential in the nodes that read numbers, and publish.\n2. Enter this workflow's ID in that credential: **Do Not Contact Workflow ID**.\n\nIt replaces **Do not contact, in a Data Table** there, but uses its list: publish that one too, for its form.\n\nGive people the address of **Opt-In Form**, with your own wording. A new wording gets a new ID in **Record Opt-In**.",
		Rules:
			'## Who gets what\n\n**Service workflows** send to everybody who did not opt out. A workflow is one only if its ID (at the end of its address in the editor) is in the Data Table **Service workflows**: a copy or an import has another ID. Of the examples, enter those that send codes, approvals, alerts, reminders and **STOP by reply**.\n\n**All others need consent**: an `in` in **Consents** newer than each `out`, nothing open in **To review**, and fewer than three messages in seven days, from all of these workflows together.',
		Log: '## What counts\n\nEach message that was allowed, unless a service workflow sends it: it is a row in **Messages a week** before it leaves, so that lists that run at once keep to the limit too. One that fails stays counted. The limit is in **Settings**.\n\nWhat is not allowed is a row in **Skipped**, with the workflow and why.\n\nTo bring in consents that you have, add rows to **Consents** with `what` *in*, `source` *import* and their own date in `at`. They count only for who never opted out.',
	});
	const trigger = workflow.called(asked, [0, 3]);
	const own: TableName[] = ['Service workflows', 'Skipped', 'Messages a week'];
	const created = inDataTables.tables(workflow, 'Tables', [1, 0], [...listTables, ...own]);
	const read = readEnteredNumbers(workflow, inDataTables, [1, 1]);
	const room = roomForStops(workflow, [1, 2]);
	const about = [['to', '={{ $json.to }}']] as [string, string][];
	const reads: Record<string, ReturnType<typeof dataTable.get>> = {
		Listed: dataTable.get('Do not contact', about),
		Evidence: dataTable.get('Consents', about),
		'Open Reviews': dataTable.get('To review', [...about, ['holds', 'marketing']]),
		'Service Workflow': dataTable.get('Service workflows', [
			['workflow', '={{ $json.workflow.id }}'],
		]),
	};
	for (const [index, [name, parameters]] of Object.entries(reads).entries())
		workflow.dataTable(name, [1, 3 + index], parameters);
	workflow.set('Settings', [2, 3], { messagesAWeek: ['number', 3] }, { executeOnce: true });
	workflow.addFields('What Is Known', [1, 7], {
		isListed: ['boolean', `={{ ${rowsAbout('Listed')}.length > 0 }}`],
		isConfirmation: ['boolean', `={{ ${isConfirmation(stops)} }}`],
		isService: ['boolean', `={{ ${isService} }}`],
		hasConsent: ['boolean', `={{ ${mayMarket(rowsAbout('Evidence'))} }}`],
		isInReview: ['boolean', `={{ ${rowsAbout('Open Reviews')}.length > 0 }}`],
	});
	workflow.addFields('Why Not at All', [2, 7], { why: whyNotAtAll });
	workflow.filter(
		'Counts',
		[3, 7],
		`={{ !$json.dryRun && !$json.again && !${isExempt} && $json.why === '' }}`,
	);
	const claim = { to: '={{ $json.to }}', workflow: '={{ $json.workflow.id }}', at };
	workflow.dataTable('Claim', [4, 7], dataTable.insert('Messages a week', claim));
	workflow.connect('Counts', 'Claim');
	const sevenDays = '={{ $now.minus({ days: 7 }).toUTC().toISO() }}';
	const counted = dataTable.get('Messages a week', [...about, ['createdAt', 'gte', sevenDays]]);
	workflow.dataTable('Seven Days', [3, 8], counted);
	workflow.addFields('Why Not', [3, 9], { why: whyNot });
	workflow.connect(trigger, [
		...[...created, read, ...room, 'Settings', ...Object.keys(reads)],
		'What Is Known',
	]);
	workflow.chain('What Is Known', 'Why Not at All');
	workflow.connect('Why Not at All', ['Counts', 'Seven Days', 'Why Not']);
	workflow.filter('Is Skipped', [4, 9], "={{ $json.why !== '' && !$json.dryRun }}");
	const skipped = {
		workflow: '={{ $json.workflow.id }}',
		name: '={{ $json.workflow.name }}',
		number: '={{ $json.to }}',
		why: '={{ $json.why }}',
		execution: '={{ $json.execution }}',
		at,
	};
	workflow.dataTable('Save Why', [5, 9], dataTable.insert('Skipped', skipped));
	workflow.set('Answer', [4, 11], {
		to: '={{ $json.to }}',
		allowed: ['boolean', "={{ $json.why === '' }}"],
	});
	const isOver = `={{ $json.why !== '' && ${claimed} !== undefined }}`;
	workflow.filter('Is Over the Limit', [4, 10], isOver);
	// A refusal would count for seven days more.
	const giveBack = dataTable.delete('Messages a week', [['id', `={{ ${claimed} }}`]]);
	workflow.dataTable('Give Back', [5, 10], giveBack);
	workflow.connect('Is Over the Limit', 'Give Back');
	workflow.connect('Why Not', ['Is Skipped', 'Is Over the Limit', 'Answer']);
	workflow.connect('Is Skipped', 'Save Why');

	const form = workflow.numberForm(
		'Opt-In Form',
		[0, 13],
		'Offers by SMS',
		'Enter your number to get offers from Acme by SMS, three a week at most. Reply STOP at any time to opt out.',
	);
	const same = inDataTables.tables(workflow, 'Same Table', [1, 12], ['Consents']);
	readFormNumber(workflow, form, [1, 13], ' of Form');
	workflow.connect(form, [...same, 'Read Number of Form']);
	const optIn = dataTable.insert('Consents', evidence('in', 'form', 'offers-1'));
	workflow.dataTable('Record Opt-In', [4, 13], optIn, patient);
	workflow.lastPage('Done', [5, 13], 'Done', 'You will get our offers by SMS.');
	workflow.lastPage('Enter It Again', [4, 14], ...enterAgain);
	workflow.branch('Is a Number of Form', 'Record Opt-In', 'Enter It Again');
	workflow.connect('Record Opt-In', 'Done');
	return workflow;
}

const stops = `${rowsAbout('Evidence')}.filter(({ what }) => what === 'out')`;

const isService =
	"$('Service Workflow').all().some(({ json }) => json.workflow === $json.workflow.id)";

/** Whether nothing but an opt-out holds it back. */
const isExempt = '($json.isListed || $json.isService)';

/** Why a message is not allowed, however many there were; empty if it is. */
const whyNotAtAll = `={{ $json.isListed && !$json.isConfirmation ? 'opted out' : ${isExempt} ? '' : !$json.hasConsent ? 'no consent' : $json.isInReview ? 'a reply to review' : '' }}`;

/** The ID of the row that counts this message; undefined where none does. */
const claimed = `($('Claim').isExecuted ? ${rowsAbout('Claim')}.at(-1)?.id : undefined)`;

/**
 * Whether the message is among the first of seven days, by ID: each is counted before it is judged, so that
 * two at the same moment cannot both be the last one allowed. A dry run would be the next.
 */
const isWithinLimit = `new Set(${rowsAbout('Seven Days')}.map(({ id }) => id).filter((id) => id < (${claimed} ?? Infinity))).size < $('Settings').first().json.messagesAWeek`;

const whyNot = `={{ $json.why || (${isExempt} || $json.again || ${isWithinLimit} ? '' : 'too many messages in seven days') }}`;
