import { Abort } from '../../../nodes/pace/abort';
import { Pace, paceOf } from '../../../nodes/pace/pace';
import type { Outcome } from '../../../nodes/service/outcome';
import { parsePause } from '../../../nodes/text/pause';
import { makePaced } from './attempts';

const accepted: Outcome = { kind: 'accepted', body: {} };
const second = { minMs: 1_000, maxMs: 1_000 };

let pace: Pace;
let began: number;
let left: Array<[name: string, at: number]>;
beforeEach(() => {
	jest.useFakeTimers();
	[pace, began, left] = [new Pace(), Date.now(), []];
});

/** Makes attempts of a run; each takes so many ms. */
function send(name: string, count: number, { abort = new Abort(), pause = second, ms = 0 } = {}) {
	const attempt = async () => {
		left.push([name, Date.now() - began]);
		if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
		return accepted;
	};
	return Array.from({ length: count }, async () => await makePaced(pace, attempt, pause, abort));
}

test.each([
	['2', 2_000, 2_000],
	['5–30', 5_000, 30_000],
	['1.5 - 2', 1_500, 2_000],
	['1,5-2', 1_500, 2_000],
	['3600', 3_600_000, 3_600_000],
])('%s is a pause of %d to %d ms', (entered, minMs, maxMs) => {
	expect(parsePause(entered)).toEqual({ minMs, maxMs });
	for (const none of ['', '1-', '1-2-3', '1s', '3601', '1e9', 'Infinity'])
		expect([none, parsePause(none)]).toEqual([none, undefined]);
});

test('the pause is from the end of one to the next, anywhere in its range; who comes later leaves at once', async () => {
	jest.spyOn(Math, 'random').mockReturnValueOnce(0.9).mockReturnValueOnce(0).mockReturnValue(0.5);
	send('a', 3, { ms: 250, pause: { minMs: 1_000, maxMs: 3_000 } });
	await jest.advanceTimersByTimeAsync(6_500);
	send('late', 1);
	send('without a pause', 2, { pause: { minMs: 0, maxMs: 0 } });
	await jest.runAllTimersAsync();
	expect(left.map(([, at]) => at)).toEqual([0, 1_250, 3_500, 6_500, 6_500, 6_500]);
});

test('runs with one message at a time take turns', async () => {
	const list = async (name: string, count: number) => {
		for (let each = 0; each < count; each++) await Promise.all(send(name, 1));
	};
	void list('list', 5);
	await jest.advanceTimersByTimeAsync(500);
	void list('one', 1);
	void list('other', 2);
	await jest.runAllTimersAsync();
	const order = left.map(([name]) => name);
	expect(order).toEqual(['list', 'list', 'one', 'other', 'list', 'other', 'list', 'list']);
	expect(left.map(([, at]) => at)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((n) => n * 1_000));
});

test('a stop ends the waits of its run, and nobody else has gaps or a shorter pause', async () => {
	const abort = new Abort();
	const stopped = send('stopped', 4, { abort });
	const other = send('other', 2);
	await jest.advanceTimersByTimeAsync(500);
	abort.stop();
	expect(await Promise.all(stopped)).toEqual([accepted, undefined, undefined, undefined]);
	await jest.runAllTimersAsync();
	expect(await Promise.all(other)).toEqual([accepted, accepted]);
	expect(left.map(([, at]) => at)).toEqual([0, 1_000, 2_000]);
	expect(jest.getTimerCount()).toBe(0);
});

test('an instance has one pace, whichever API key sends', () => {
	const of = (url: string, instanceToken: string) =>
		paceOf({ baseUrl: new URL(url), instanceToken });
	const one = of('https://a.example/', 'token');
	const others = [of('https://b.example/', 'token'), of('https://a.example/', 'other')];
	expect(new Set([one, of('https://a.example/', 'token'), ...others]).size).toBe(3);
});
