import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import { REMINDED } from '../../sandbox';
import { onceBy } from '../../shared/deduplication';
import { asJson, chain, gateway, httpRequestSms, node } from '../../shared/workflows';
import type { CredentialReference, HostClient, WorkflowJson } from '../client';

const toExpression = '={{ $json.to }}';
const reminderExpression = '=Reminder {{ $json.round }}: see you tomorrow at 10:00';

/** The parameters in the service's own form. */
const serviceParameters = { to: "={{ $json.to.replace('+', '') }}", text: reminderExpression };

/** How the sandbox's page tells the senders apart. */
const header = {
	sendHeaders: true,
	headerParameters: { parameters: [{ name: 'X-Sent-By', value: 'HTTP Request' }] },
};

const notes = {
	own: '## Twenty reminders, once each\n\nPress **Lose the next answer** on the page **Messages**, execute this workflow, and execute it again: nobody gets a reminder twice, because **Deduplication** has a key. **Send** ends in an error both times: it names the person who may have got one. **Retry** in its **Executions** does the same.\n\nFor a new round of reminders, change the number in **Round**.',
	http: "## The same with HTTP Request\n\nThe same list and credential, with n8n's own **HTTP Request** node. Press **Lose the next answer** again, execute this workflow twice, and compare the two on the page **Messages**.\n\nIts header **X-Sent-By** is only there so that the page can tell them apart.",
};

/** Imports two workflows that send the same list: by this package, and by n8n's HTTP Request. @returns ids */
export async function importComparison(
	client: HostClient,
	credential: CredentialReference,
	baseUrl: string,
): Promise<{ own: string; http: string }> {
	const request = httpRequestSms(credential, baseUrl, serviceParameters, header);
	const sms = gateway(credential, 'message', 'sendSms', {
		to: toExpression,
		text: reminderExpression,
		options: onceBy('=reminder-{{ $json.round }}', 'keyAndNumber'),
	});
	const other = workflow('The same with HTTP Request', notes.http, request);
	const http = await client.createWorkflow(other);
	const own = await client.createWorkflow(workflow('Twenty reminders', notes.own, sms));
	return { http, own };
}

type WorkflowStep = Omit<INode, 'id' | 'position'>;

function workflow(name: string, content: string, send: WorkflowStep): WorkflowJson {
	const round = { id: 'round', name: 'round', type: 'number', value: 1 };
	const assignments = { assignments: { assignments: [round] } };
	const people = `${JSON.stringify(REMINDED)}.map((to) => ({ to, round: $json.round }))`;
	const made = chain(
		name,
		node('Round', 'n8n-nodes-base.set', assignments, { typeVersion: 3.4 }),
		asJson('People', `={{ { people: ${people} } }}`),
		node('Reminders', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'people' }),
		{ ...send, name: 'Send' },
	);
	const note = node('Note', 'n8n-nodes-base.stickyNote', { content, width: 560, height: 180 });
	made.nodes.push({ ...note, id: randomUUID(), position: [0, -280] });
	return made;
}
