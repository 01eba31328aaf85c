/** The do-not-contact workflow: how the node uses its answers. With n8n's own workflows: test/e2e/examples. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IDataObject } from 'n8n-workflow';

import { deduplication } from '../harness';
import { jsonOf, numbers, sends, to, until, useGateway } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

const onError = 'continueRegularOutput';
const [first, second] = numbers(2).map((item) => item.to) as [string, string];
const credential = { doNotContactWorkflowId: 'w-1', maxRetries: 0 };
/** Of a message to be sent once. */
const keyed = (key: string) => ({ deduplication: { values: { key } } });
const sentTo = () => gateway.sandbox.accepted().map(({ to: number }) => number);
const blocked = {
	...{ skipped: true, reason: 'doNotContact' },
	explanation: 'The do-not-contact workflow does not allow this message',
};

/** A workflow that blocks these numbers, and the calls it got. */
function blocking(...numbersToBlock: string[]) {
	const calls: IDataObject[][] = [];
	const subWorkflow = async (asked: IDataObject[]) => {
		calls.push(asked);
		return asked.map((item) => ({ ...item, allowed: !numbersToBlock.includes(String(item.to)) }));
	};
	return { calls, subWorkflow };
}

it.each(sends)('%s sends nothing to a blocked number, and says so in its place', async (id) => {
	const [one, other, third] = numbers(3).map((item) => item.to) as [string, string, string];
	const items = [one, other, third, other].map((number) => ({ to: number }));
	const { calls, subWorkflow } = blocking(other);
	const run = await gateway.run(id, { items, credential, subWorkflow });
	expect(jsonOf(run)).toMatchObject([{ to: one }, blocked, { to: third }, blocked]);
	expect(jsonOf(run)[1]).toEqual({ ...blocked, to: other });
	expect(sentTo().sort()).toEqual([one, third]);
	const message = {
		channel: id === 'sendSms' ? 'sms' : 'chatApp',
		workflow: { id: 'workflow-1', name: 'Engine Test' },
		node: 'Messaging Gateway',
		execution: expect.stringMatching(/^\d+$/) as string,
	};
	const segments = id === 'sendSms' ? 1 : undefined;
	expect(calls.flat()).toEqual(items.map((item) => ({ ...message, ...item, segments })));
});

/** One person's number, as lists, people, chat apps and services write it. */
const spellings = [
	...['+5571991234567', '005571991234567', '+55 71 99123-4567', '+55 (71) 99123-4567'],
	...['71 99123-4567', '(71) 99123-4567', '071 99123 4567', '5571991234567'],
	...['+55 71 9123-4567', '71991234567', '557191234567@c.us', '557191234567'],
];

it('a blocked number gets nothing in any spelling, kept or not', async () => {
	const items = spellings.map((number) => ({ to: number }));
	const account = { ...credential, defaultCountryCode: 'BR' };
	const action = { items, onError, credential: account, ...blocking('+5571991234567') } as const;
	const results = [];
	for (const options of [{}, { keepNumberAsEntered: true }])
		results.push(...jsonOf(await gateway.run('sendMedia', { ...action, options })));
	expect(results).toHaveLength(2 * spellings.length);
	const refused = results.filter(({ reason }) => reason !== 'doNotContact');
	expect(refused.map(({ error }) => (error as IDataObject).message)).toEqual([
		"'To' seems to lack its country code: '71991234567'",
	]);
	expect(gateway.sandbox.accepted()).toEqual([]);
});

test("n8n's Retry asks again about a number that was blocked", async () => {
	gateway.sandbox.fault({ to: second, times: 1, fault: { status: 400 } });
	const oneByOne = { ...credential, maxConcurrency: 1 };
	const items = [{ to: first }, { to: second }];
	const action = { credential: oneByOne, ...blocking(first) };
	const failed = await gateway.run('sendSms', { items, ...action });
	expect(failed.error?.description).toMatch(
		/^0 of 2 were sent, 1 failed \(\+\d+\), 1 was skipped\./,
	);
	await gateway.retry(failed, 'sendSms', { credential: oneByOne, ...blocking() });
	expect(sentTo()).toEqual([first, second]);
});

test('if the workflow leaves a number out, nothing is sent', async () => {
	const items = [{ to: first }, { to: second }];
	const subWorkflow = async () => [{ to: first, allowed: true }];
	const run = await gateway.run('sendSms', { items, credential, onError, subWorkflow });
	const error = {
		message: `The do-not-contact workflow 'w-1' did not work: it returned no answer for ${second}`,
		hint: expect.stringMatching(
			/\S\. Nothing was sent, because it is not known whether this number may be contacted\.$/,
		),
		outcome: 'refused',
	};
	expect(jsonOf(run)).toMatchObject([{ error }, { error }]);
	expect(gateway.sandbox.requests()).toEqual([]);
});

describe('the list', () => {
	it('is that of each item where the credential differs', async () => {
		const items = [...'aabb'].map((list, index) => ({ ...numbers(4)[index]!, list }));
		const byList: Record<string, unknown[]> = {};
		const subWorkflow = async (asked: IDataObject[], id = '') => {
			(byList[id] ??= []).push(...asked.map((item) => item.to));
			return asked.map((item) => ({ ...item, allowed: id === 'a' }));
		};
		const perItem = { doNotContactWorkflowId: '={{ $json.list }}' };
		const run = await gateway.run('sendSms', { items, credential: perItem, subWorkflow });
		const [one, two, three, four] = items.map((item) => item.to);
		expect(jsonOf(run)).toMatchObject([{ to: one }, { to: two }, blocked, blocked]);
		expect(byList).toEqual({ a: [one, two], b: [three, four] });
		expect(sentTo().sort()).toEqual([one, two]);
	});

	it('waits for no place of the account when it sends: those who wait for it may have all', async () => {
		const rules = { maxConcurrency: 1, timeout: 3_600_000 };
		gateway.sandbox.fault({ to: first, fault: { delayMs: 60_000 } });
		const holding = await gateway.start('sendSms', { items: [{ to: first }], rules });
		await until(() => gateway.sandbox.requests().length === 1);
		const own = { ...rules, doNotContactWorkflowId: 'workflow-1' };
		await gateway.run('sendSms', { rules: own });
		expect(sentTo()).toEqual([to]);
		holding.cancel();
		await holding.finished;
	});
});

describe('an answer that is old when the message leaves', () => {
	const { now } = performance;
	let ahead = 0;
	beforeEach(() => {
		ahead = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + ahead);
	});

	/** Lets the clock go on when the service gets its next request. */
	function whenAsked(seconds: number): void {
		const goOn = () => {
			unsubscribe('http.server.request.start', goOn);
			ahead += seconds * 1000;
		};
		subscribe('http.server.request.start', goOn);
	}

	/** Runs an item with a key that the service refuses for now, for so long. */
	async function refusedForNow(seconds: number, answers: (call: number) => IDataObject) {
		const calls: unknown[][] = [];
		const again: unknown[] = [];
		const subWorkflow = async (asked: IDataObject[]) => {
			calls.push(asked.map((item) => item.to));
			again.push(...asked.map((item) => item.again));
			return asked.map(({ to: number }) => ({ to: number!, ...answers(calls.length) }));
		};
		whenAsked(seconds);
		gateway.sandbox.fault({ times: 1, fault: { tooMany: true, retryAfter: 0 } });
		const retried = { ...credential, maxRetries: 3 };
		const action = { credential: retried, options: keyed('={{ $json.to }}') };
		const run = await gateway.run('sendSms', { ...action, subWorkflow, onError });
		return { out: jsonOf(run), calls, again };
	}

	it.each([
		['holds for half a minute', 20, [undefined]],
		['is asked for again, once', 31, [undefined, true]], // a limit counts the message once
	])('%s', async (_, seconds, expected) => {
		const { out, calls, again } = await refusedForNow(seconds, () => ({ allowed: true }));
		expect(out).toMatchObject([{ to }]);
		expect(calls).toEqual(expected.map(() => [to]));
		expect(again).toEqual(expected);
		expect(gateway.sandbox.timesAccepted({ to })).toBe(1);
	});

	it.each<[string, IDataObject, IDataObject]>([
		['has become no', { allowed: false }, blocked],
		['does not come', {}, { error: { outcome: 'refused' } }],
	])('that %s keeps the message, and leaves its key free', async (_, later, expected) => {
		const answers = (call: number) => (call === 1 ? { allowed: true } : later);
		const { out } = await refusedForNow(31, answers);
		expect(out).toMatchObject([expected]);
		expect(gateway.sandbox.requests()).toHaveLength(1);
		const options = keyed('={{ $json.to }}');
		expect(jsonOf(await gateway.run('sendSms', { options }))).toMatchObject([{ to }]);
		expect(sentTo()).toEqual([to]);
	});

	it('is asked for again by those that have all the places', async () => {
		const { calls, subWorkflow } = blocking();
		whenAsked(31);
		const oneByOne = { ...credential, maxConcurrency: 1 };
		await gateway.run('sendSms', { items: numbers(3), credential: oneByOne, subWorkflow });
		expect(sentTo()).toHaveLength(3);
		expect(calls.map((asked) => asked.length)).toEqual([3, 1, 1]);
	});
});

test('a dry run asks the workflow, too', async () => {
	const items = [{ to: first }, { to: second }];
	const options = { dryRun: true };
	const { calls, subWorkflow } = blocking(second);
	const run = await gateway.run('sendSms', { items, options, credential, subWorkflow });
	expect(jsonOf(run)).toMatchObject([{ wouldSend: true }, { wouldSend: false, ...blocked }]);
	expect(calls.flat().map(({ dryRun }) => dryRun)).toEqual([true, true]);
	expect(gateway.sandbox.requests()).toEqual([]);
});

test('an execution that is stopped while it asks the workflow sends nothing', async () => {
	let answer = () => {};
	const held = new Promise<void>((resolve) => (answer = resolve));
	let isAsked = false;
	const subWorkflow = async (asked: IDataObject[]) => {
		isAsked = true;
		await held;
		return asked.map((item) => ({ ...item, allowed: true }));
	};
	const execution = await gateway.start('sendSms', { credential, subWorkflow });
	await until(() => isAsked);
	execution.cancel();
	await execution.finished;
	answer();
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(gateway.sandbox.requests()).toEqual([]);
});
