/** Two questions of one execution: Stop and Retry between them, and n8n's timer of the first. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { outputOf, type CredentialReference, type HostClient } from '../../tools/host';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from './sharedHost';
import { answer, ask, linksTo, open, yesOrNo, type Page } from './wait/question';
import { chain, items, node } from '../../tools/shared/workflows';

let client: HostClient;
let sandbox: Sandbox;
let credential: CredentialReference;

beforeAll(async () => {
	({ client } = await sharedHost());
	sandbox = await startSandbox();
	credential = await client.createCredential(sandbox.credential);
});
afterAll(async () => await sandbox.close());

const seconds = (count: number) => ({
	limitWaitTime: {
		values: { limitType: 'afterTimeInterval', resumeAmount: count / 60, resumeUnit: 'minutes' },
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

it('stopped while the second is asked, and retried: it goes on without an answer', async () => {
	const to = '5511900100003';
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

it('the timer of a question that was answered does not end the next one', async () => {
	const to = '5511900100001';
	const limit = 12; // seconds
	const execution = await client.run(await client.createWorkflow(asksTwo(to, seconds(limit))));
	await client.untilItWaits(execution);
	const asked = Date.now();
	await sleep(3_000); // n8n has set its timer
	await firstOf(to);
	await client.untilItWaits(execution);
	expect(linksTo(sandbox, to)).toHaveLength(2);
	await sleep(asked + (limit + 3) * 1000 - Date.now());
	await client.untilItWaits(execution);
	expect(titleOf(await answer(linksTo(sandbox, to)[1]!, 'disapprove'))).toBe('Thank you');
	const ended = await client.waitForExecution(execution);
	expect(ended.error).toBeUndefined();
	expect(outputOf(ended, 'Second')[0]?.json).toMatchObject({ data: { approved: false } });
});
