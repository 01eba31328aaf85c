import { Limiter } from '../../../nodes/shared/limiter';
import { withRetries } from '../../../nodes/shared/retry';
import { Halt } from '../../../nodes/shared/halt';
import { refusedForNow, type Outcome } from '../../../nodes/shared/outcome';

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

const accepted: Outcome = { kind: 'accepted', body: {} };
const tooMany = (retryAfterMs?: number) => refusedForNow({ kind: 'tooManyRequests' }, retryAfterMs);

const wait = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** The time each of that many requests started, from the first one on. */
async function starts(perSecond: number, requests: number, between: number[] = []) {
	const limiter = new Limiter(new Halt(), perSecond);
	const begin = Date.now();
	const started: number[] = [];
	for (let index = 0; index < requests; index++) {
		void limiter.run(async () => {
			started.push(Date.now() - begin);
			return accepted;
		});
		await jest.advanceTimersByTimeAsync(between[index] ?? 0);
	}
	await jest.runAllTimersAsync();
	return started;
}

test.each<[string, number, number[], number[]]>([
	['no limit', Infinity, [], [0, 0, 0, 0]],
	['ten a second', 10, [], [0, 100, 200, 300]],
	['one in two seconds', 0.5, [], [0, 2_000, 4_000, 6_000]],
	['a pause saves nothing up', 10, [0, 1_000], [0, 100, 1_000, 1_100]],
])('%s', async (_, perSecond, between, expected) => {
	expect(await starts(perSecond, 4, between)).toEqual(expected);
});

test('a halt ends the waits; nothing starts after it', async () => {
	const halt = new Halt();
	const limiter = new Limiter(halt, 1);
	const attempt = jest.fn(async () => accepted);
	const runs = Promise.all([limiter.run(attempt), limiter.run(attempt), limiter.run(attempt)]);
	await jest.advanceTimersByTimeAsync(500);
	halt.stop();
	expect(await runs).toEqual([accepted, undefined, undefined]);
	expect(await limiter.run(attempt)).toBeUndefined();
	expect(attempt).toHaveBeenCalledTimes(1);
	expect(jest.getTimerCount()).toBe(0);
});

test('what the service asks of one request holds for all', async () => {
	const limiter = new Limiter(new Halt());
	const begin = Date.now();
	const started: number[] = [];
	await limiter.run(async () => tooMany(5_000));
	for (let index = 0; index < 3; index++) {
		void limiter.run(async () => {
			started.push(Date.now() - begin);
			return accepted;
		});
	}
	await jest.runAllTimersAsync();
	expect(Math.min(...started)).toBe(5_000);
	expect(started).toHaveLength(3);
});

test.each([60_000, 60_001])('a pause of %d ms: up to a minute is waited for', async (ms) => {
	const limiter = new Limiter(new Halt());
	const refusal = tooMany(ms);
	await limiter.run(async () => refusal);
	const next = limiter.run(async () => accepted);
	await jest.runAllTimersAsync();
	expect(await next).toBe(ms > 60_000 ? undefined : accepted);
	expect(limiter.closedBy).toBe(ms > 60_000 ? refusal : undefined);
});

test('what is refused for another reason changes no rate', async () => {
	const limiter = new Limiter(new Halt());
	const begin = Date.now();
	for (const kind of ['rejected', 'neverLeft'] as const) {
		await limiter.run(async () => refusedForNow({ kind }, kind === 'rejected' ? 9_000 : undefined));
	}
	await limiter.run(async () => accepted);
	expect(Date.now()).toBe(begin);
});

/** A service that takes so many requests per second, and as many at once after a pause. */
class TokenBucket {
	requests = 0;

	private tokens: number;

	private at = Date.now();

	constructor(
		private readonly perSecond: number,
		private readonly asks: boolean,
	) {
		this.tokens = perSecond;
	}

	async answer(): Promise<Outcome> {
		await wait(10);
		this.requests++;
		const added = ((Date.now() - this.at) / 1000) * this.perSecond;
		this.tokens = Math.min(this.tokens + added, this.perSecond);
		this.at = Date.now();
		if (this.tokens >= 1) {
			this.tokens--;
			return accepted;
		}
		return tooMany(this.asks ? Math.ceil((1 - this.tokens) / this.perSecond) * 1000 : undefined);
	}
}

/** Sends so many messages, ten at a time. */
async function send(count: number, answer: () => Promise<Outcome>, most = Infinity) {
	const halt = new Halt();
	const limiter = new Limiter(halt, most);
	const begin = Date.now();
	let next = 0;
	const outcomes: Array<Outcome | undefined> = [];
	const place = async () => {
		while (next++ < count) {
			const policy = { idempotent: false, maxRetries: 3, limiter, halt };
			outcomes.push(await withRetries(answer, policy));
		}
	};
	const done = Promise.all(Array.from({ length: 10 }, place));
	await jest.runAllTimersAsync();
	await done;
	const sent = outcomes.filter((outcome) => outcome?.kind === 'accepted').length;
	return { sent, seconds: (Date.now() - begin) / 1000 };
}

describe.each([true, false])('a service with a limit, Retry-After: %s', (asks) => {
	test.each([
		[2, 60],
		[5, 60],
		[5, 300],
		[20, 300],
	])('of %d a second takes %d messages at its own pace', async (perSecond, count) => {
		const service = new TokenBucket(perSecond, asks);
		const { sent, seconds } = await send(count, async () => await service.answer());
		expect(sent).toBe(count);
		expect(seconds).toBeLessThan((1.3 * (count - perSecond)) / perSecond);
		expect(service.requests).toBeLessThan(count * (perSecond === 2 ? 1.4 : 1.3));
	});
});

test('with a limit of the user’s below the service’s, nothing is refused', async () => {
	const service = new TokenBucket(5, false);
	expect(await send(30, async () => await service.answer(), 4)).toMatchObject({ sent: 30 });
	expect(service.requests).toBe(30);
});

test('one refusal in ten, of a fast service, is no reason to send slowly', async () => {
	let requests = 0;
	const { sent, seconds } = await send(2_000, async () => {
		await wait(10);
		return ++requests % 10 === 0 ? tooMany() : accepted;
	});
	expect(sent).toBe(2_000);
	expect(seconds).toBeLessThan(30);
});

test('a service that accepts nothing is asked ever less often', async () => {
	const limiter = new Limiter(new Halt());
	const begin = Date.now();
	const started: number[] = [];
	for (let index = 0; index < 12; index++) {
		void limiter.run(async () => {
			started.push(Date.now() - begin);
			return tooMany();
		});
	}
	await jest.runAllTimersAsync();
	const gaps = started.slice(1).map((at, index) => at - started[index]!);
	expect(gaps.slice(2)).toEqual([...gaps.slice(2)].sort((a, b) => a - b));
	expect(gaps.at(-1)).toBe(60_000);
});
