/** 'Do Not Contact Workflow': what the node makes of its answers. With n8n's own workflows: test/e2e/examples. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { deduplication } from '../harness';
import { jsonOf, numbers, sends, to, until, useGateway } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

const onError = 'continueRegularOutput';
const chosen = (value: unknown = 'w-1', cachedResultName = 'STOP list') =>
	({
		doNotContactWorkflow: { __rl: true, mode: 'list', value, cachedResultName },
	}) as INodeParameters;
const sentTo = () => gateway.sandbox.accepted().map(({ to: number }) => number);
const blocked = { skipped: true, reason: 'doNotContact' };

/** A workflow that blocks these numbers, and what it was asked. */
function blocking(...numbersToBlock: string[]) {
	const calls: IDataObject[][] = [];
	const subWorkflow = async (asked: IDataObject[]) => {
		calls.push(asked);
		return asked.map((item) => ({ ...item, allowed: !numbersToBlock.includes(String(item.to)) }));
	};
	return { calls, subWorkflow };
}

describe.each(sends)('%s', (id) => {
	it('sends to nobody who is blocked, and says so in the place of the item', async () => {
		const [one, other, third] = numbers(3).map((item) => item.to as string);
		const items = [{ to: `+${one}` }, { to: other! }, { to: third! }, { to: other! }];
		const { calls, subWorkflow } = blocking(other!);
		const run = await gateway.run(id, { items, options: chosen(), subWorkflow });
		expect(jsonOf(run)).toMatchObject([{ to: one }, blocked, { to: third }, blocked]);
		expect(jsonOf(run)[1]).toEqual(blocked);
		expect(sentTo().sort()).toEqual([one, third]);
		expect(calls[0]).toEqual([{ to: one }, { to: other }, { to: third }]);
	});
});

test('a thousand numbers are asked about in few calls', async () => {
	const items = numbers(1000);
	const { calls, subWorkflow } = blocking();
	let allowed = 0;
	const slow = async (asked: IDataObject[]) => {
		await until(() => sentTo().length === allowed); // a call takes longer than what it let through
		allowed += asked.length;
		return await subWorkflow(asked);
	};
	await gateway.run('sendSms', { items, options: chosen(), subWorkflow: slow });
	expect(sentTo()).toHaveLength(1000);
	expect(calls.length).toBeLessThan(60);
});

const [first, second] = numbers(2).map((item) => item.to as string) as [string, string];
test.each<[string, (asked: IDataObject[]) => Promise<IDataObject[]>, string]>([
	['fails', async () => await Promise.reject(new Error('No such table')), 'No such table'],
	['gives nothing', async () => [], `it returned no answer for ${first}`],
	[
		'leaves a number out',
		async () => [{ to: first, allowed: true }],
		`it returned no answer for ${second}`,
	],
	[
		'names another number',
		async () => [
			{ to: first, allowed: true },
			{ to: '1', allowed: true },
		],
		`it returned no answer for ${second}`,
	],
	...[undefined, null, 'true', 'yes', 1, {}].map(
		(allowed): [string, (asked: IDataObject[]) => Promise<IDataObject[]>, string] => [
			`gives ${JSON.stringify(allowed)} as 'allowed'`,
			async (asked) => asked.map((item) => ({ ...item, allowed }) as IDataObject),
			`as 'allowed' for ${first}`,
		],
	),
	[
		'contradicts itself',
		async (asked) => [true, false].flatMap((allowed) => asked.map(({ to }) => ({ to, allowed }))),
		`it returned different answers for ${first}`,
	],
])('where the workflow %s, nothing is sent', async (_, subWorkflow, reason) => {
	const items = [{ to: first }, { to: second }];
	const run = await gateway.run('sendSms', { items, options: chosen(), onError, subWorkflow });
	const error = {
		message: expect.stringMatching(/^The do-not-contact workflow 'STOP list' did not work: /),
		hint: expect.stringMatching(
			/^Nothing was sent, because it is not known whether this number may be contacted\. \S/,
		),
		outcome: 'refused',
	};
	expect(jsonOf(run)).toMatchObject([{ error }, { error }]);
	expect(JSON.stringify(jsonOf(run))).toContain(reason);
	expect(gateway.sandbox.requests()).toEqual([]);
});

test.each<[string, INodeParameters]>([
	['is empty', chosen('')],
	['comes from an expression that gives nothing', { doNotContactWorkflow: '={{ undefined }}' }],
	['has an expression inside that gives nothing', chosen('={{ $json.nothing }}')],
])('a workflow that %s lets nothing leave', async (_, options) => {
	const run = await gateway.run('sendSms', { options, subWorkflow: blocking().subWorkflow });
	expect(run.error?.message).toContain("'Do Not Contact Workflow' is empty");
	expect(gateway.sandbox.requests()).toEqual([]);
});

describe('with a Deduplication Key', () => {
	const options = { ...chosen(), deduplicationKey: 'order-1' };

	it('a message that was sent before is skipped as such, without a question', async () => {
		await gateway.run('sendSms', { options: { deduplicationKey: 'order-1' } });
		const { calls, subWorkflow } = blocking(to);
		const run = await gateway.run('sendSms', { options, subWorkflow });
		expect(jsonOf(run)).toMatchObject([{ skipped: true, deduplicationKey: 'order-1' }]);
		expect(calls).toEqual([]);
	});

	it('a number that is blocked leaves the key free', async () => {
		const run = await gateway.run('sendSms', { options, ...blocking(to) });
		expect(jsonOf(run)).toEqual([blocked]);
		await gateway.run('sendSms', { options, ...blocking() });
		expect(sentTo()).toEqual([to]);
		await gateway.run('sendSms', { options, ...blocking() });
		expect(sentTo()).toEqual([to]);
	});

	it('a workflow that fails leaves the key free', async () => {
		const subWorkflow = async () => [];
		const run = await gateway.run('sendSms', { options, onError, subWorkflow });
		expect(jsonOf(run)).toMatchObject([{ error: { outcome: 'refused' } }]);
		await gateway.run('sendSms', { options, ...blocking() });
		expect(sentTo()).toEqual([to]);
	});
});

test('a dry run asks, too', async () => {
	const items = [{ to: first }, { to: second }];
	const options = { ...chosen(), dryRun: true };
	const run = await gateway.run('sendSms', { items, options, ...blocking(second) });
	expect(jsonOf(run)).toMatchObject([{ verdict: 'send' }, { verdict: 'skip', ...blocked }]);
	expect(gateway.sandbox.requests()).toEqual([]);
});

test('an execution that is stopped while it asks sends nothing', async () => {
	let answer = () => {};
	const held = new Promise<void>((resolve) => (answer = resolve));
	let isAsked = false;
	const subWorkflow = async (asked: IDataObject[]) => {
		isAsked = true;
		await held;
		return asked.map((item) => ({ ...item, allowed: true }));
	};
	const execution = await gateway.start('sendSms', { options: chosen(), subWorkflow });
	await until(() => isAsked);
	execution.cancel();
	await execution.finished;
	answer();
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(gateway.sandbox.requests()).toEqual([]);
});
