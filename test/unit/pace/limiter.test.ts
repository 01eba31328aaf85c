import { inProcess } from '../../../nodes/n8n/processState';
import { Limiter, type Turn } from '../../../nodes/pace/limiter';
import { Abort } from '../../../nodes/pace/abort';
import { refusedForNow, type Outcome } from '../../../nodes/service/outcome';
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

test('a pause of more than a minute lets nothing start until a minute before its end, and knows what is left', async () => {
	for (const ms of [hourMs, 61_000]) void make(tooMany(ms), {}, 1); // the longest counts
	await jest.advanceTimersByTimeAsync(hourMs / 2 + 1);
	expect(await make()).toBeUndefined();
	expect(limiter.activeRefusal()).toMatchObject({ kind: 'refused', retryAfterMs: hourMs / 2 });
	await jest.advanceTimersByTimeAsync(hourMs / 2 - 60_000);
	void make();
	await jest.runAllTimersAsync();
	expect(started).toEqual([0, 0, hourMs + 1]);
	void make(tooMany(1_000 * hourMs));
	await jest.runAllTimersAsync();
	expect(limiter.activeRefusal()?.retryAfterMs).toBe(24 * hourMs);
});

test('an account has a limiter for each family of paths', () => {
	inProcess.clear();
	const of = (path: string, apiKey = 'key', url = 'https://a.example/') =>
		Limiter.of({ baseUrl: new URL(url), apiKey }, path);
	const families = ['/v1/sms/enviar', '/v2/chatapp/message', '/v1/apikeys', '/webhook/'];
	const others = [of('/v1/sms/x', 'other'), of('/v1/sms/x', 'key', 'https://b.example/')];
	const all = [of('/v1/sms/campaign/messages'), ...families.map((path) => of(path)), ...others];
	expect(all[0]).toBe(all[1]);
	expect(new Set(all).size).toBe(6);
});

describe('of several numbers', () => {
	const to = async (recipient: string, outcome?: Outcome) => await make(outcome, { recipient });

	test('one that is refused waits as it is asked to, or gets no attempt, and nobody else does', async () => {
		expect(await to('refused', tooMany(5_000))).toMatchObject({ kind: 'refused', own: true });
		const again = to('refused');
		await to('other');
		await jest.runAllTimersAsync();
		await again;
		await to('refused', tooMany(hourMs));
		expect(await to('refused')).toBeUndefined();
		expect(limiter.activeRefusal('refused')).toMatchObject({ retryAfterMs: hourMs });
		await to('other');
		expect(started).toEqual([0, 0, 5_000, 5_000, 5_000]);
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
});
