/**
 * The node as a tool that n8n's AI Agent calls: the real agent, whose model is a stub that calls the
 * tool as often as it is told to. Agents that work through rows: test/nightly/agentRows.test.ts.
 */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { toolAnswers, useModel } from './agent/model';
import { agent, connectSms, fromAi } from './agent/tools';
import { useHost } from './sharedHost';
import { onceBy } from '../../tools/shared/deduplication';
import { asJson, chain, items } from '../../tools/shared/workflows';

const hello = { To: '+55 11 91234-5678', Text: 'Hello Ana' };
const invitation = /again|retry|later|offline/i;

const host = useHost();
let calls: object[] = [];
const model = useModel(host, () => calls);
beforeEach(() => (calls = [hello]));

/** Lets an agent call the tool, and gives what it was told by each call. */
async function run(parameters: INodeParameters = {}, more: Partial<INode> = {}): Promise<string[]> {
	const order = asJson('Order', '{ "orderId": 1042 }');
	const workflow = chain('Agent', order, agent('Say hello to Ana'));
	connectSms(workflow, model.openAi, host.credential, parameters, more);
	const { error } = await host.client.execute(workflow);
	expect(error).toBeUndefined();
	return toolAnswers(model);
}

it.each<[string, Partial<INode>]>([
	['as it is', {}],
	['with Retry On Fail', { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 }],
	['with On Error: Continue', { onError: 'continueRegularOutput' }],
])('%s, is told of a 502 that it may have been sent, and how to find out', async (_, more) => {
	const body = '<h1>Bad Gateway</h1>upstream: ECONNRESET';
	host.sandbox.fault({ operation: 'sendSms', fault: { status: 502, body, accept: true } });
	const [said] = await run({}, more);
	expect(said).toContain('may have been sent');
	expect(said).toContain('treat it as sent until you know that it was not');
	expect(said).not.toMatch(invitation);
	expect(host.sandbox.requests()).toHaveLength(1);
});

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

describe('what the model adds to a call, though no field asks for it', () => {
	const [ana, stranger] = ['+5511912345678', '+5511900000666'];
	const row = { mobile: ana, oid: 7, item: 'shoes' };
	let other: Sandbox;
	beforeAll(async () => (other = await startSandbox()));
	afterAll(async () => await other.close());
	beforeEach(() => other.reset());

	/** Lets an agent work on rows, with a credential that differs so. @returns whom it texted at both services */
	async function runWith(
		rows: IDataObject[],
		{ credential = {}, parameters = {}, version = 3, ...more }: Given = {},
	) {
		const account = { ...host.sandbox.credential, ...credential };
		const workflow = chain('Rows', ...items(...rows), agent('Say hello', version));
		const reference = await host.client.createCredential(account);
		connectSms(workflow, model.openAi, reference, parameters, more);
		const { error } = await host.client.execute(workflow);
		expect(error).toBeUndefined();
		return [host.sandbox, other].map((sandbox) => sandbox.accepted().map(({ to }) => to));
	}
	interface Given extends Pick<Partial<INode>, 'onError'> {
		credential?: IDataObject;
		parameters?: INodeParameters;
		version?: number;
	}

	it.each([
		'$json.base',
		'$json.toolParameters?.base',
		'$input.item.json.base',
		'$input.first().json.base',
		'$input.all()[0].json.query?.base',
	])('does not choose the host that gets the API key: %s', async (base) => {
		const given = { base: other.url };
		calls = [{ ...hello, ...given, query: given, toolParameters: given }, hello];
		const baseUrl = `={{ ${base} ?? "${host.sandbox.url}" }}`;
		expect(await runWith([row], { credential: { baseUrl } })).toEqual([[ana, ana], []]);
	});

	it.each<[string, INodeParameters]>([
		['the person', { to: '={{ $json.phone || $json.mobile }}' }],
		['the person, who is in the row', { to: '={{ $json.mobile }}' }],
		['the person, by $input', { to: '={{ $input.item.json.phone || $json.mobile }}' }],
		['the key', { to: ana, options: onceBy('={{ $json.orderId || $json.oid }}') }],
	])('does not choose %s', async (_, parameters) => {
		const given = { ...hello, phone: stranger };
		const more = { Text: 'Good bye', mobile: stranger };
		calls = [{ ...given, orderId: 1 }, [{ ...given, ...more, orderId: 2 }]];
		const text = fromAi('Text', 'The SMS');
		const [sent] = await runWith([row], { parameters: { text, ...parameters } });
		expect(sent).toEqual(parameters.options ? [ana] : [ana, ana]);
	});

	it('is what $fromAI gives all the same', async () => {
		calls = [{ phone: stranger, mobile: stranger }];
		const parameters = {
			to: '={{ $json.mobile }}',
			text: "={{ $fromAI('phone') }} {{ $json.item }} {{ $('Items').item.json.oid }}",
		};
		await runWith([row], { parameters });
		expect(host.sandbox.accepted()).toMatchObject([{ to: ana, text: `${stranger} shoes 7` }]);
	});

	it.each([2.2, 3])(
		'an agent of version %d with rows of two accounts sends with neither, and says why',
		async (version) => {
			const baseUrl = '={{ $json.base }}';
			const rows = [host.sandbox.url, other.url].map((base) => ({ base }));
			const onError = 'continueRegularOutput'; // of version 2.2 for the agent to hear of it
			expect(await runWith(rows, { credential: { baseUrl }, version, onError })).toEqual([[], []]);
			expect(toolAnswers(model).join()).toContain("'Base URL' comes from your data");
		},
	);

	it.each([2.2, 3])(
		'an agent of version %d with several rows takes what is the same for all',
		async (version) => {
			const text = '={{ $workflow.name }} {{ $vars.none ?? "" }} {{ $now.year > 1 }}';
			const campaignIdParameter = '={{ $workflow.name && "campaignId" }}';
			const given = { credential: { campaignIdParameter }, parameters: { text }, version };
			expect(await runWith([row, row], given)).toEqual([[ana, ana], []]);
		},
	);
});
