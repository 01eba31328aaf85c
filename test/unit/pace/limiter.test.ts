import { inProcess } from '../../../nodes/n8n/processState';
import { Limiter } from '../../../nodes/pace/limiter';
import { Abort } from '../../../nodes/pace/abort';
import { refusedForNow, unknown, type Outcome } from '../../../nodes/service/outcome';
import { makeAll, makeOne } from './attempts';

beforeEach(() => jest.useFakeTimers());

const accepted: Outcome = { kind: 'accepted', body: {} };
const usual = { idempotent: false, maxRetries: 3 };
/** Of a run that nobody stops. */
const turn = { abort: new Abort() };

const tooMany = (retryAfterMs?: number) => refusedForNow({ kind: 'tooManyRequests' }, retryAfterMs);

const wait = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** Makes requests at once, all accepted. Gives when they started, in ms. */
function make(limiter: Limiter, count: number, maxPerSecond?: number, abort = new Abort()) {
	const { started, attempt } = startTimes();
	for (let index = 0; index < count; index++)
		void makeOne(limiter, attempt(accepted), { abort, maxPerSecond });
	return started;
}

/** Attempts that end at once, and when they started, in ms. */
function startTimes() {
	const begin = Date.now();
	const started: number[] = [];
	const attempt = (outcome: Outcome) => async () => (started.push(Date.now() - begin), outcome);
	return { started, attempt };
}

/** Makes requests that are refused together, with these pauses. */
async function beRefused(...pausesMs: number[]): Promise<void> {
	const refuse = (ms: number) => async () => (await wait(1), tooMany(ms));
	const refused = Promise.all(pausesMs.map((ms) => makeOne(limiter, refuse(ms), turn)));
	await jest.advanceTimersByTimeAsync(1);
	await refused;
}

let limiter: Limiter;
beforeEach(() => (limiter = new Limiter()));

test.each<[string, number, number[]]>([
	['no limit', Infinity, [0, 0, 0, 0]],
	['ten a second', 10, [0, 100, 200, 300]],
	['one in two seconds', 0.5, [0, 2_000, 4_000, 6_000]],
])('%s', async (_, most, expected) => {
	const started = make(limiter, 4, most);
	await jest.runAllTimersAsync();
	expect(started).toEqual(expected);
});

test('a clock that is set back holds nobody up', async () => {
	make(limiter, 1, 10);
	await jest.runAllTimersAsync();
	jest.setSystemTime(Date.now() - 3 * 60 * 60_000);
	make(limiter, 1);
	const started = make(limiter, 2, 10);
	await jest.advanceTimersByTimeAsync(300);
	expect(started).toHaveLength(2);
});

test('a pause saves nothing up', async () => {
	make(limiter, 2, 10);
	await jest.advanceTimersByTimeAsync(1_000);
	const started = make(limiter, 2, 10);
	await jest.runAllTimersAsync();
	expect(started).toEqual([0, 100]);
});

test('an abort ends the waits; nothing starts after it', async () => {
	const abort = new Abort();
	const attempt = jest.fn(async () => accepted);
	const run = async () => await makeOne(limiter, attempt, { abort, maxPerSecond: 1 });
	const runs = Promise.all([run(), run(), run()]);
	await jest.advanceTimersByTimeAsync(500);
	abort.stop();
	expect(await runs).toEqual([accepted, undefined, undefined]);
	expect(await run()).toBeUndefined();
	expect(attempt).toHaveBeenCalledTimes(1);
	expect(jest.getTimerCount()).toBe(0);
});

test('the longest pause that the service asks of a request applies to all', async () => {
	await beRefused(5_000, 100);
	const started = [make(limiter, 3), make(limiter, 1, 100)];
	await jest.runAllTimersAsync();
	expect(Math.min(...started.flat())).toBe(5_000);
	expect(started.flat()).toHaveLength(4);
});

test('nobody overtakes one who waits, not even when its time has come', async () => {
	await makeOne(limiter, async () => tooMany(5_000), turn);
	const order: string[] = [];
	const run = async (name: string) =>
		await makeOne(limiter, async () => (order.push(name), accepted), turn);
	setTimeout(() => void run('late'), 5_000); // before the timer of who waits
	void run('first');
	await jest.runAllTimersAsync();
	expect(order).toEqual(['first', 'late']);
});

test('one that is stopped while it waits for a place makes no attempt', async () => {
	const maxConcurrent = 1;
	const slow = async () => (await wait(500), accepted);
	const first = makeOne(limiter, slow, { ...turn, maxConcurrent });
	const abort = new Abort();
	const attempt = jest.fn(async () => accepted);
	const second = makeOne(limiter, attempt, { abort, maxConcurrent });
	await jest.advanceTimersByTimeAsync(100);
	abort.stop();
	expect(await second).toBeUndefined();
	await jest.runAllTimersAsync();
	expect(await first).toBe(accepted);
	expect(attempt).not.toHaveBeenCalled();
});

describe('of several runs', () => {
	test('requests share the maximum that all have', async () => {
		const started = [make(limiter, 1, 5), make(limiter, 1, 5), make(limiter, 2, 5)];
		await jest.runAllTimersAsync();
		expect(started).toEqual([[0], [200], [400, 600]]);
	});

	test('one that is stopped ends its waits at once, and the others go on without gaps', async () => {
		const abort = new Abort();
		const stopped = make(limiter, 50, 1, abort);
		const other = make(limiter, 2, 1);
		await jest.advanceTimersByTimeAsync(1_500);
		abort.stop();
		await jest.runAllTimersAsync();
		expect({ stopped, other }).toEqual({ stopped: [0, 1_000], other: [2_000, 3_000] });
	});

	test('one that is stopped while another is at the head does not wait for it', async () => {
		make(limiter, 2, 0.001);
		const abort = new Abort();
		const attempt = jest.fn(async () => accepted);
		const run = makeOne(limiter, attempt, { abort, maxPerSecond: 0.001 });
		await jest.advanceTimersByTimeAsync(10);
		abort.stop();
		expect(await run).toBeUndefined();
		await jest.runAllTimersAsync();
		expect(attempt).not.toHaveBeenCalled();
	});
});

describe('a pause of more than a minute', () => {
	const hour = 3_600_000;

	test('lets nothing start until a minute before its end, and knows what is left', async () => {
		await makeOne(limiter, async () => tooMany(hour), turn);
		await jest.advanceTimersByTimeAsync(hour / 2);
		const attempt = jest.fn(async () => accepted);
		expect(await makeOne(limiter, attempt, turn)).toBeUndefined();
		expect(limiter.activeRefusal()).toMatchObject({ kind: 'refused', retryAfterMs: hour / 2 });
		await jest.advanceTimersByTimeAsync(hour / 2 - 60_000);
		const begin = Date.now();
		const run = makeOne(limiter, attempt, turn);
		await jest.runAllTimersAsync();
		expect(await run).toBe(accepted);
		expect(Date.now() - begin).toBe(60_000);
	});

	test.each([
		['is not ended by a shorter one', [hour, 61_000], hour],
		['is believed for a day', [1_000 * hour], 24 * hour],
	])('%s', async (_, asked, believed) => {
		await beRefused(...asked);
		expect(limiter.activeRefusal()?.retryAfterMs).toBe(believed);
	});
});

describe('an account has one limiter for each family of paths', () => {
	const [a, b] = ['https://a.example/', 'https://b.example/'];
	const sms = '/v1/sms/enviar';
	let first: Limiter;
	beforeEach(() => {
		inProcess.clear();
		first = Limiter.of({ baseUrl: new URL(a), apiKey: 'key' }, sms);
	});

	test.each([
		['whoever asks', a, 'key', sms, true],
		['for all paths of SMS', a, 'key', '/v1/sms/campaign/messages', true],
		['none with the chat app', a, 'key', '/v2/chatapp/message/sendMedia', false],
		['none with keys', a, 'key', '/v1/apikeys/1', false],
		['none with the webhook', a, 'key', '/webhook/', false],
		['none with another service', b, 'key', sms, false],
		['none with another account', a, 'other', sms, false],
	])('%s', (_, baseUrl, apiKey, path, isSame) => {
		expect(Limiter.of({ baseUrl: new URL(baseUrl), apiKey }, path) === first).toBe(isSame);
	});
});

test('what is refused for another reason changes no rate', async () => {
	const begin = Date.now();
	await makeOne(limiter, async () => refusedForNow({ kind: 'rejected' }, 9_000), turn);
	await makeOne(limiter, async () => refusedForNow({ kind: 'neverLeft' }), turn);
	await makeOne(limiter, async () => accepted, turn);
	expect(Date.now()).toBe(begin);
});

/** The turn of a message to this number. */
const to = (recipient: string) => ({ ...turn, recipient });

test('a number that is refused waits as it is asked to, and nobody else does', async () => {
	const { started, attempt } = startTimes();
	await makeOne(limiter, attempt(tooMany(5_000)), to('refused'));
	const again = makeOne(limiter, attempt(accepted), to('refused'));
	await makeOne(limiter, attempt(accepted), to('other'));
	await jest.runAllTimersAsync();
	await again;
	await makeOne(limiter, attempt(accepted), to('refused'));
	expect(started).toEqual([0, 0, 5_000, 5_000]);
});

test('a number that is refused for more than a minute gets no attempt, and others do', async () => {
	const hour = 3_600_000;
	const attempt = jest.fn(async () => tooMany(hour));
	await makeOne(limiter, attempt, to('refused'));
	expect(await makeOne(limiter, attempt, to('refused'))).toBeUndefined();
	expect(attempt).toHaveBeenCalledTimes(1);
	expect(limiter.activeRefusal('refused')).toMatchObject({ retryAfterMs: hour });
	expect(await makeOne(limiter, async () => accepted, to('other'))).toBe(accepted);
});

test('several numbers that are refused, with nobody accepted between, hold up all', async () => {
	const { started, attempt } = startTimes();
	for (const recipient of ['a', 'b', 'c', 'd'])
		await makeOne(limiter, attempt(tooMany(30_000)), to(recipient));
	const run = makeOne(limiter, attempt(accepted), to('e'));
	await jest.runAllTimersAsync();
	await run;
	expect(started).toEqual([0, 0, 0, 0, 30_000]);
});

test('a message that others wait with ends after minutes, not never', async () => {
	const begin = Date.now();
	let tries = 0;
	const outcome = makeAll(
		async () => {
			tries++;
			await makeOne(limiter, async () => tooMany(), to(`${tries}`));
			await makeOne(limiter, async () => accepted, to('other'));
			return tooMany();
		},
		{ ...usual, ...to('one'), limiter },
	);
	await jest.runAllTimersAsync();
	expect(await outcome).toMatchObject({ kind: 'refused' });
	expect(tries).toBeGreaterThan(8);
	expect((Date.now() - begin) / 60_000).toBeGreaterThan(5);
	expect((Date.now() - begin) / 60_000).toBeLessThan(10);
});

describe('the rate', () => {
	/** Makes requests one after the other, each answered at once. Gives when they started, in ms. */
	async function make(...outcomes: Outcome[]): Promise<number[]> {
		const { started, attempt } = startTimes();
		for (const outcome of outcomes) {
			const run = makeOne(limiter, attempt(outcome), turn);
			await jest.runAllTimersAsync();
			await run;
		}
		return started;
	}

	const times = (count: number) => Array<Outcome>(count).fill(accepted);

	const gapsOf = (started: number[]) => started.slice(1).map((at, index) => at - started[index]!);

	test.each([
		['without a pause that is asked for, ten gaps', undefined, 495],
		['the pause that is asked for', 3_000, 3_000],
	])('where everybody is refused, there is %s', async (_, askedMs, pauseMs) => {
		const started = await make(tooMany(askedMs), ...times(3));
		expect(gapsOf(started)).toEqual([pauseMs, 50, 49]);
	});

	test('the gap grows once for requests that were under way together', async () => {
		await beRefused(0, 0, 0);
		expect(gapsOf(await make(...times(2)))).toEqual([50]);
	});

	test('the gap grows by half with each refusal after another, up to a second', async () => {
		const gaps = gapsOf(await make(...Array<Outcome>(14).fill(tooMany(0)), accepted));
		expect(gaps.slice(0, 5)).toEqual([0, 50, 75, 112, 168]);
		expect(gaps.at(-1)).toBe(1_000);
	});

	test('the gap shrinks a little with each accepted request, until there is none', async () => {
		const gaps = gapsOf(await make(tooMany(0), ...times(200)));
		expect(gaps.slice(1)).toEqual([...gaps.slice(1)].sort((one, other) => other - one));
		expect(gaps.slice(1, 4)).toEqual([50, 49, 48]);
		expect(gaps.at(-1)).toBe(0);
	});

	test('the first gap is by half longer than that of the requests so far, where those were many', async () => {
		for (let request = 0; request < 20; request++) {
			await make(accepted);
			await jest.advanceTimersByTimeAsync(10);
		}
		const gaps = gapsOf(await make(tooMany(0), ...times(2)));
		expect(gaps[1]).toBe(15);
	});

	test('is not lowered by what is in doubt', async () => {
		const doubts = (['tooManyRequests', 'unavailable'] as const).map((kind) => unknown({ kind }));
		expect(await make(...doubts, accepted)).toEqual([0, 0, 0]);
	});

	test.each<[string, recipientOf: (index: number) => string, between: number, isFree: boolean]>([
		['others stays as it is by one in eleven', String, 10, true],
		['others is lowered by one in six', String, 5, false],
		['one that it has accepted before is lowered by one in two', () => 'one', 1, false],
	])('of a service that at times refuses %s', async (_, recipientOf, between, isFree) => {
		const outcomes = Array.from({ length: 20 }, () => [tooMany(), ...times(between)]).flat();
		const { started, attempt } = startTimes();
		for (const [index, outcome] of outcomes.entries()) {
			const run = makeOne(limiter, attempt(outcome), to(recipientOf(index)));
			await jest.runAllTimersAsync();
			await run;
		}
		expect(started.at(-1) === 0).toBe(isFree);
	});
});
