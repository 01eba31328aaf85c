/** What the node asks before a message leaves: its keys, and a workflow that says who may be contacted. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	outputOf,
	type CredentialReference,
	type FinishedExecution,
	type HostClient,
} from '../../tools/host';
import { until } from '../../tools/host/until';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, gateway, items, node } from '../../tools/shared/workflows';
import { sharedHost } from './sharedHost';

let client: HostClient;
let sandbox: Sandbox;
let credential: CredentialReference;

beforeAll(async () => {
	({ client } = await sharedHost());
	sandbox = await startSandbox();
	credential = await client.createCredential(sandbox.credential);
});
afterAll(async () => await sandbox?.close());
beforeEach(() => sandbox.reset());

const allowAll = node(
	'Allow',
	'n8n-nodes-base.set',
	{ mode: 'raw', jsonOutput: '={{ { to: $json.to, allowed: true } }}' },
	{ typeVersion: 3.4 },
);
// A shorter one does not put the execution to wait.
const twoHours = node(
	'Wait',
	'n8n-nodes-base.wait',
	{ resume: 'timeInterval', amount: 2, unit: 'hours' },
	{ typeVersion: 1.1, webhookId: 'two-hours' },
);

/** @returns the workflow's ID */
async function published(name: string, ...nodes: Array<ReturnType<typeof node>>) {
	const workflow = chain(name, ...nodes);
	const start = node('Start', 'n8n-nodes-base.executeWorkflowTrigger', {
		inputSource: 'passthrough',
	});
	workflow.nodes[0] = { ...workflow.nodes[0]!, ...start, typeVersion: 1.1 };
	const id = await client.createWorkflow(workflow);
	await client.activate(id);
	return id;
}

/** @param account by default without any rules */
const sms = (options: INodeParameters = {}, more = {}, account = credential) =>
	gateway(account, 'message', 'sendSms', { to: '={{ $json.to }}', text: 'Hello', options }, more);

const accountWith = async (rules: object) =>
	await client.createCredential({ ...sandbox.credential, ...rules });

const jsonOf = (execution: FinishedExecution): IDataObject[] =>
	outputOf(execution, 'Gateway').map(({ json }) => json);

describe('a workflow that waits', () => {
	let waiting: string;
	beforeAll(async () => {
		waiting = await published('Waits', twoHours, allowAll);
	});
	afterAll(async () => {
		// n8n stores that one waits after it has told its caller.
		const calls = await until('all calls wait', async () => {
			const all = await client.executions(waiting);
			return all.every(({ status }) => status === 'waiting') && all;
		});
		for (const { id } of calls) await client.cancel(id);
	});

	it.each(
		(['stopWorkflow', 'continueRegularOutput'] as const).flatMap((onError) =>
			['do-not-contact', 'deduplication'].map((kind) => [kind, onError] as const),
		),
	)(
		'as the %s workflow: nothing is sent, and nothing waits with it (%s)',
		async (kind, onError) => {
			const isKeyed = kind === 'deduplication';
			const account = await accountWith({
				[isKeyed ? 'deduplicationWorkflowId' : 'doNotContactWorkflowId']: waiting,
			});
			const send = sms(isKeyed ? onceBy('={{ $json.to }}') : {}, { onError }, account);
			const rows = items({ to: '5511900000001' }, { to: '5511900000002' });
			const id = await client.createWorkflow(chain('List', ...rows, send));
			const execution = await client.waitForExecution(await client.run(id));
			const errors =
				onError === 'stopWorkflow'
					? [execution.error]
					: jsonOf(execution).map(({ error }) => error as unknown as Error);
			for (const error of errors) {
				expect(error?.message).toBe(`The ${kind} workflow '${waiting}' did not work: it waits`);
				expect(JSON.stringify(error)).toContain('a Wait node');
			}
			expect(errors).toHaveLength(onError === 'stopWorkflow' ? 1 : 2);
			expect((await client.executions(id)).map(({ status }) => status)).toEqual([
				onError === 'stopWorkflow' ? 'error' : 'success',
			]);
			expect(sandbox.requests()).toEqual([]);
		},
	);
});

it('in a loop, a dry run knows the keys of its own round, and uses none up', async () => {
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', { options: {} }, { typeVersion: 3 });
	const rows = [1, 2, 1].map((key) => ({ to: `551190000000${key}`, key: `order ${key}` }));
	const run = async (dryRun: boolean) => {
		const options = { ...onceBy('={{ $json.key }}'), ...(dryRun && { dryRun }) };
		const workflow = chain('Loop', ...items(...rows), loop, sms(options));
		const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
		workflow.connections.Loop = { main: [[], to('Gateway')] };
		workflow.connections.Gateway = { main: [to('Loop')] };
		const execution = await client.execute(workflow);
		return execution.data.resultData.runData.Gateway!.map(
			({ data }) => data!.main![0]![0]!.json.skipped === true,
		);
	};
	expect(await run(true)).toEqual([false, false, false]);
	expect(sandbox.requests()).toEqual([]);
	expect(await run(false)).toEqual([false, false, true]);
});
