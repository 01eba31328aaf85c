import { inProcess } from '../../../nodes/n8n/processState';
import { Limiter, type Turn } from '../../../nodes/pace/limiter';
import { Abort } from '../../../nodes/pace/abort';
import { refusedForNow, unknown, type Outcome } from '../../../nodes/service/outcome';
import { makeOne } from './attempts';

const accepted: Outcome = { kind: 'accepted', body: {} };
const tooMany = (retryAfterMs?: number) => refusedForNow({ kind: 'tooManyRequests' }, retryAfterMs);
const hourMs = 3_600_000;

let limiter: Limiter;
/** When requests started, in ms since the test began. */
let started: number[];
let began: number;
beforeEach(() => {
	jest.useFakeTimers();
	[limiter, started, began] = [new Limiter(), [], performance.now()];
});

/** Makes a request, which takes so many ms. Returns undefined if it could not leave. */
async function make(outcome: Outcome = accepted, turn: Partial<Turn> = {}, ms = 0) {
	const attempt = async () => {
		started.push(performance.now() - began);
		if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
		return outcome;
	};
	return await makeOne(limiter, attempt, { abort: new Abort(), ...turn });
}

const makeAtOnce = (count: number, turn?: Partial<Turn>) =>
	Array.from({ length: count }, async () => await make(accepted, turn));

/** Makes requests one after the other. Returns the gaps between their starts, in ms. */
async function gapsBetween(...outcomes: Outcome[]): Promise<number[]> {
	for (const outcome of outcomes) {
		const made = make(outcome);
		await jest.runAllTimersAsync();
		await made;
	}
	return started.slice(1).map((at, index) => at - started[index]!);
}

const times = (count: number, outcome: Outcome = accepted) => Array<Outcome>(count).fill(outcome);

test.each([
	['no limit', Infinity, 0],
	['ten a second', 10, 100],
	['one in two seconds', 0.5, 2_000],
])('%s, of all runs together; a pause saves nothing up', async (_, maxPerSecond, gapMs) => {
	for (const count of [1, 3]) makeAtOnce(count, { maxPerSecond });
	await jest.runAllTimersAsync();
	jest.setSystemTime(Date.now() - 3 * hourMs); // a clock that is set back holds nobody up
	await jest.advanceTimersByTimeAsync(10_000);
	const later = performance.now() - began;
	makeAtOnce(2, { maxPerSecond });
	await jest.runAllTimersAsync();
	expect(started).toEqual([...[0, 1, 2, 3].map((n) => n * gapMs), later, later + gapMs]);
});

test.each([1, 2])(
	'a run that is stopped behind %i of others ends its waits at once, and leaves them no gap',
	async (others) => {
		const [abort, maxPerSecond] = [new Abort(), 1];
		makeAtOnce(others, { maxPerSecond });
		const stopped = makeAtOnce(3, { maxPerSecond, abort });
		makeAtOnce(1, { maxPerSecond });
		await jest.advanceTimersByTimeAsync(500);
		abort.stop();
		expect(await Promise.all(stopped)).toEqual([undefined, undefined, undefined]);
		await jest.runAllTimersAsync();
		expect(await make(accepted, { abort })).toBeUndefined();
		expect(started).toEqual([0, 1_000, 2_000].slice(0, others + 1));
		expect(jest.getTimerCount()).toBe(0);
	},
);

test('one that is stopped while it waits for a place makes no attempt', async () => {
	const [abort, maxConcurrent] = [new Abort(), 1];
	void make(accepted, { maxConcurrent }, 500);
	const second = make(accepted, { maxConcurrent, abort });
	await jest.advanceTimersByTimeAsync(100);
	abort.stop();
	expect(await second).toBeUndefined();
	await jest.runAllTimersAsync();
	expect(started).toEqual([0]);
});

test('the longest pause asked of requests applies to all, and nobody overtakes one who waits', async () => {
	for (const ms of [5_000, 100, 5_000]) void make(tooMany(ms), {}, 1);
	await jest.advanceTimersByTimeAsync(1);
	const order: string[] = [];
	const run = async (name: string) => await make().then(() => order.push(name));
	setTimeout(() => void run('late'), 5_000); // before the timer of who waits
	void run('first');
	await jest.runAllTimersAsync();
	expect(started.slice(3)).toEqual([5_001, 5_051]);
	expect(order).toEqual(['first', 'late']);
});

describe('a pause of more than a minute', () => {
	test('lets nothing start until a minute before its end, and knows what is left', async () => {
		await make(tooMany(hourMs));
		await jest.advanceTimersByTimeAsync(hourMs / 2);
		expect(await make()).toBeUndefined();
		expect(limiter.activeRefusal()).toMatchObject({ kind: 'refused', retryAfterMs: hourMs / 2 });
		await jest.advanceTimersByTimeAsync(hourMs / 2 - 60_000);
		void make();
		await jest.runAllTimersAsync();
		expect(started).toEqual([0, hourMs]);
	});

	test.each([
		['is not ended by a shorter one', [hourMs, 61_000], hourMs],
		['is believed for a day', [1_000 * hourMs], 24 * hourMs],
	])('%s', async (_, asked, believed) => {
		for (const ms of asked) void make(tooMany(ms), {}, 1);
		await jest.advanceTimersByTimeAsync(1);
		expect(limiter.activeRefusal()?.retryAfterMs).toBe(believed);
	});
});

test.each([
	['an account has one', 'https://a.example/', 'key', '/v1/sms/enviar', true],
	['for all paths of SMS', 'https://a.example/', 'key', '/v1/sms/campaign/messages', true],
	['none with the chat app', 'https://a.example/', 'key', '/v2/chatapp/message', false],
	['none with keys', 'https://a.example/', 'key', '/v1/apikeys', false],
	['none with the webhook', 'https://a.example/', 'key', '/webhook/', false],
	['none with another service', 'https://b.example/', 'key', '/v1/sms/enviar', false],
	['none with another account', 'https://a.example/', 'other', '/v1/sms/enviar', false],
])('limiters by families of paths: %s', (_, url, apiKey, path, isShared) => {
	inProcess.clear();
	const first = Limiter.of({ baseUrl: new URL('https://a.example/'), apiKey: 'key' }, '/v1/sms/x');
	expect(Limiter.of({ baseUrl: new URL(url), apiKey }, path) === first).toBe(isShared);
});

describe('of several numbers', () => {
	const to = async (recipient: string, outcome?: Outcome) => await make(outcome, { recipient });

	test('one that is refused waits as it is asked to, and nobody else does', async () => {
		expect(await to('refused', tooMany(5_000))).toMatchObject({ kind: 'refused', own: true });
		const again = to('refused');
		await to('other');
		await jest.runAllTimersAsync();
		await again;
		await to('refused');
		expect(started).toEqual([0, 0, 5_000, 5_000]);
	});

	test('one that is refused for more than a minute gets no attempt, and others do', async () => {
		await to('refused', tooMany(hourMs));
		expect(await to('refused')).toBeUndefined();
		expect(limiter.activeRefusal('refused')).toMatchObject({ retryAfterMs: hourMs });
		expect(await to('other')).toBe(accepted);
	});

	test('four that are refused, with nobody accepted between, hold up all', async () => {
		for (const recipient of ['a', 'b', 'c', 'd']) await to(recipient, tooMany(30_000));
		void to('e');
		await jest.runAllTimersAsync();
		expect(started).toEqual([0, 0, 0, 0, 30_000]);
	});

	test.each<[string, recipientOf: (index: number) => string, between: number, isFree: boolean]>([
		['one in eleven is refused, nobody waits', String, 10, true],
		['one in six is refused, all slow down', String, 5, false],
		['one number is refused every other time, all slow down', () => 'one', 1, false],
	])('where %s', async (_, recipientOf, between, isFree) => {
		const outcomes = Array.from({ length: 20 }, () => [tooMany(), ...times(between)]).flat();
		for (const [index, outcome] of outcomes.entries()) {
			void to(recipientOf(index), outcome);
			await jest.runAllTimersAsync();
		}
		expect(started.at(-1) === 0).toBe(isFree);
	});
});

describe('the gap between two starts', () => {
	test.each([
		['without a pause that is asked for, ten gaps', undefined, 495],
		['the pause that is asked for', 3_000, 3_000],
	])('where everybody is refused: %s, and then gaps', async (_, askedMs, pauseMs) => {
		expect(await gapsBetween(tooMany(askedMs), ...times(3))).toEqual([pauseMs, 50, 49]);
	});

	test('grows once for requests that were under way together', async () => {
		for (let each = 0; each < 3; each++) void make(tooMany(0), {}, 1);
		await jest.advanceTimersByTimeAsync(1);
		expect((await gapsBetween(...times(2))).at(-1)).toBe(50);
	});

	test('grows by half with each refusal up to a second, and shrinks a little with each acceptance', async () => {
		const gaps = await gapsBetween(...times(14, tooMany(0)), ...times(400));
		expect(gaps.slice(0, 5)).toEqual([50, 75, 112, 168, 251]);
		expect(gaps.slice(13, 17)).toEqual([1_000, 1_000, 980, 961]);
		expect(gaps.at(-1)).toBe(0);
	});

	test('is the mean one of those accepted since the last refusal, if that is longer', async () => {
		await gapsBetween(tooMany(0));
		for (let request = 0; request < 3; request++) {
			await jest.advanceTimersByTimeAsync(200);
			await gapsBetween(accepted);
		}
		expect((await gapsBetween(tooMany(), ...times(2))).at(-1)).toBe(216); // 2 % less than 220
	});

	test('is not the longer for a time in which nothing was sent', async () => {
		await gapsBetween(tooMany(0), ...times(3));
		await jest.advanceTimersByTimeAsync(hourMs);
		expect((await gapsBetween(...times(3), tooMany(), ...times(2))).at(-1)).toBe(66);
	});

	test('is at first by half longer than that of the requests so far, where those were many', async () => {
		for (let request = 0; request < 20; request++) {
			await gapsBetween(accepted);
			await jest.advanceTimersByTimeAsync(10);
		}
		expect((await gapsBetween(tooMany(0), ...times(2))).at(-1)).toBe(15);
	});

	test.each([
		['in doubt', unknown({ kind: 'tooManyRequests' })],
		['refused for another reason', refusedForNow({ kind: 'rejected' }, 9_000)],
		['not sent', refusedForNow({ kind: 'neverLeft' })],
	])('does not begin with what is %s', async (_, outcome) => {
		expect(await gapsBetween(...times(5, outcome), accepted)).toEqual([0, 0, 0, 0, 0]);
	});
});
