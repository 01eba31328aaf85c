/** What the node asks before a message leaves: its keys, and a workflow that says who may be contacted. */
import type { INodeParameters } from 'n8n-workflow';
import { outputOf } from '../../tools/host';
import { until } from '../../tools/host/until';
import { onceBy } from '../../tools/shared/deduplication';
import { asJson, chain, items, node } from '../../tools/shared/workflows';
import { useHost } from './sharedHost';
import { called, numbered, smsToEach } from './support/workflows';

const host = useHost();

const allowAll = asJson('Allow', '={{ { to: $json.to, allowed: true } }}');
// A shorter one does not put the execution to wait.
const twoHours = node(
	'Wait',
	'n8n-nodes-base.wait',
	{ resume: 'timeInterval', amount: 2, unit: 'hours' },
	{ typeVersion: 1.1, webhookId: 'two-hours' },
);

describe('a workflow that waits', () => {
	let waiting: string;
	beforeAll(async () => {
		waiting = await host.client.publish(called(chain('Waits', twoHours, allowAll)));
	});
	afterAll(async () => {
		// n8n stores that one waits after it has told its caller.
		const calls = await until('all calls wait', async () => {
			const all = await host.client.executions(waiting);
			return all.every(({ status }) => status === 'waiting') && all;
		});
		for (const { id } of calls) await host.client.cancel(id);
	});

	it.each<[string, string, INodeParameters, 'stopWorkflow' | 'continueRegularOutput']>([
		['do-not-contact', 'doNotContactWorkflowId', {}, 'stopWorkflow'],
		[
			'deduplication',
			'deduplicationWorkflowId',
			onceBy('={{ $json.to }}'),
			'continueRegularOutput',
		],
	])('as the %s workflow: nothing is sent or waits', async (kind, rule, options, onError) => {
		const { client, sandbox } = host;
		const account = await client.createCredential({ ...sandbox.credential, [rule]: waiting });
		const send = smsToEach(account, { options }, { onError });
		const execution = await client.execute(chain('List', ...items(...numbered(2)), send));
		const stops = onError === 'stopWorkflow';
		expect(execution.status).toBe(stops ? 'error' : 'success');
		const errors = stops
			? [execution.error]
			: outputOf(execution, 'Gateway').map(({ json }) => json.error as unknown as Error);
		expect(errors).toHaveLength(stops ? 1 : 2);
		for (const error of errors) {
			expect(error?.message).toBe(`The ${kind} workflow '${waiting}' did not work: it waits`);
			expect(JSON.stringify(error)).toContain('a Wait node');
		}
		expect(sandbox.requests()).toEqual([]);
	});
});

it.each(['an ID that nothing has', 'a workflow that is not published'])(
	'%s as the do-not-contact workflow: n8n says that it cannot be called',
	async (what) => {
		const { client, sandbox } = host;
		const isThere = what.startsWith('a workflow');
		const id = isThere
			? await client.createWorkflow(called(chain('Unpublished', allowAll)))
			: 'none';
		const rule = { doNotContactWorkflowId: id };
		const account = await client.createCredential({ ...sandbox.credential, ...rule });
		const { error } = await client.execute(
			chain('List', ...items(...numbered(1)), smsToEach(account)),
		);
		expect(error?.message).toContain('n8n can call no published workflow with this ID');
		expect(sandbox.requests()).toEqual([]);
	},
);
