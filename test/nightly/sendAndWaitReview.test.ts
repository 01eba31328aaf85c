/**
 * As a review of what an AI agent does: a real agent whose model is a stub that calls the tool it is
 * given, and says what the tool said. The tool sends an SMS, so that the sandbox knows whether it ran.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { outputOf, type WorkflowJson } from '../../tools/host';
import { chain, items, node } from '../../tools/shared/workflows';
import { toolAnswers, useModel, type Turn } from '../e2e/agent/model';
import { agent, connectBelow, connectModel, tool } from '../e2e/agent/tools';
import { useHost } from '../e2e/sharedHost';
import { inLoop } from '../e2e/support/workflows';
import { answer, linksTo, open, waitAtMost } from '../e2e/wait/question';

const boss = '+5511900100001';
const customer = '+5511900100002';
const wish = { toolParameters: { text: 'You get 20 % off' }, hitlParameters: {} };
const other = { ...wish, toolParameters: { text: 'You get 30 % off' } };

const host = useHost();
let turns: Turn[];
const model = useModel(host, () => turns);
beforeEach(() => (turns = [wish]));

const offer = agent('Offer the customer a discount');
const oneItem = (input: IDataObject = {}) => chain('Review', ...items({ id: 1, ...input }), offer);

/** The agent in it may send an SMS to a customer when the boss agrees. */
function reviewed(workflow = oneItem(), parameters: INodeParameters = {}): WorkflowJson {
	connectModel(workflow, model.openAi);
	const message =
		'=The agent wants to run {{ $tool.name }} with {{ JSON.stringify($tool.parameters) }}';
	const approvalOptions = { values: { approvalType: 'double' } };
	const review = node(
		'Review',
		'n8n-nodes-messaging-gateway.messagingGatewayHitlTool',
		{ to: boss, message, approvalOptions, ...parameters },
		{ credentials: { messagingGatewayApi: host.credential } },
	);
	connectBelow(workflow, 'Agent', 'ai_tool', review);
	const text = "={{ $fromAI('text', 'The text of the SMS', 'string') }}";
	const sms = { resource: 'message', operation: 'sendSms', to: customer, text };
	connectBelow(workflow, 'Review', 'ai_tool', tool('Tell the customer', host.credential, sms));
	return workflow;
}

/** What the customer got. */
const sent = () => host.sandbox.accepted({ to: customer }).map(({ text }) => text);

/** Runs the agent; whoever is asked decides so, if at all. */
async function decide(decision: string, workflow = reviewed()) {
	const execution = await host.client.begin(workflow);
	let asked = 0;
	while (decision) {
		const { status } = await host.client.untilItRestsOrEnds(execution);
		if (status !== 'waiting') break;
		const links = linksTo(host.sandbox, boss);
		expect(links).toHaveLength(++asked);
		expect((await answer(links.at(-1)!, decision)).title).toContain('Answer recorded');
	}
	const ended = await host.client.waitForExecution(execution);
	expect(ended.error).toBeUndefined();
	const said = String(outputOf(ended, 'Agent')[0]?.json.output);
	return { runs: ended.data.resultData.runData, said, asked, sent: sent() };
}

it('is offered as a human review', async () => {
	const nodeTypes = await host.client.nodeTypes();
	const codexOf = (suffix: string) =>
		nodeTypes.find(({ name }) => name === `n8n-nodes-messaging-gateway.messagingGateway${suffix}`)
			?.codex;
	expect(codexOf('')).toMatchObject({
		categories: ['Communication', 'HITL'],
		subcategories: { HITL: ['Human in the Loop'] },
	});
	expect(codexOf('HitlTool')?.subcategories?.Tools).toEqual(['Human in the Loop']);
});

it('approved: the tool runs, once, and not before', async () => {
	const execution = await host.client.begin(reviewed());
	await host.client.untilItWaits(execution);
	expect(model.asked).toHaveLength(1); // the agent has stopped at its wish to run the tool
	expect(sent()).toEqual([]);
	const [link = '', ...more] = linksTo(host.sandbox, boss);
	expect(more).toEqual([]);
	const { html } = await open(link);
	expect(html).toContain('The agent wants to run');
	expect(html).toContain('You get 20 % off');
	await answer(link, 'approve');
	const ended = await host.client.waitForExecution(execution);
	expect(ended.error).toBeUndefined();
	expect(sent()).toEqual(['You get 20 % off']);
	expect(String(outputOf(ended, 'Agent')[0]?.json.output)).toContain('messageId');
});

it('is sent to whom the item names, not the model, and so is the tool that it approves', async () => {
	const stranger = '+5511900000666';
	const given = { phone: stranger, managerPhone: stranger };
	const { toolParameters } = wish;
	turns = [1, 2].map(() => ({
		toolParameters: { ...toolParameters, ...given },
		hitlParameters: given,
	}));
	const workflow = reviewed(oneItem({ customer }), {
		to: `={{ $json.managerPhone || '${boss}' }}`,
	});
	const sms = workflow.nodes.find(({ name }) => name === 'Tell the customer')!;
	sms.parameters.to = "={{ $json.phone || $('Items').item.json.customer }}";
	expect(await decide('approve', workflow)).toMatchObject({
		asked: 2,
		sent: Array(2).fill(toolParameters.text),
	});
});

it.each<[string, string, INodeParameters, RegExp]>([
	['declined', 'disapprove', {}, /rejected/i],
	['timed out', '', { options: waitAtMost(1) }, /rejected/i],
	['dry run', '', { options: { dryRun: true } }, /Nobody was asked .*this is a dry run/],
])('%s: it does not run, and the agent goes on', async (_, decision, parameters, expected) => {
	const ended = await decide(decision, reviewed(oneItem(), parameters));
	expect([ended.sent, ended.said]).toEqual([[], expect.stringMatching(expected)]);
});

describe('called several times at once', () => {
	const approved = { approved: true };

	describe.each(process.env.THOROUGH ? [1, 2, 5] : [2])('%d times', (times) => {
		const calls = (...last: object[]) => [...Array(times).fill(wish), ...last].slice(-times);

		it.each<[string, object[], IDataObject]>([
			['an item with data.approved', calls(), { data: approved }],
			['added by the model for the review', calls({ ...wish, hitlParameters: approved }), {}],
			['at the root', calls({ ...wish, ...approved }), {}],
		])('declined, nothing is sent: %s', async (_, turn, input) => {
			turns = [turn];
			expect((await decide('disapprove', reviewed(oneItem(input)))).sent).toEqual([]);
		});

		it('approved, the call that was asked about runs, once', async () => {
			const texts = Array.from({ length: times }, (_, index) => `Offer ${index + 1}`);
			turns = [texts.map((text) => ({ ...wish, toolParameters: { text } }))];
			expect(await decide('approve')).toMatchObject({ asked: 1, sent: texts.slice(-1) });
		});
	});

	it('the agent is told to ask for one thing at a time', async () => {
		turns = [[wish, wish]];
		await decide('disapprove');
		expect(toolAnswers(model)).toEqual([
			expect.stringMatching(/Nobody was asked.*several times at once/),
			expect.stringMatching(/rejected/i),
		]);
	});

	it('one after the other, each has its own answer', async () => {
		turns = [wish, other];
		const texts = ['You get 20 % off', 'You get 30 % off'];
		expect(await decide('approve')).toMatchObject({ asked: 2, sent: texts });
	});
});

describe('an agent with several items', () => {
	const rows = (count: number) => items(...Array.from({ length: count }, (_, id) => ({ id })));
	const atOnce = (count: number) => chain('At once', ...rows(count), offer);
	const byTwo = (count: number) => inLoop('By two', rows(count), offer, 2);

	// n8n would run an approved call once for each item.
	it.each([
		['at once', atOnce, 2],
		['in a loop, two at a time', byTwo, 5],
	])('%s: nobody is asked for two', async (_, make, count) => {
		const { runs, sent: texts, asked } = await decide('approve', reviewed(make(count)));
		const errors = runs.Review!.flatMap(({ error }) => error ?? []);
		expect(errors).toHaveLength(Math.floor(count / 2)); // of the last of two calls at once
		for (const { message } of errors) expect(message).toBe('The AI agent has 2 items, not one');
		expect(texts).toHaveLength(asked);
		expect(asked).toBe(count % 2); // the last round has one item
	});

	it('in a loop, one at a time: each is asked about, and runs once', async () => {
		const { sent: texts, asked } = await decide('approve', reviewed(inLoop('One', rows(3), offer)));
		expect([asked, texts.length]).toEqual([3, 3]);
	});
});
