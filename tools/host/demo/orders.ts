import type { AcceptedMessage, Sandbox } from '../../sandbox';
import { outputOf, type CredentialReference, type WorkflowJson } from '../client';
import type { QueueMode } from '../queue';

const ORDERS = 20;
const PATH = 'orders';
const SEND = 'Send SMS';

/**
 * Posts orders to a published workflow, all at once, and prints which worker sent what.
 *
 * @throws Error when a message was not sent
 */
export async function runOrders(
	queue: QueueMode,
	sandbox: Sandbox,
	credential: CredentialReference,
): Promise<void> {
	const { client } = queue.main;
	const id = await client.publish(workflowWith(credential));
	const numbers = Array.from({ length: ORDERS }, (_, index) => `+${5511900100000 + index}`);
	const answers = await Promise.all(numbers.map(async (to) => await queue.post(PATH, { to })));
	const refused = answers.find(({ ok }) => !ok);
	if (refused) throw new Error(`An order was answered ${refused.status}`);

	const accepted = await messagesOfWorkers(queue, sandbox, id);
	console.log(
		`Orders      ${ORDERS} posted to ${queue.webhooks[0]?.url}/webhook/${PATH}, which starts '${workflowWith(credential).name}'`,
	);
	for (const [worker, messages] of accepted) {
		const to = messages.map((message) => message.to).sort();
		console.log(`${worker.padEnd(12)}sent ${to.length}, to ${to.join(', ') || 'nobody'}`);
	}
	const all = [...accepted.values()].flat().map(({ to }) => to);
	const missing = numbers.filter((to) => !all.includes(to));
	if (missing.length > 0) throw new Error(`Not sent: ${missing.join(', ')}`);
}

/** The messages accepted from each worker, found by the executions in its log. */
async function messagesOfWorkers(
	queue: QueueMode,
	sandbox: Sandbox,
	workflowId: string,
): Promise<Map<string, AcceptedMessage[]>> {
	const messages = new Map(queue.workers.map(({ name }) => [name, [] as AcceptedMessage[]]));
	for (const { id } of await queue.main.client.executions(workflowId)) {
		const worker = queue.workerOf(id);
		const sent = outputOf(await queue.main.client.waitForExecution(id), SEND);
		const ids = sent.map(({ json }) => json.messageId);
		const accepted = sandbox.accepted().filter(({ messageId }) => ids.includes(messageId));
		messages.get(worker?.name ?? '')?.push(...accepted);
	}
	return messages;
}

const workflowWith = (credential: CredentialReference): WorkflowJson => ({
	name: 'Order to SMS',
	nodes: [
		{
			id: 'order',
			name: 'Order',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			position: [0, 0],
			parameters: { path: PATH, httpMethod: 'POST', responseMode: 'lastNode' },
			webhookId: PATH,
		},
		{
			id: 'send',
			name: SEND,
			type: 'n8n-nodes-messaging-gateway.messagingGateway',
			typeVersion: 1,
			position: [220, 0],
			parameters: {
				resource: 'message',
				operation: 'sendSms',
				to: '={{ $json.body.to }}',
				text: 'Your order is on its way',
			},
			credentials: { messagingGatewayApi: credential },
		},
	],
	connections: { Order: { main: [[{ node: SEND, type: 'main', index: 0 }]] } },
});
