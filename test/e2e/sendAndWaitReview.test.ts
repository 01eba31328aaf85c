/**
 * As a review of what an AI agent does: a real agent whose model is a stub that calls the tool it is
 * given, and says what the tool said. The tool sends an SMS, so that the sandbox knows whether it ran.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	outputOf,
	type CredentialReference,
	type FinishedExecution,
	type HostClient,
	type WorkflowJson,
} from '../../tools/host';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { startModel, type StubModel, type Turn } from './agent/model';
import { agent, connectBelow, connectModel, tool } from './agent/tools';
import { sharedHost } from './sharedHost';
import { answer, linksTo, open } from './wait/question';
import { chain, items, node } from '../../tools/shared/workflows';

const boss = '5511900100001';
const customer = '5511900100002';

let client: HostClient;
let sandbox: Sandbox;
let model: StubModel;
let credential: CredentialReference;
let openAi: CredentialReference;
let turns: Turn[];
/** Of the question that nobody answers. */
let quiet: Sandbox;
let quietModel: StubModel;
let unanswered: Promise<FinishedExecution>;

const wish = { toolParameters: { text: 'You get 20 % off' }, hitlParameters: {} };

beforeAll(async () => {
	({ client } = await sharedHost());
	sandbox = await startSandbox();
	credential = await client.createCredential(sandbox.credential);
	model = await startModel(() => turns);
	openAi = await client.createCredential(model.credential, 'openAiApi');
	quiet = await startSandbox();
	quietModel = await startModel(() => [wish]);
	unanswered = askInVain();
	unanswered.catch(() => {}); // of interest to the test that waits for it
});
beforeEach(() => {
	sandbox.reset();
	model.asked.length = 0;
	turns = [wish];
});
afterAll(async () => {
	await unanswered.catch(() => {}); // n8n asks the model in the end
	for (const each of [model, quietModel, sandbox, quiet]) await each.close();
});

/** An agent that may send an SMS to a customer when the boss agrees. */
function workflow(parameters: INodeParameters = {}, input: IDataObject = {}): WorkflowJson {
	const offer = agent('Offer the customer a discount');
	const result = chain('Review', ...items({ id: 1, ...input }), offer);
	result.settings = { executionOrder: 'v1' }; // as the editor has it: agents need it
	connectModel(result, 'Agent', openAi);
	connectBelow(
		result,
		'Agent',
		'ai_tool',
		node(
			'Review',
			'n8n-nodes-messaging-gateway.messagingGatewayHitlTool',
			{
				to: boss,
				message:
					'=The agent wants to run {{ $tool.name }} with {{ JSON.stringify($tool.parameters) }}',
				approvalOptions: { values: { approvalType: 'double' } },
				...parameters,
			},
			{ credentials: { messagingGatewayApi: credential } },
		),
	);
	connectBelow(
		result,
		'Review',
		'ai_tool',
		tool('Tell the customer', credential, {
			resource: 'message',
			operation: 'sendSms',
			to: customer,
			text: "={{ $fromAI('text', 'The text of the SMS', 'string') }}",
		}),
	);
	return result;
}

async function askInVain(): Promise<FinishedExecution> {
	const messagingGatewayApi = await client.createCredential(quiet.credential);
	const openAiApi = await client.createCredential(quietModel.credential, 'openAiApi');
	const values = { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' };
	const flow = workflow({ options: { limitWaitTime: { values } } });
	for (const each of flow.nodes) {
		if (each.credentials) {
			each.credentials = each.credentials.openAiApi ? { openAiApi } : { messagingGatewayApi };
		}
	}
	return await client.waitForExecution(await client.run(await client.createWorkflow(flow)));
}

async function review(parameters: INodeParameters = {}, input?: IDataObject): Promise<string> {
	const execution = await client.run(await client.createWorkflow(workflow(parameters, input)));
	await client.untilItWaits(execution);
	// The agent has stopped at its wish to run the tool.
	expect(model.asked).toHaveLength(1);
	expect(sandbox.accepted({ to: customer })).toEqual([]);
	return execution;
}

const said = (execution: FinishedExecution): string =>
	String(outputOf(execution, 'Agent')[0]?.json.output);

it('is offered as a human review', async () => {
	const nodeTypes = await client.nodeTypes();
	const codexOf = (suffix: string) =>
		nodeTypes.find(({ name }) => name === `n8n-nodes-messaging-gateway.messagingGateway${suffix}`)
			?.codex;
	expect(codexOf('')).toMatchObject({
		categories: ['Communication', 'HITL'],
		subcategories: { HITL: ['Human in the Loop'] },
	});
	expect(codexOf('HitlTool')?.subcategories?.Tools).toEqual(['Human in the Loop']);
});

it('approved: the tool runs, once', async () => {
	const execution = await review();
	const [link = ''] = linksTo(sandbox, boss);
	const { html } = await open(link);
	expect(html).toContain('The agent wants to run');
	expect(html).toContain('You get 20 % off');
	await answer(link, 'approve');
	const ended = await client.waitForExecution(execution);
	expect(ended.error).toBeUndefined();
	expect(sandbox.accepted({ to: customer })).toMatchObject([{ text: 'You get 20 % off' }]);
	expect(linksTo(sandbox, boss)).toHaveLength(1);
	expect(said(ended)).toContain('messageId');
});

it('declined: it does not', async () => {
	const execution = await review();
	const [link = ''] = linksTo(sandbox, boss);
	await answer(link, 'disapprove');
	const ended = await client.waitForExecution(execution);
	expect(ended.error).toBeUndefined();
	expect(sandbox.accepted({ to: customer })).toEqual([]);
	expect(said(ended)).toMatch(/rejected/i);
});

it('where nobody may be asked, the tool does not run, and the agent goes on', async () => {
	const ended = await client.execute(workflow({ options: { dryRun: true } }));
	expect(ended.error).toBeUndefined();
	expect(sandbox.requests()).toEqual([]);
	const told = String(model.asked.at(-1)!.messages.at(-1)!.content);
	expect(told).toMatch(/Nobody was asked .*this is a dry run/);
});

/** Runs the agent; whoever is asked decides so. Gives the texts that went to the customer. */
async function decide(decision: string, flow: WorkflowJson) {
	const execution = await client.run(await client.createWorkflow(flow));
	let asked = 0;
	for (;;) {
		const { status } = await client.untilItRestsOrEnds(execution);
		if (status !== 'waiting') break;
		const links = linksTo(sandbox, boss);
		expect(links).toHaveLength(++asked);
		expect((await answer(links.at(-1)!, decision)).html).toContain('Thank you');
	}
	const ended = await client.waitForExecution(execution);
	expect(ended.error).toBeUndefined();
	return { ended, asked, sent: sandbox.accepted({ to: customer }).map(({ text }) => text) };
}

describe('called several times at once', () => {
	const approved = { approved: true };
	const inParameters = { ...wish, hitlParameters: approved };
	const atRoot = { ...wish, ...approved };

	describe.each(process.env.THOROUGH ? [1, 2, 5] : [2])('%d times', (times) => {
		const calls = (...last: object[]) => [...Array(times).fill(wish), ...last].slice(-times);

		it.each<[string, object[], IDataObject]>([
			['an item with data.approved', calls(), { data: approved }],
			["the model adds it to the review's parameters", calls(inParameters), {}],
			['at the root', calls(atRoot), {}],
			['nothing is added', calls(), {}],
		])('declined, nothing is sent: %s', async (_, turn, input) => {
			turns = [turn];
			const { sent } = await decide('disapprove', workflow({}, input));
			expect(sent).toEqual([]);
		});

		it('approved, the call that was asked about runs, once', async () => {
			turns = [
				Array.from({ length: times }, (_, index) => ({
					...wish,
					toolParameters: { text: `Offer ${index + 1}` },
				})),
			];
			const { sent, asked } = await decide('approve', workflow());
			expect([asked, sent]).toEqual([1, [`Offer ${times}`]]);
		});
	});

	it('the agent is told to ask for one thing at a time', async () => {
		turns = [[wish, wish]];
		await decide('disapprove', workflow());
		const told = model.asked
			.at(-1)!
			.messages.filter(({ role }) => role === 'tool')
			.map(({ content }) => String(content));
		expect(told).toEqual([
			expect.stringMatching(/Nobody was asked.*several times at once/),
			expect.stringMatching(/rejected/i),
		]);
	});

	it('one after the other, each has its own answer', async () => {
		turns = [wish, { ...wish, toolParameters: { text: 'You get 30 % off' } }];
		const { sent, asked } = await decide('approve', workflow());
		expect([asked, sent]).toEqual([2, ['You get 20 % off', 'You get 30 % off']]);
	});
});

describe('an agent with several items', () => {
	/** In a loop that gives the agent so many of its items at a time; without one, all at once. */
	function withItems(count: number, batchSize?: number): WorkflowJson {
		const flow = workflow();
		const rows = Array.from({ length: count }, (_, id) => ({ id }));
		flow.nodes.find(({ name }) => name === 'Rows')!.parameters.jsonOutput = JSON.stringify({
			rows,
		});
		if (batchSize === undefined) return flow;
		const loop = node(
			'Loop',
			'n8n-nodes-base.splitInBatches',
			{ batchSize, options: {} },
			{ typeVersion: 3 },
		);
		flow.nodes.push({ ...loop, id: 'loop', position: [0, 300] });
		const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
		flow.connections.Items = { main: [to('Loop')] };
		flow.connections.Loop = { main: [[], to('Agent')] };
		flow.connections.Agent = { ...flow.connections.Agent, main: [to('Loop')] };
		return flow;
	}

	// n8n would run an approved call once for each item.
	it.each([
		['at once', withItems, 2, undefined],
		['in a loop, two at a time', withItems, 5, 2],
	])('%s: nobody is asked for two', async (_, make, count, batchSize) => {
		turns = [wish];
		const { ended, sent, asked } = await decide('approve', make(count, batchSize));
		const errors = ended.data.resultData.runData.Review!.flatMap(({ error }) => error ?? []);
		expect(errors).toHaveLength(Math.floor(count / 2)); // of the last of two calls at once
		for (const { message } of errors) expect(message).toBe('The AI agent has 2 items, not one');
		expect(sent).toHaveLength(asked);
		expect(asked).toBe(count % 2); // the last round has one item
	});

	it('in a loop, one at a time: each is asked about, and runs once', async () => {
		turns = [wish];
		const { sent, asked } = await decide('approve', withItems(3, 1));
		expect([asked, sent.length]).toEqual([3, 3]);
	});
});

it('timed out: it does not run', async () => {
	const ended = await unanswered;
	expect(ended.error).toBeUndefined();
	expect(said(ended)).toMatch(/rejected/i);
	expect(quiet.accepted({ to: customer })).toEqual([]);
	expect(linksTo(quiet, boss)).toHaveLength(1);
});
