/**
 * The node as a tool that n8n's AI Agent calls: the real agent, whose model is a stub that calls the
 * tool as often as it is told to. Agents that work through rows: test/nightly/agentRows.test.ts.
 */
import type { INode, INodeParameters } from 'n8n-workflow';
import { toolAnswers, useModel } from './agent/model';
import { agent, connectSms } from './agent/tools';
import { useHost } from './sharedHost';
import { onceBy } from '../../tools/shared/deduplication';
import { chain, node } from '../../tools/shared/workflows';

const hello = { To: '+55 11 91234-5678', Text: 'Hello Ana' };
const invitation = /again|retry|later|offline/i;

const host = useHost();
let calls: object[] = [];
const model = useModel(host, () => calls);
beforeEach(() => (calls = [hello]));

/** Lets an agent call the tool, and gives what it was told by each call. */
async function run(parameters: INodeParameters = {}, more: Partial<INode> = {}): Promise<string[]> {
	const order = node(
		'Order',
		'n8n-nodes-base.set',
		{ mode: 'raw', jsonOutput: '{ "orderId": 1042 }' },
		{ typeVersion: 3.4 },
	);
	const workflow = chain('Agent', order, agent('Say hello to Ana'));
	connectSms(workflow, model.openAi, host.credential, parameters, more);
	const { error } = await host.client.execute(workflow);
	expect(error).toBeUndefined();
	return toolAnswers(model);
}

it('is told what to correct about a wrong number', async () => {
	calls = [{ ...hello, To: 'Ana' }];
	const [said] = await run();
	expect(said).toContain(
		"'To' is not a phone number: 'Ana'. Enter one number, e.g. (11) 96123-4567.",
	);
	expect(host.sandbox.requests()).toEqual([]);
});

it.each<[string, Partial<INode>]>([
	['as it is', {}],
	['with Retry On Fail', { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 }],
	['with On Error: Continue', { onError: 'continueRegularOutput' }],
])(
	'%s, is told of a 502 that the message may have been sent, and how to find out',
	async (_, more) => {
		const body = '<h1>Bad Gateway</h1>upstream: ECONNRESET';
		host.sandbox.fault({ operation: 'sendSms', fault: { status: 502, body, accept: true } });
		const [said] = await run({}, more);
		expect(said).toContain('may have been sent');
		expect(said).toContain('treat it as sent until you know that it was not');
		expect(said).not.toMatch(invitation);
		expect(host.sandbox.requests()).toHaveLength(1);
	},
);

it.each([
	['the execution', '={{ $execution.id }}'],
	['an order of the workflow', "={{ $('Order').item.json.orderId }}-shipped"],
])('with %s as its key, sends one message, however often the model calls it', async (_, key) => {
	calls = [hello, hello];
	const said = await run({ options: onceBy(key) });
	expect(said).toHaveLength(2);
	expect(said[1]).toContain('"skipped":true');
	expect(said[1]).toMatch(/"deduplicationKey":"(\d+|1042-shipped)"/);
	expect(host.sandbox.requests()).toHaveLength(1);
});
