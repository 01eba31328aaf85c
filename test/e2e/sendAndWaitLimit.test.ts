/**
 * What ends a wait besides an answer: the limit, n8n's timers, Stop and Retry. n8n goes on up to 75 s
 * after a limit, so all of this is started at once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import {
	outputOf,
	type CredentialReference,
	type FinishedExecution,
	type HostClient,
} from '../../host';
import { startSandbox, type Sandbox } from '../../sandbox';
import { sharedHost } from './sharedHost';
import { answer, ask, asking, cameOut, linksTo, open, yesOrNo, type Page } from './wait/question';
import { chain, items, node } from '../../testing/workflows';

let client: HostClient;
let sandbox: Sandbox;
let credential: CredentialReference;

beforeAll(async () => {
	({ client } = await sharedHost());
	sandbox = await startSandbox();
	credential = await client.createCredential(sandbox.credential);
	// What goes wrong is of interest to the test that waits for it.
	twoQuestions.start().catch(() => {});
	limit.start().catch(() => {});
});
afterAll(async () => await sandbox.close());

/** Something that takes long, and that a test waits for later. */
function inBackground<T>(work: () => Promise<T>) {
	let result: Promise<T> | undefined;
	const start = async () => {
		result ??= work();
		return await result;
	};
	return { start };
}

const minutes = (resumeAmount: number) => ({
	limitWaitTime: {
		values: { limitType: 'afterTimeInterval', resumeAmount, resumeUnit: 'minutes' },
	},
});
const titleOf = ({ html }: Page): string | undefined => /<title>([^<]*)</.exec(html)?.[1];

/** Two people are asked, one after the other; what the first has answered is taken out between. */
function asksTwo(to: string, firstOptions: INodeParameters = {}) {
	const onlyNumber = node(
		'Only the Number',
		'n8n-nodes-base.set',
		{ mode: 'raw', jsonOutput: JSON.stringify({ to }) },
		{ typeVersion: 3.4 },
	);
	return chain(
		'Two people',
		...items({ to }),
		{ ...ask(credential, { ...yesOrNo, options: firstOptions }), name: 'First' },
		onlyNumber,
		{ ...ask(credential, yesOrNo), name: 'Second' },
	);
}

const firstOf = async (to: string): Promise<string> => {
	const [link = ''] = linksTo(sandbox, to);
	expect(titleOf(await answer(link, 'approve'))).toBe('Thank you');
	return link;
};

const twoQuestions = inBackground(async () => {
	const to = '5511900000001';
	const began = Date.now();
	const at = async (seconds: number) => await sleep(began + seconds * 1000 - Date.now());
	const execution = await client.run(await client.createWorkflow(asksTwo(to, minutes(1.1))));
	await client.untilItWaits(execution);
	await at(62);
	await firstOf(to);
	await at(64);
	await client.untilItWaits(execution);
	expect(linksTo(sandbox, to)).toHaveLength(2);
	await at(80); // n8n's timer of the first question would have fired at 66 s
	await client.untilItWaits(execution);
	expect(titleOf(await answer(linksTo(sandbox, to)[1]!, 'disapprove'))).toBe('Thank you');
	return await client.waitForExecution(execution);
});

const limit = inBackground(async () => {
	const to = '5511900000002';
	const parameters = { ...yesOrNo, options: minutes(0.05) };
	const workflow = asking(credential, 'Limit', parameters, [{ to }]);
	const execution = await client.run(await client.createWorkflow(workflow));
	await client.untilItWaits(execution);
	const began = Date.now();
	const [link = ''] = linksTo(sandbox, to);
	const before = await answer(link, 'perhaps');
	await sleep(5_000);
	const after = await answer(link, 'approve');
	const ended = await client.waitForExecution(execution);
	return { ended, pages: [before, after, await answer(link, 'approve')], took: Date.now() - began };
});

it('stopped while the second is asked, and retried: it goes on without an answer', async () => {
	const to = '5511900000003';
	const execution = await client.run(await client.createWorkflow(asksTwo(to)));
	await client.untilItWaits(execution);
	const link = await firstOf(to);
	await client.untilItWaits(execution);
	await client.cancel(execution);
	const second = linksTo(sandbox, to)[1]!;
	for (const page of [await open(second), await answer(second, 'approve')]) {
		expect([page.status, page.html]).toEqual([409, expect.stringContaining('finished with error')]);
	}
	expect(titleOf(await answer(link, 'approve'))).not.toBe('Thank you');
	const ended = await client.waitForExecution(await client.retry(execution));
	expect(outputOf(ended, 'Second').map(({ json }) => json)).toEqual([{ to }]);
	expect(linksTo(sandbox, to)).toHaveLength(2);
});

it('an item that holds the first answer is not asked about', async () => {
	const to = '5511900000004';
	const workflow = asksTwo(to);
	const [parameters] = workflow.nodes.filter(({ name }) => name === 'Only the Number');
	parameters!.parameters.jsonOutput = `={{ JSON.stringify({ ...$json, to: '${to}' }) }}`;
	const execution = await client.run(await client.createWorkflow(workflow));
	await client.untilItWaits(execution);
	await firstOf(to);
	const ended = await client.waitForExecution(execution);
	expect(ended.error?.message).toBe("The item has 'data.respondedAt' before anybody has answered");
	expect(linksTo(sandbox, to)).toHaveLength(1);
});

it('the timer of a question that was answered does not end the next one', async () => {
	const ended: FinishedExecution = await twoQuestions.start();
	expect(ended.error).toBeUndefined();
	expect(outputOf(ended, 'Second')[0]?.json).toMatchObject({ data: { approved: false } });
});

it('after the limit no answer counts, and the item goes on as it came in', async () => {
	const { ended, pages, took } = await limit.start();
	const to = '5511900000002';
	expect(outputOf(ended, 'Gateway').map(({ json }) => json)).toEqual([{ to }]);
	expect(cameOut(sandbox, to)).toEqual([{ to }]);
	expect(pages.map((page) => [page.status, titleOf(page)])).toEqual([
		[422, expect.stringContaining('Please choose an answer.')],
		[410, 'This question has expired'],
		[200, 'No action required'],
	]);
	console.log(
		`A question of 3 s without an answer: n8n went on after ${Math.round(took / 1000)} s`,
	);
});
