/**
 * Questions by SMS in the real n8n: opened by machines, forged, answered twice, several of one workflow.
 * With each kind of answer: sendAndWaitPage.test.ts.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { outputOf, postJson } from '../../tools/host';
import { until } from '../../tools/host/until';
import { asJson, chain, items, startedByPost } from '../../tools/shared/workflows';
import { useHost } from './sharedHost';
import { call, called, inLoop, numbered } from './support/workflows';
import { inParallel } from './trigger/inParallel';
import {
	answer,
	ask,
	asking,
	cameOut,
	linksTo,
	message,
	open,
	reply,
	untilAnswered,
	waitAtMost,
	yesOrNo,
} from './wait/question';

/** How many questions are answered twice at the same instant. */
const questions = process.env.THOROUGH ? 200 : 5;

const host = useHost();
const to = '+5511912345678';

/** Runs a workflow by hand as far as its question. */
async function run(workflow: Parameters<typeof host.client.begin>[0]): Promise<string> {
	const execution = await host.client.begin(workflow);
	await host.client.untilItWaits(execution);
	return execution;
}

it('by hand: machines that open the link decide nothing, a person does', async () => {
	const { client, sandbox, url } = host;
	const execution = await run(asking(host.credential, 'By hand', yesOrNo));
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
	const multipart = new FormData(); // which the page does not send
	multipart.set('answer', 'approve');
	for (const init of [
		{ method: 'PUT', body: new URLSearchParams({ answer: 'approve' }) },
		{ method: 'POST' },
		{ method: 'POST', body: new URLSearchParams({ answer: 'perhaps' }) },
		{ method: 'POST', body: multipart },
	]) {
		await open(link, init);
	}
	await client.untilItWaits(execution);
	expect(cameOut(sandbox, to)).toEqual([]);

	const done = await answer(link, 'disapprove');
	expect([done.status, done.title]).toEqual([200, expect.stringContaining('Answer recorded')]);
	const ended = await untilAnswered(client, execution);
	expect(ended).toMatchObject({ status: 'success', error: undefined });
	const respondedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
	const data = { approved: false, respondedAt };
	expect(outputOf(ended, 'Gateway').map(({ json }) => json)).toEqual([
		{ data, sent: expect.objectContaining({ to, channel: 'sms', outcome: 'accepted' }) },
	]);
	expect(cameOut(sandbox, to)).toEqual([expect.objectContaining({ data })]);

	// The execution is over: n8n answers by itself.
	for (const late of [await open(link), await answer(link, 'approve')]) {
		expect(String(late.title)).not.toContain('Answer recorded');
	}
	expect(cameOut(sandbox, to)).toHaveLength(1);
});

it('a forged link and one without a signature are refused by n8n', async () => {
	const execution = await run(asking(host.credential, 'Forged', yesOrNo));
	const [link = ''] = linksTo(host.sandbox, to);
	for (const forged of [
		link.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
		link.replace(/&signature=.*/, ''),
		link.replace('ask=0', 'ask=1'),
		`${link}&approved=true`,
	]) {
		for (const page of [await open(forged), await answer(forged, 'approve')]) {
			expect(page.status).toBe(401);
		}
	}
	await host.client.untilItWaits(execution);
	expect(cameOut(host.sandbox, to)).toEqual([]);
	await host.client.cancel(execution);
});

it(`${questions} questions, each answered twice at the same instant, go on once each`, async () => {
	const { client, sandbox, credential, url } = host;
	const path = randomUUID();
	const question = ask(credential, { to: '={{ $json.body.to }}', ...yesOrNo });
	const after = reply(credential, '={{ $("Webhook").item.json.body.to }}');
	const id = await client.publish(
		startedByPost(path, 'onReceived', chain('Twice', question, after)),
	);
	const numbers = numbered(questions).map((row) => row.to);
	await inParallel(
		5,
		numbers,
		async (each) => await postJson(`${url}/webhook/${path}`, { to: each }),
	);
	const areAll = async (status: string) =>
		await until(`all are ${status}`, async () => {
			const executions = await client.executions(id);
			return executions.length === questions && executions.every((each) => each.status === status);
		});
	await areAll('waiting');

	const answers = await inParallel(5, numbers, async (each) => {
		const [link = ''] = linksTo(sandbox, each);
		const values = ['approve', 'disapprove'];
		return await Promise.all(values.map(async (value) => await answer(link, value)));
	});
	await areAll('success');
	for (const [index, each] of numbers.entries()) {
		const [approved, disapproved] = answers[index]!.map(({ title }) =>
			Boolean(title?.startsWith('Answer recorded')),
		);
		expect([approved, disapproved].filter(Boolean)).toHaveLength(1);
		expect(linksTo(sandbox, each)).toHaveLength(1);
		expect(cameOut(sandbox, each)).toMatchObject([{ data: { approved } }]);
	}
	await client.deactivate(id);
});

it('in a sub-workflow that a loop calls: all at once', async () => {
	const { client, sandbox, credential } = host;
	const people = numbered(2);
	const after = reply(credential, '={{ $("Start").item.json.to }}');
	const id = await client.publish(called(chain('Ask one', ask(credential, yesOrNo), after)));
	const each = call(id, { options: { waitForSubWorkflow: false } });
	const ended = await client.execute(inLoop('Ask all', items(...people), each));
	expect(ended.error).toBeUndefined();
	await until('both are asked', () => people.every((one) => linksTo(sandbox, one.to).length === 1));
	for (const execution of await client.executions(id)) await client.untilItWaits(execution.id);
	for (const [index, one] of people.entries()) {
		const page = await answer(linksTo(sandbox, one.to)[0]!, ['approve', 'disapprove'][index]!);
		expect(page.title).toContain('Answer recorded');
	}
	const out = () => people.flatMap((one) => cameOut(sandbox, one.to));
	await until('both have come out', () => out().length > 1);
	expect(out()).toMatchObject([{ data: { approved: true } }, { data: { approved: false } }]);
	await client.deactivate(id);
});

it('after the limit, the item goes on as it came in', async () => {
	const parameters = { ...yesOrNo, options: waitAtMost(1) };
	await host.client.execute(asking(host.credential, 'In vain', parameters));
	expect(cameOut(host.sandbox, to)).toEqual([{ to }]);
	const [link = ''] = linksTo(host.sandbox, to);
	expect(String((await answer(link, 'approve')).title)).not.toContain('Answer recorded');
});

describe('two questions of one execution', () => {
	/** Runs it until the second person is asked; what the first has answered is taken out between. */
	async function askTwo(options: INodeParameters = {}) {
		const { client, sandbox, credential } = host;
		const workflow = chain(
			'Two people',
			...items({ to }),
			{ ...ask(credential, { ...yesOrNo, options }), name: 'First' },
			asJson('Only the Number', JSON.stringify({ to })),
			{ ...ask(credential, yesOrNo), name: 'Second' },
		);
		const execution = await run(workflow);
		const asked = Date.now();
		if (options.limitWaitTime) await sleep(3_000); // n8n has set its timer
		expect((await answer(linksTo(sandbox, to)[0]!, 'approve')).title).toContain('Answer recorded');
		await client.untilItWaits(execution);
		const [first = '', second = '', ...more] = linksTo(sandbox, to);
		expect(more).toEqual([]);
		return { execution, asked, first, second };
	}

	it('stopped while the second is asked, and retried: it goes on without an answer', async () => {
		const { execution, first, second } = await askTwo();
		await host.client.cancel(execution);
		for (const page of [await open(second), await answer(second, 'approve')]) {
			expect(page.status).toBe(409);
			expect(page.html).toContain('finished with error');
		}
		expect(String((await answer(first, 'approve')).title)).not.toContain('Answer recorded');
		const ended = await host.client.waitForExecution(await host.client.retry(execution));
		expect(outputOf(ended, 'Second').map(({ json }) => json)).toEqual([{ to }]);
		expect(linksTo(host.sandbox, to)).toHaveLength(2);
	});

	it('the timer of one that was answered does not end the next one', async () => {
		const limit = 12; // seconds
		const { execution, asked, second } = await askTwo(waitAtMost(limit));
		await sleep(asked + (limit + 3) * 1000 - Date.now());
		await host.client.untilItWaits(execution);
		expect((await answer(second, 'disapprove')).title).toContain('Answer recorded');
		const ended = await host.client.waitForExecution(execution);
		expect(ended.error).toBeUndefined();
		expect(outputOf(ended, 'Second')[0]?.json).toMatchObject({ data: { approved: false } });
	});
});
