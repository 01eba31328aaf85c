/** Questions by SMS in the real n8n: by hand and published, opened by machines, answered twice. */
import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import {
	fetchOnce,
	outputOf,
	type CredentialReference,
	type HostClient,
	type WorkflowJson,
} from '../../tools/host';
import { readExample, withNumbers } from '../../tools/host/examples';
import { until } from '../../tools/host/until';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from './sharedHost';
import { inParallel } from './trigger/inParallel';
import {
	answer,
	ask,
	asking,
	called,
	cameOut,
	linksTo,
	message,
	open,
	reply,
	yesOrNo,
	type Page,
} from './wait/question';
import { chain, items, node, startedByPost } from '../../tools/shared/workflows';

/** How many questions are answered twice at the same instant. */
const questions = process.env.THOROUGH ? 200 : 5;

let url: string;
let client: HostClient;
let sandbox: Sandbox;
let credential: CredentialReference;

beforeAll(async () => {
	({ client, url } = await sharedHost());
	sandbox = await startSandbox();
	credential = await client.createCredential(sandbox.credential);
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const to = '5511912345678';
const respondedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

/** Runs a workflow by hand as far as its question. */
async function run(workflow: Parameters<HostClient['createWorkflow']>[0]): Promise<string> {
	const execution = await client.run(await client.createWorkflow(workflow));
	await client.untilItWaits(execution);
	return execution;
}

const titleOf = ({ html }: Page): string | undefined => /<title>([^<]*)</.exec(html)?.[1];

it('by hand: machines that open the link decide nothing, a person does', async () => {
	const execution = await run(asking(credential, 'By hand', yesOrNo));
	const [link = '', ...others] = linksTo(sandbox, to);
	expect(others).toEqual([]);
	expect(link).toMatch(
		new RegExp(`^${url}/webhook-waiting/\\d+/[\\w-]+\\?ask=0&signature=[0-9a-f]{64}$`),
	);

	// Programs that look at links before a person does: n8n tells none of them from a person.
	for (const method of ['GET', 'HEAD', 'OPTIONS']) {
		const page = await open(link, { method, headers: { 'user-agent': 'WhatsApp/2.24.11.79 A' } });
		expect(page.status).toBe(method === 'OPTIONS' ? 204 : 200);
		if (method === 'GET') expect(page.html).toContain(`>${message}</p>`);
		if (method !== 'OPTIONS') expect(page.headers.get('x-robots-tag')).toContain('noindex');
	}
	for (const init of [
		{ method: 'PUT', body: new URLSearchParams({ answer: 'approve' }) },
		{ method: 'POST' },
		{ method: 'POST', body: new URLSearchParams({ answer: 'perhaps' }) },
		{ method: 'POST', body: multipart({ answer: 'approve' }) }, // which the page does not send
	]) {
		await open(link, init);
	}
	await client.untilItWaits(execution);
	expect(cameOut(sandbox, to)).toEqual([]);

	const done = await answer(link, 'disapprove');
	expect([done.status, titleOf(done)]).toEqual([200, 'Thank you']);
	const ended = await client.waitForExecution(execution);
	expect(ended).toMatchObject({ status: 'success', error: undefined });
	const data = { approved: false, respondedAt };
	expect(outputOf(ended, 'Gateway').map(({ json }) => json)).toEqual([
		{ data, sent: expect.objectContaining({ to, channel: 'sms', outcome: 'accepted' }) },
	]);
	expect(cameOut(sandbox, to)).toEqual([expect.objectContaining({ data })]);

	// The execution is over: n8n answers by itself.
	for (const late of [await open(link), await answer(link, 'approve')]) {
		expect([late.status, titleOf(late)]).toEqual([200, 'No action required']);
	}
	expect(cameOut(sandbox, to)).toHaveLength(1);
});

const multipart = (fields: Record<string, string>): FormData => {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.set(name, value);
	return form;
};

it('a forged link and one without a signature are refused by n8n', async () => {
	const execution = await run(asking(credential, 'Forged', yesOrNo));
	const [link = ''] = linksTo(sandbox, to);
	const other = (digit: string) => (digit === '0' ? '1' : '0');
	for (const forged of [
		link.replace(/.$/, other),
		link.replace(/&signature=.*/, ''),
		link.replace('ask=0', 'ask=1'),
		`${link}&approved=true`,
	]) {
		for (const page of [await open(forged), await answer(forged, 'approve')]) {
			expect(page.status).toBe(401);
		}
	}
	await client.untilItWaits(execution);
	expect(cameOut(sandbox, to)).toEqual([]);
	await client.cancel(execution);
});

it.each<[string, object, string, object]>([
	[
		'choice',
		{ choices: { values: [{ label: 'Morning' }, { label: '<b>Noon</b>' }] } },
		'1',
		{
			choice: '<b>Noon</b>',
		},
	],
	['freeText', {}, 'At noon.\r\nÀs 12h 👍', { text: 'At noon.\nÀs 12h 👍' }],
])('published: %s %j', async (responseType, parameters, value, expected) => {
	const path = randomUUID();
	const workflow = asking(credential, 'Published', { responseType, ...parameters });
	const id = await client.createWorkflow(startedByPost(path, 'onReceived', workflow));
	expect((await client.activate(id)).status).toBe('published');
	await fetchOnce(`${url}/webhook/${path}`, { method: 'POST' });
	await until('it has asked', () => linksTo(sandbox, to).length > 0);
	const [{ id: execution } = { id: '' }] = await client.executions(id);
	await client.untilItWaits(execution);
	expect(titleOf(await answer(linksTo(sandbox, to)[0]!, value))).toBe('Thank you');
	const ended = await client.waitForExecution(execution);
	expect(ended).toMatchObject({ status: 'success', mode: 'webhook' });
	expect(cameOut(sandbox, to)).toMatchObject([{ data: { ...expected, respondedAt } }]);
	await client.deactivate(id);
});

it(`${questions} questions, each answered twice at the same instant, go on once each`, async () => {
	const path = randomUUID();
	const number = '={{ $("Webhook").item.json.body.to }}';
	const workflow = startedByPost(
		path,
		'onReceived',
		chain(
			'Twice',
			ask(credential, { to: '={{ $json.body.to }}', ...yesOrNo }),
			reply(credential, number),
		),
	);
	const id = await client.createWorkflow(workflow);
	expect((await client.activate(id)).status).toBe('published');
	const numbers = Array.from({ length: questions }, (_, index) => String(5511900100000 + index));
	await inParallel(5, numbers, async (each) => {
		const headers = { 'content-type': 'application/json' };
		const body = JSON.stringify({ to: each });
		await fetchOnce(`${url}/webhook/${path}`, { method: 'POST', headers, body });
	});
	const areAll = async (status: string) => {
		const executions = await client.executions(id);
		return executions.length === questions && executions.every((each) => each.status === status);
	};
	await until('all wait', async () => await areAll('waiting'), { limit: 300_000, interval: 500 });

	const answers = await inParallel(5, numbers, async (each) => {
		const [link = ''] = linksTo(sandbox, each);
		const values = ['approve', 'disapprove'];
		return await Promise.all(values.map(async (value) => await answer(link, value)));
	});
	await until('all have ended', async () => await areAll('success'), {
		limit: 300_000,
		interval: 500,
	});
	for (const [index, each] of numbers.entries()) {
		const [approved, disapproved] = answers[index]!.map((page) => titleOf(page) === 'Thank you');
		expect([approved, disapproved].filter(Boolean)).toHaveLength(1);
		expect(linksTo(sandbox, each)).toHaveLength(1);
		expect(cameOut(sandbox, each)).toMatchObject([{ data: { approved } }]);
	}
	const others = answers.flat().filter((page) => titleOf(page) !== 'Thank you');
	const kinds = others.map((page) => `${page.status} ${titleOf(page) ?? page.type}`);
	console.log(
		`${questions} questions answered twice: ${questions} went on once; the other answers got ${JSON.stringify(count(kinds))}`,
	);
	await client.deactivate(id);
});

const count = (kinds: string[]): Record<string, number> =>
	Object.fromEntries(
		[...new Set(kinds)].map((kind) => [kind, kinds.filter((each) => each === kind).length]),
	);

const exampleOf = (name: string): WorkflowJson => withNumbers(readExample(name));

const people = [{ to: '5511900100001' }, { to: '5511900100002' }];

it('in a sub-workflow for each item: all at once', async () => {
	const sub = chain(
		'Ask one',
		ask(credential, yesOrNo),
		reply(credential, '={{ $("Start").item.json.to }}'),
	);
	Object.assign(sub.nodes[0]!, called());
	const id = await client.createWorkflow(sub);
	expect((await client.activate(id)).status).toBe('published');
	const call = node(
		'Call',
		'n8n-nodes-base.executeWorkflow',
		{
			workflowId: { __rl: true, mode: 'id', value: id },
			mode: 'each',
			options: { waitForSubWorkflow: false },
		},
		{ typeVersion: 1.2 },
	);
	const ended = await client.execute(chain('Ask all', ...items(...people), call));
	expect(ended.error).toBeUndefined();
	const isAsked = ({ to }: { to: string }) => linksTo(sandbox, to).length === 1;
	await until('both are asked', () => people.every(isAsked));
	const executions = await client.executions(id);
	await Promise.all(executions.map(async (each) => await client.untilItWaits(each.id)));
	for (const [index, { to }] of people.entries()) {
		const page = await answer(linksTo(sandbox, to)[0]!, ['approve', 'disapprove'][index]!);
		expect(titleOf(page)).toBe('Thank you');
	}
	await until('both have come out', () =>
		people.every(({ to }) => cameOut(sandbox, to).length > 0),
	);
	expect(people.map(({ to }) => cameOut(sandbox, to))).toMatchObject([
		[{ data: { approved: true } }],
		[{ data: { approved: false } }],
	]);
	await client.deactivate(id);
});

it('the example tells an approval, a refusal and no answer apart', async () => {
	const example = exampleOf('approval-by-sms');
	const limit = { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' };
	const orderId = '4711';
	const ends = {
		approve: ['Release Order', { orderId, decision: 'approved', decidedAt: respondedAt }],
		disapprove: ['Cancel Order', { orderId, decision: 'declined', decidedAt: respondedAt }],
		nothing: ['Call Manager', { channel: 'sms', to: '5531988887777' }],
	} as const;
	for (const [value, [end, output]] of Object.entries(ends)) {
		sandbox.reset();
		const workflow = structuredClone(example);
		const question = workflow.nodes.find(({ name }) => name === 'Ask Manager')!;
		for (const node of workflow.nodes.filter(({ type }) => type === question.type)) {
			node.credentials = { messagingGatewayApi: credential };
		}
		if (value === 'nothing') {
			(question.parameters.options as IDataObject).limitWaitTime = { values: limit };
		}
		const execution = await run(workflow);
		const [{ text } = { text: '' }] = sandbox.accepted({ to: '5511912345678' });
		expect(text).toContain('Order 4711 costs 1,250.00. May we send it?\n');
		if (value !== 'nothing') await answer(linksTo(sandbox, to)[0]!, value);
		const ended = await client.waitForExecution(execution);
		expect(ended).toMatchObject({ status: 'success', error: undefined });
		const reached = Object.values(ends).filter(([name]) => outputOf(ended, name).length > 0);
		expect(reached.map(([name]) => name)).toEqual([end]);
		expect(outputOf(ended, end)[0]?.json).toMatchObject(output);
		expect(sandbox.accepted().map(({ to: number }) => number)).toEqual(
			{ approve: [to, '5521998765432'], disapprove: [to], nothing: [to, '5531988887777'] }[value],
		);
	}
});

it.each([
	[['approve', 'approve'], 'Release Order'],
	[['approve', 'disapprove'], 'Keep Order Back'],
	[['disapprove'], 'Keep Order Back'],
])('the example of two people: %j ends in %s', async (answers, end) => {
	const workflow = structuredClone(exampleOf('two-people-approve'));
	for (const each of workflow.nodes.filter(({ type }) => type.endsWith('.messagingGateway'))) {
		each.credentials = { messagingGatewayApi: credential };
	}
	const execution = await run(workflow);
	const asked = [to, '5531988887777'];
	for (const [index, value] of answers.entries()) {
		await until('the next is asked', () => linksTo(sandbox, asked[index]!).length === 1);
		await client.untilItWaits(execution);
		expect(titleOf(await answer(linksTo(sandbox, asked[index]!)[0]!, value))).toBe('Thank you');
	}
	const ended = await client.waitForExecution(execution);
	expect(ended).toMatchObject({ status: 'success', error: undefined });
	const ends = ['Release Order', 'Keep Order Back'];
	expect(ends.filter((name) => outputOf(ended, name).length > 0)).toEqual([end]);
	expect(sandbox.accepted()).toHaveLength(answers.length);
});
