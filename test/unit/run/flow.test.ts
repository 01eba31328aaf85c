import type { Outcome } from '../../../nodes/gateway/outcome';
import { BatchQueue } from '../../../nodes/gateway/pacing/queues';
import { Limiter } from '../../../nodes/gateway/pacing/limiter';
import type { ItemRequest } from '../../../nodes/MessagingGateway/operation';
import { Flow } from '../../../nodes/MessagingGateway/run/flow';
import type { Job } from '../../../nodes/MessagingGateway/run/job';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const wait = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
const pass = async (ms = 5) => await jest.advanceTimersByTimeAsync(ms); // by default, time for a call

let limiter: Limiter;
let batches: string[][];
let calls: BatchQueue<string, string>;
let flow: Flow;
beforeEach(() => {
	limiter = new Limiter();
	batches = [];
	calls = new BatchQueue(async (questions) => (batches.push(questions), questions));
	flow = new Flow(false);
});

const jobOf = (request: Partial<ItemRequest> = {}, maxConcurrency = 100) =>
	({ request, account: { maxConcurrency, limiterFor: () => limiter } }) as unknown as Job;

/** Makes requests that last until they are ended; gives their ends. */
async function send(count: number): Promise<Array<() => void>> {
	const ends: Array<() => void> = [];
	const task = async () => await new Promise<void>((resolve) => ends.push(resolve));
	if (count > 0) flow.begin(jobOf());
	for (let each = 0; each < count; each++) void flow.inPlace(task);
	await pass();
	return ends;
}

/** Asks for permission to read so many items. */
async function read(count: number): Promise<number> {
	let isRead = 0;
	for (let each = 0; each < count; each++) void flow.waitToRead().then(() => isRead++);
	await pass();
	return isRead;
}

describe('a batch of questions', () => {
	test.each<
		[string, { items: number; isAll?: true; sent?: number }, atOnce: boolean, soon: boolean]
	>([
		['while more items can be read', { items: 20 }, false, true],
		['when the next item has to wait', { items: 21 }, true, true],
		['when all are read', { items: 2, isAll: true }, true, true],
		['when half of the places are free', { items: 20, isAll: true, sent: 5 }, true, true],
		['when fewer are', { items: 20, isAll: true, sent: 6 }, false, true],
		['when none is', { items: 20, isAll: true, sent: 10 }, false, false],
		['while messages wait for a place', { items: 21, sent: 12 }, false, false],
	])(
		'%s, %j, leaves at once: %s; soon: %s',
		async (_, { items, isAll, sent = 0 }, atOnce, soon) => {
			await send(sent);
			await read(items - 1);
			void flow.ask(calls, 'a');
			void flow.ask(calls, 'b');
			await read(1);
			if (isAll) flow.endReading();
			await pass();
			expect(batches).toEqual(atOnce ? [['a', 'b']] : []);
			await pass(85);
			expect(batches).toHaveLength(Number(atOnce));
			await pass(20);
			expect(batches).toEqual(soon ? [['a', 'b']] : []);
		},
	);

	test('leaves as soon as enough requests are over, with all that was asked by then', async () => {
		const ends = await send(10);
		flow.endReading();
		const answers = ['a', 'b', 'c'].map(async (each) => await flow.ask(calls, each));
		ends.slice(0, 4).forEach((end) => end());
		await pass();
		expect(batches).toEqual([]);
		ends[4]!();
		expect(await Promise.all([...answers, pass()])).toEqual(['a', 'b', 'c', undefined]);
		expect(batches).toEqual([['a', 'b', 'c']]);
	});

	test('that had no place when its time was up leaves soon after there is one', async () => {
		const ends = await send(10);
		flow.endReading();
		void flow.ask(calls, 'a');
		await pass(200);
		expect(batches).toEqual([]);
		ends[0]!(); // the others hang
		await pass(200);
		expect(batches).toEqual([['a']]);
	});

	test('of each kind leaves on its own', async () => {
		const others = new BatchQueue(
			async (questions: string[]) => (batches.push(questions), questions),
		);
		void flow.ask(calls, 'a');
		void flow.ask(others, 'b');
		flow.endReading();
		await pass();
		expect(batches).toEqual([['a'], ['b']]);
	});
});

/** A whole run; each message has a question. Gives the most under way, and the most open beyond it. */
async function run(
	count: number,
	answer: (underWay: number) => Outcome,
	{ request = {}, most: limit = 100, begin = 10, taken = 0 } = {},
) {
	limiter.recentWidth = { taken, ceiling: Infinity };
	const job = jobOf(request, limit);
	const most = { underWay: 0, openBeyond: 0 };
	let open = 0;
	let underWay = 0;
	let widest = begin;
	const go = async (index: number) => {
		flow.begin(job);
		await flow.ask(calls, String(index));
		await flow.inPlace(async () => {
			most.underWay = Math.max(most.underWay, ++underWay);
			const outcome = answer(underWay);
			await wait(50 + (index % 7));
			underWay--;
			flow.noteOutcome(job, outcome);
			if (limiter.recentWidth!.taken !== taken) widest = limiter.recentWidth!.taken; // it has grown
		});
		open--;
		flow.settle();
	};
	const readAll = async () => {
		const fates: Array<Promise<void>> = [];
		for (let index = 0; index < count; index++) {
			await flow.waitToRead();
			most.openBeyond = Math.max(most.openBeyond, ++open - widest);
			fates.push(go(index));
		}
		flow.endReading();
		await Promise.all(fates);
	};
	const done = readAll();
	await jest.runAllTimersAsync();
	await done;
	return most;
}

const accepted: Outcome = { kind: 'accepted', body: {} };

interface Options {
	most?: number;
	isOfReads?: boolean;
	request?: object;
	taken?: number;
}

test.each<[string, Options, begin: number, widest: number]>([
	['grow with what it brings', {}, 10, 100],
	['stay below the maximum', { most: 4 }, 4, 4],
	['stay few if they are reads', { isOfReads: true, taken: 40 }, 10, 10],
	['stay few if they have a file', { request: { readBody() {} }, taken: 40 }, 10, 10],
])('requests %s, %j; ten items at most are read ahead', async (_, options, begin, widest) => {
	const { isOfReads = false, ...rest } = options;
	flow = new Flow(isOfReads);
	const { underWay, openBeyond } = await run(1_000, () => accepted, { begin, ...rest });
	expect(underWay).toBe(widest);
	expect(openBeyond).toBe(10);
	expect(batches.flat()).toHaveLength(1_000);
	expect(batches.length).toBeLessThan(250);
});

test.each([
	['one at a time are read one at a time', { minMs: 1, maxMs: 1 }, [1, 0]],
	['without a pause stay few', { minMs: 0, maxMs: 0 }, [10, 10]],
])('messages of the chat app that leave %s', async (_, pause, [begin, ahead]) => {
	const { underWay, openBeyond } = await run(100, () => accepted, { request: { pause }, begin });
	expect([underWay, openBeyond]).toEqual([begin, ahead]);
});

test('the next run begins as wide as the last one was', async () => {
	await run(1_000, () => accepted);
	flow = new Flow(false);
	expect(await send(100)).toHaveLength(100);
});

test('n8n gets its turn every 50 ms, however much can be read at once', async () => {
	jest.useRealTimers();
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => (now += 20)); // reading takes its time
	flow = new Flow(false);
	let turns = 0;
	let isOver = false;
	const other = (async () => {
		while (!isOver) {
			await new Promise((resolve) => setImmediate(resolve));
			turns++;
		}
	})();
	for (let item = 0; item < 15; item++) {
		await flow.waitToRead();
		flow.settle();
	}
	expect(turns).toBeGreaterThan(3);
	isOver = true;
	await other;
	jest.restoreAllMocks();
});
