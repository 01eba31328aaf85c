import { inProcess } from '../../../nodes/n8n/processState';
import { BoundedMap } from '../../../nodes/text/collections';
import { Limiter } from '../../../nodes/pace/limiter';
import { paceOf } from '../../../nodes/pace/pace';
import { Abort } from '../../../nodes/pace/abort';
import type { Outcome } from '../../../nodes/service/outcome';
import { makeAll, makePaced } from '../pace/attempts';

test.each<[string, (map: Map<string, number>) => void, string]>([
	['keeps as many entries as it may', () => {}, 'ab'],
	['forgets what was set longest ago', (map) => map.set('a', 3).set('c', 4), 'ac'],
	['has room again for what was deleted', (map) => (map.delete('a'), map.set('c', 4)), 'bc'],
	['can forget everything', () => inProcess.clear(), ''],
])('a map %s', (_, change, expected) => {
	const map = inProcess.map<number>(2).set('a', 1).set('b', 2);
	change(map);
	expect([...map.keys()].join('')).toBe(expected);
});

test('a map without a limit forgets nothing', () => {
	const underWay = inProcess.map<number>(Infinity);
	for (let count = 0; count < 10_000; count++) underWay.set(String(count), count);
	expect(underWay.get('0')).toBe(0);
});

test('a map keeps what is in use, however much it is, and has its limit again afterwards', () => {
	const inUse = new Set(['a', 'b', 'c']);
	const map = new BoundedMap<string>(2, (entry) => inUse.has(entry));
	for (const name of 'abcde') map.set(name, name);
	expect([...map.keys()].join('')).toBe('abce');
	inUse.clear();
	map.set('f', 'f');
	expect([...map.keys()].join('')).toBe('ef');
});

describe('with thousands of other accounts meanwhile', () => {
	beforeEach(() => {
		inProcess.clear();
		jest.useFakeTimers();
	});

	const accepted: Outcome = { kind: 'accepted', body: {} };
	const abort = new Abort();
	const others = () => {
		for (let index = 0; index < 3_000; index++) {
			Limiter.of({ baseUrl: new URL('https://x.example/'), apiKey: `key ${index}` }, '/v1/sms');
			paceOf({ baseUrl: new URL('https://x.example/'), instanceToken: `token ${index}` });
		}
	};
	let started: number[];
	beforeEach(() => (started = []));
	const attempt = async () => (started.push(performance.now()), accepted);

	const baseUrl = new URL('https://a.example/');
	/** Makes a request of the account. */
	const send = async (task: () => Promise<Outcome>, rules: object) => {
		const limiter = Limiter.of({ baseUrl, apiKey: 'key' }, '/v1/sms');
		return await makeAll(task, { idempotent: false, maxRetries: 0, limiter, abort, ...rules });
	};

	/** Runs three times, with others in between. */
	async function expectTenSeconds(run: () => Promise<unknown>): Promise<void> {
		await run();
		others();
		const second = run();
		await jest.advanceTimersByTimeAsync(5_000);
		others();
		const third = run();
		await jest.runAllTimersAsync();
		await Promise.all([second, third]);
		const gaps = started.slice(1).map((at, index) => Math.round(at - started[index]!));
		expect(gaps).toEqual([10_000, 10_000]);
	}

	test("the account's requests per second stay", async () => {
		await expectTenSeconds(async () => await send(attempt, { maxPerSecond: 0.1 }));
	});

	test('a request under way keeps its place', async () => {
		let end = () => {};
		const hung = async () => (await new Promise<void>((resolve) => (end = resolve)), accepted);
		const first = send(hung, { maxConcurrent: 1 });
		await jest.advanceTimersByTimeAsync(0);
		others();
		const second = send(attempt, { maxConcurrent: 1 });
		await jest.advanceTimersByTimeAsync(60_000);
		expect(started).toEqual([]);
		end();
		await Promise.all([first, second]);
		expect(started).toHaveLength(1);
	});

	test('the pause of a chat-app instance stays', async () => {
		const pause = { minMs: 10_000, maxMs: 10_000 };
		const pace = () => paceOf({ baseUrl, instanceToken: 'token' });
		await expectTenSeconds(async () => await makePaced(pace(), attempt, pause, abort));
	});
});
