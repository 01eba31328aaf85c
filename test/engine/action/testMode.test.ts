/** The credential's test mode: nobody but the account's owner gets a message. */
import type { IDataObject } from 'n8n-workflow';

import { deduplication } from '../harness';
import { jsonOf, numbers, operationIds, sends, to, useGateway } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

const testNumber = '+5511900009999';
const showOnly = { testMode: 'showOnly' };
const redirect = { testMode: 'redirect', testNumber };
const sentTo = () => gateway.sandbox.accepted().map(({ to: number }) => number);
const items = numbers(3);

const keyed = { deduplication: { values: { key: '={{ $json.to }}' } } };

describe.each(sends)('%s', (id) => {
	it('shows what it would send, and that it is a test', async () => {
		const run = await gateway.run(id, { items, credential: showOnly, options: keyed });
		expect(jsonOf(run)).toMatchObject(
			items.map((item) => ({ ...item, dryRun: true, testMode: true })),
		);
		expect(gateway.sandbox.requests()).toEqual([]);
		await gateway.run(id, { items, options: keyed });
		expect(sentTo().sort()).toEqual(items.map((item) => item.to)); // no key was used up
	});

	it('sends to the test number, says whom each message is for, and uses up no key', async () => {
		const run = await gateway.run(id, { items, credential: redirect, options: keyed });
		expect(jsonOf(run)).toMatchObject(
			items.map((item) => ({ to: testNumber, testMode: true, insteadOf: item.to })),
		);
		expect(sentTo()).toEqual(items.map(() => testNumber));
		gateway.sandbox.reset();
		expect(jsonOf(await gateway.run(id, { items, options: keyed }))).toMatchObject(items);
		expect(sentTo().sort()).toEqual(items.map((item) => item.to));
	});
});

// Workflows read numbers in this way, such as a form to enter who must not be contacted.
test('a dry run shows the real number', async () => {
	const options = { dryRun: true };
	const [shown] = jsonOf(await gateway.run('sendSms', { credential: redirect, options }));
	expect(shown).toMatchObject({ dryRun: true, testMode: true, to, country: 'BR' });
	expect(JSON.stringify(shown)).not.toContain(testNumber);
});

test.each(operationIds.filter((id) => !sends.some((send) => send === id)))(
	'%s reaches nobody, so it works as ever',
	async (id) => {
		await gateway.run(id);
		const requests = gateway.sandbox.requests().map(({ path }) => path);
		for (const credential of [showOnly, redirect]) {
			gateway.sandbox.reset();
			const run = await gateway.run(id, { credential });
			expect(run.error).toBeUndefined();
			expect(jsonOf(run)[0]).not.toHaveProperty('testMode');
			expect(gateway.sandbox.requests().map(({ path }) => path)).toEqual(requests);
		}
	},
);

test('a number that could not get the message is refused all the same', async () => {
	const wrong = [{ to: '12' }, { to }];
	const onError = 'continueRegularOutput' as const;
	const run = await gateway.run('sendSms', { items: wrong, credential: redirect, onError });
	expect(jsonOf(run)).toMatchObject([
		{ error: { outcome: 'refused', to: '12' } },
		{ to: testNumber, insteadOf: to },
	]);
	const only = { ...redirect, allowedCountries: 'PT' };
	const refused = await gateway.run('sendSms', { credential: only });
	expect(refused.error?.message).toContain("'To' is a number of Brazil");
});

test('whoever must not be contacted is asked about by the real number', async () => {
	const asked: IDataObject[] = [];
	const subWorkflow = async (questions: IDataObject[]) => {
		asked.push(...questions);
		return questions.map((question) => ({ ...question, allowed: question.to !== items[1]!.to }));
	};
	const credential = { ...redirect, doNotContactWorkflowId: 'w-1' };
	const run = await gateway.run('sendSms', { items, credential, subWorkflow });
	expect(asked.map(({ to: number, purpose }) => [number, purpose])).toEqual(
		items.map((item) => [item.to, 'test']),
	);
	expect(jsonOf(run)[1]).toMatchObject({ skipped: true, testMode: true, insteadOf: items[1]!.to });
	expect(sentTo()).toEqual([testNumber, testNumber]);
});

test('equal keys with different numbers are found as without it', async () => {
	const options = { deduplication: { values: { key: '={{ "same" }}' } } };
	const run = await gateway.run('sendSms', { items, credential: redirect, options });
	expect(run.error?.description).toContain('used for a message to another number');
	expect(gateway.sandbox.requests()).toEqual([]);
});

test("n8n's Retry without the test mode does not take a test for the message, or the message for a test", async () => {
	const list = items.slice(0, 2);
	for (const [first, then] of [
		[redirect, { testMode: 'off' }],
		[{ testMode: 'off' }, redirect],
	]) {
		gateway.sandbox.reset();
		gateway.sandbox.fault({ skip: 1, times: 1, fault: { status: 400 } });
		const oneByOne = { ...first, maxConcurrency: 1 };
		const failed = await gateway.run('sendSms', { items: list, credential: oneByOne });
		expect(failed.error?.message).toBeDefined();
		expect(sentTo()).toHaveLength(1);
		const retried = await gateway.retry(failed, 'sendSms', { credential: then });
		expect(retried.error?.message).toContain(
			'This item was, or may have been, sent before the retry, to another number',
		);
		expect(sentTo()).toHaveLength(2);
	}
});
