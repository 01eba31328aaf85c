import { isConfirmation, mayMarket, rowsAbout, tables, type TableName } from './consent';
import { enterAgain, readEnteredNumbers, readFormNumber, roomForStops } from './doNotContact';
import { dataTable, fields, lastPage, numberForm, where } from './parameters';
import { at, inDataTables, patient } from './stores';
import { ExampleWorkflow } from './workflow';

const asked = 'Called by the Messaging Gateway Node';

/** Answers for each message whether its workflow may send it to that number now. */
export function permissionToSend(): ExampleWorkflow {
	const workflow = new ExampleWorkflow('permission-to-send', 'Permission to send', {
		saveDataSuccessExecution: 'none',
	});
	workflow.note(
		'Overview',
		"## May this message be sent?\n\n1. Select your **Messaging Gateway** credential in the nodes that read numbers, and publish.\n2. Enter this workflow's ID in that credential: **Do Not Contact Workflow ID**.\n\nIt replaces **Do not contact, in a Data Table** there, but uses its list: publish that one too, for its form.\n\nGive people the address of **Opt-In Form**, with your own wording. A new wording gets a new ID in **Record Opt-In**.",
		[480, 320],
	);
	workflow.note(
		'Rules',
		'## Who gets what\n\n**Service workflows** send to everybody who did not opt out. A workflow is one only if its ID (at the end of its address in the editor) is in the Data Table **Service workflows**: a copy or an import has another ID. Of the examples, enter those that send codes, approvals, alerts, reminders and **STOP by reply**.\n\n**All others need consent**: an `in` in **Consents** newer than each `out`, nothing open in **To review**, and fewer than three messages in seven days.',
		[480, 320],
	);
	workflow.note(
		'Log',
		'## What counts\n\nThe messages in **Send log**: import **Send log** too, or write to it from your own workflows. Refused and skipped ones do not count.\n\nWhat is not allowed is a row in **Skipped**, with the workflow and why.\n\nTo bring in consents that you have, add rows to **Consents** with `what` *in*, `source` *import* and their own date in `at`. They count only for who never opted out.',
		[440, 320],
	);
	const trigger = workflow.add(asked, 'executeWorkflowTrigger@1.1', [0, 3], {
		inputSource: 'passthrough',
	});
	const names = Object.keys(tables).slice(0, 6) as TableName[];
	const created = inDataTables.tables(workflow, 'Tables', [1, 0], names);
	const read = readEnteredNumbers(workflow, inDataTables, [1, 1]);
	const room = roomForStops(workflow, [1, 2]);
	const about = [['to', '={{ $json.to }}']] as [string, string][];
	const reads: Record<string, ReturnType<typeof dataTable.get>> = {
		Listed: dataTable.get('Do not contact', about),
		Evidence: dataTable.get('Consents', about),
		'Open Reviews': dataTable.get('To review', about),
		'Service Workflow': dataTable.get('Service workflows', [
			['workflow', '={{ $json.workflow.id }}'],
		]),
		'Sent in Seven Days': dataTable.get('Send log', [
			['number', '={{ $json.to }}'],
			['outcome', 'neq', 'refused'],
			['outcome', 'neq', 'skipped'],
			['sentAt', 'gte', '={{ $now.minus({ days: 7 }).toUTC().toISO() }}'],
		]),
	};
	for (const [index, [name, parameters]] of Object.entries(reads).entries())
		workflow.add(name, 'dataTable@1.1', [1, 3 + index], parameters);
	workflow.add('Why Not', 'set@3.4', [1, 8], {
		...fields({ why: `={{ ${whyNot} }}` }),
		includeOtherFields: true,
	});
	workflow.connect(trigger, [...created, read, ...room, ...Object.keys(reads), 'Why Not']);
	workflow.add(
		'Is Skipped',
		'filter@2.2',
		[2, 8],
		where("={{ $json.why !== '' && !$json.dryRun }}"),
	);
	const skipped = {
		workflow: '={{ $json.workflow.id }}',
		name: '={{ $json.workflow.name }}',
		number: '={{ $json.to }}',
		why: '={{ $json.why }}',
		execution: '={{ $json.execution }}',
		at,
	};
	workflow.add('Save Why', 'dataTable@1.1', [3, 8], dataTable.insert('Skipped', skipped));
	workflow.add(
		'Answer',
		'set@3.4',
		[2, 9],
		fields({ to: '={{ $json.to }}', allowed: ['boolean', "={{ $json.why === '' }}"] }),
	);
	workflow.connect('Why Not', ['Is Skipped', 'Answer']);
	workflow.connect('Is Skipped', 'Save Why');

	const form = workflow.add(
		'Opt-In Form',
		'formTrigger@2.2',
		[0, 11],
		numberForm(
			'Offers by SMS',
			'Enter your number to get offers from Acme by SMS, three a week at most. Reply STOP at any time to opt out.',
		),
	);
	const same = inDataTables.tables(workflow, 'Same Table', [1, 10], ['Consents']);
	readFormNumber(workflow, form, [1, 11], ' of Form');
	workflow.connect(form, [...same, 'Read Number of Form']);
	const consent = {
		to: '={{ $json.to }}',
		what: 'in',
		wording: 'offers-1',
		source: 'form',
		execution: '={{ $execution.id }}',
		at: '={{ $json.at }}',
	};
	workflow.add(
		'Record Opt-In',
		'dataTable@1.1',
		[4, 11],
		dataTable.insert('Consents', consent),
		patient,
	);
	workflow.add('Done', 'form@1', [5, 11], lastPage('Done', 'You will get our offers by SMS.'));
	workflow.add('Enter It Again', 'form@1', [4, 12], lastPage(...enterAgain));
	workflow.connect('Is a Number of Form', 'Record Opt-In', 0);
	workflow.connect('Is a Number of Form', 'Enter It Again', 1);
	workflow.connect('Record Opt-In', 'Done');
	return workflow;
}

/** Why a message is not allowed; empty if it is. */
const whyNot = [
	`(${rowsAbout('Listed')}.length > 0 && !${isConfirmation(`${rowsAbout('Evidence')}.filter(({ what }) => what === 'out')`)}) ? 'opted out'`,
	`${rowsAbout('Listed')}.length > 0 || $('Service Workflow').all().some(({ json }) => json.workflow === $json.workflow.id) ? ''`,
	`!${mayMarket(rowsAbout('Evidence'))} ? 'no consent'`,
	`${rowsAbout('Open Reviews')}.length > 0 ? 'a reply to review'`,
	`$('Sent in Seven Days').all().filter(({ json }) => json.number === $json.to).length >= 3 ? 'three messages in seven days' : ''`,
].join(' : ');
