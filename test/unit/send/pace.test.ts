/**
 * The law of pace: how soon the messages of a list leave, how many requests that costs, and how many messages end
 * in doubt, beside services of many kinds. The whole node runs, in virtual time: a minute takes milliseconds, and
 * a busy machine changes nothing. Each scenario runs with three seeds of Math.random. Of times the middle one is
 * judged, and the worst is shown; of all else the worst is judged. The time-out of a request runs in real time
 * (AbortSignal.timeout), so it never ends one here.
 *
 * npx jest --selectProjects unit -- unit/send/pace
 * PACE_SEEDS=12 takes 45 s, and shows what happens in one run of twelve.
 */
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';

import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { credential, makeContext } from '../../../tools/shared/context';
import { DeduplicationStore } from '../../../tools/shared/deduplicationStore';

const seeds = Array.from({ length: Number(process.env.PACE_SEEDS ?? 3) }, (_, index) => index + 1);

const wait = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

// ---- Services ------------------------------------------------------------------------------------------------

interface SmsRequest {
	to: string;
	/** 1 for the first request that the service gets. */
	number: number;
	/** How many requests are under way, with this one. */
	underWay: number;
}

interface Answer {
	statusCode: number;
	headers: IDataObject;
	body: string;
}

type Service = (request: SmsRequest) => Promise<Answer>;

const answer = (statusCode: number, body: IDataObject, headers: IDataObject = {}): Answer => ({
	statusCode,
	headers,
	body: JSON.stringify(body),
});

/** A refusal or a failure takes this long, in ms. */
const failureMs = 20;

/** Accepts every message after this time. @param spread the share by which it may be shorter or longer */
const acceptsAfter =
	(ms: number, spread = 0): Service =>
	async ({ number }) => {
		await wait(ms * (1 + spread * (2 * Math.random() - 1)));
		return answer(200, { success: true, messageId: `m${number}` });
	};

const fails =
	(statusCode: number, headers?: IDataObject): Service =>
	async () => {
		await wait(failureMs);
		return answer(statusCode, { success: false, message: 'No' }, headers);
	};

/** Says that there are too many requests. @param retryAfterSeconds its header; default: no such header */
const refuses = (retryAfterSeconds?: number): Service =>
	fails(429, retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) });

/** Closes the connection without an answer: nobody knows whether the message was taken. */
const resets: Service = async () => {
	await wait(failureMs);
	throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
};

/** Does one thing for some requests, and another for all others. */
const either =
	(is: (request: SmsRequest) => boolean, then: Service, otherwise: Service): Service =>
	async (request) =>
		await (is(request) ? then : otherwise)(request);

/** A bucket of tokens that a second fills: takes so many requests at once after a pause, and so many per second. */
function perSecond(limit: number, beyond: Service, within: Service): Service {
	let tokens = limit;
	let filledAt = performance.now();
	const isBeyond = () => {
		const now = performance.now();
		tokens = Math.min(limit, tokens + ((now - filledAt) / 1000) * limit);
		filledAt = now;
		if (tokens < 1) return true;
		tokens--;
		return false;
	};
	return either(isBeyond, beyond, within);
}

/** Takes so many requests in each window of time, and names the time to the next window in its refusals. */
function perWindow(limit: number, windowMs: number, within: Service): Service {
	const began = performance.now();
	const counts = new Map<number, number>();
	return async (request) => {
		const passed = performance.now() - began;
		const window = Math.floor(passed / windowMs);
		const count = (counts.get(window) ?? 0) + 1;
		counts.set(window, count);
		if (count <= limit) return await within(request);
		return await refuses(Math.ceil(((window + 1) * windowMs - passed) / 1000))(request);
	};
}

/** Takes so many requests at a time. */
const atATime = (limit: number, beyond: Service, within: Service): Service =>
	either(({ underWay }) => underWay > limit, beyond, within);

/** Works on so many requests at a time. The others wait, without a refusal. */
function queues(capacity: number, service: Service): Service {
	let busy = 0;
	const waiting: Array<() => void> = [];
	return async (request) => {
		if (busy < capacity) busy++;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		const answered = await service(request);
		const next = waiting.shift();
		if (next) next();
		else busy--;
		return answered;
	};
}

/** Obeys one service for a time, in ms, and another one after it. */
function changes(afterMs: number, before: Service, after: Service): Service {
	const began = performance.now();
	return either(() => performance.now() - began < afterMs, before, after);
}

const isToOneOf = (every: number) => (request: SmsRequest) =>
	Number(request.to.slice(-4)) % every === 0;
const isFrom = (first: number) => (request: SmsRequest) => request.number >= first;

// ---- Scenarios -----------------------------------------------------------------------------------------------

/** What a run cost. More is worse, everywhere. */
interface Measures {
	/** To the end of the run, in ms. */
	ms: number;
	/** To the last acceptance, in ms. */
	acceptedMs: number;
	requests: number;
	/** Messages that the service has not taken, for certain. */
	notSent: number;
	/** Messages of which nobody knows. */
	inDoubt: number;
	/** Messages that the service accepted a second time. */
	twice: number;
	/** Most requests under way at a time. */
	mostUnderWay: number;
	/** Most messages that were read, and so claimed, without an answer: a crash leaves as many keys in doubt. */
	mostOpen: number;
	/** Calls of n8n's store of keys. Each rewrites all keys of the workflow. */
	storeCalls: number;
}

type Some = Partial<Measures>;

interface Scenario {
	/** Default: 1,000. */
	messages?: number;
	/** Makes the service of one run. */
	service: () => Service;
	/** Each message has a key. */
	isKeyed?: true;
	/** A query of the store of keys takes so long, in ms. A call reads and writes: two queries. Default: 20. */
	queryMs?: number;
	/** On Error: Stop Workflow. Default: Continue. */
	stops?: true;
	/** Sends the list once before, not measured: its keys are used then, and its account is known. */
	isSentBefore?: true;
	/** The law. `notSent`, `inDoubt` and `twice` are 0 if they are not named. */
	atMost: Some;
}

/**
 * Answers take up to a quarter less or more than their time, as real ones do: without that, all leave and return in
 * step, and the seed changes nothing.
 */
const spread = 0.25;

const scenarios: Record<string, Scenario> = {
	// A small plan: 5 messages per second. At best, 5 leave at once, 55 within 11 s, and the last takes 0.1 s.
	'5 per second': {
		messages: 60,
		service: () => perSecond(5, refuses(), acceptsAfter(100, spread)),
		atMost: { ms: 1.05 * 11_100, requests: 1.2 * 60 },
	},
	// Its refusals are seen late: all ten places are refused at first.
	'5 per second, refuses slower than it accepts': {
		messages: 60,
		service: () => perSecond(5, refuses(), acceptsAfter(5, spread)),
		atMost: { ms: 1.05 * 11_100, requests: 1.25 * 60 },
	},
	'5 per second, Retry-After of 1 s': {
		messages: 60,
		service: () => perSecond(5, refuses(1), acceptsAfter(100, spread)),
		atMost: { ms: 1.05 * 11_100, requests: 1.2 * 60 },
	},
	// At best, 50 leave at once, 450 within 9 s, and the last takes 0.2 s.
	'50 per second': {
		messages: 500,
		service: () => perSecond(50, refuses(), acceptsAfter(200, spread)),
		atMost: { ms: 1.05 * 9_200, requests: 1.2 * 500 },
	},
	// A window that opens every half minute: three windows, so 60 s at best. Who asks again within one uses up
	// the retries of a message.
	'100 every 30 s, Retry-After until then': {
		messages: 250,
		service: () => perWindow(100, 30_000, acceptsAfter(100, spread)),
		atMost: { ms: 68_000, requests: 1.2 * 250 },
	},
	// A neighbour used the account's rate for 10 s. Then the rate has to grow back: 1,000 at 5 per second would
	// take 200 s.
	'5 per second for 10 s, then no limit': {
		service: () =>
			changes(
				10_000,
				perSecond(5, refuses(), acceptsAfter(100, spread)),
				acceptsAfter(100, spread),
			),
		atMost: { ms: 31_000 },
	},
	// A limit of requests at a time. At best, 34 rounds of 0.2 s.
	'30 at a time': {
		service: () => atATime(30, refuses(), acceptsAfter(200, spread)),
		atMost: { ms: 1.15 * 6_800, requests: 1.05 * 1_000 },
	},
	'30 at a time, in step': {
		service: () => atATime(30, refuses(), acceptsAfter(200)),
		atMost: { ms: 1.15 * 6_800, requests: 1.05 * 1_000 },
	},
	// The same behind a proxy that closes the connections beyond: each try with more leaves messages in doubt.
	'30 at a time, resets beyond': {
		service: () => atATime(30, resets, acceptsAfter(200, spread)),
		atMost: { ms: 1.1 * 10_571, inDoubt: 6 },
	},
	'30 at a time, resets beyond, in step': {
		service: () => atATime(30, resets, acceptsAfter(200)),
		atMost: { ms: 1.1 * 10_422, inDoubt: 3 },
	},
	// The next list to the same account, soon after: what was learnt must not be paid for again.
	'30 at a time, resets beyond, next list': {
		isSentBefore: true,
		service: () => atATime(30, resets, acceptsAfter(200, spread)),
		atMost: { ms: 1.1 * 9_393 },
	},
	// A service that takes all there is, nearby and far away.
	'no limit, 50 ms': { service: () => acceptsAfter(50, spread), atMost: { ms: 1.1 * 760 } },
	'no limit, 50 ms, in step': { service: () => acceptsAfter(50), atMost: { ms: 1.1 * 709 } },
	'no limit, 500 ms': { service: () => acceptsAfter(500, spread), atMost: { ms: 1.1 * 7_660 } },
	'no limit, 500 ms, in step': { service: () => acceptsAfter(500), atMost: { ms: 1.1 * 7_001 } },
	'no limit, 500 ms, next list': {
		isSentBefore: true,
		service: () => acceptsAfter(500, spread),
		atMost: { ms: 1.1 * 5_303 },
	},
	// A modem, or a small server: more requests at a time only make its queue longer. At best, 75 rounds of 0.2 s.
	'works on 4 at a time, the others wait': {
		messages: 300,
		service: () => queues(4, acceptsAfter(200, spread)),
		atMost: { ms: 1.05 * 15_000, mostUnderWay: 30 },
	},
	// A carrier that does not answer: messages to others must not wait for it.
	'1 of 50 hangs for 25 s': {
		service: () => either(isToOneOf(50), acceptsAfter(25_000), acceptsAfter(200, spread)),
		atMost: { ms: 35_000 },
	},
	// The limit of a person, not of the account: the first, 101st and 201st number are refused each time. Alone,
	// the other 297 need 815 ms.
	'3 numbers refused': {
		messages: 300,
		service: () => either(isToOneOf(100), refuses(), acceptsAfter(100, spread)),
		atMost: { acceptedMs: 1.3 * 815, notSent: 3, requests: 309 },
	},
	'3 numbers refused, Retry-After of 5 s': {
		messages: 300,
		service: () => either(isToOneOf(100), refuses(5), acceptsAfter(100, spread)),
		atMost: { acceptedMs: 1.3 * 815, notSent: 3, requests: 309 },
	},
	// Keys: a call of the store rewrites all keys, so many messages share one.
	'keys, in step': {
		isKeyed: true,
		service: () => acceptsAfter(200),
		atMost: { ms: 3_900, storeCalls: 25, mostOpen: 110 },
	},
	// Answers that come one by one must not cost a call each.
	keys: {
		isKeyed: true,
		service: () => acceptsAfter(200, spread),
		atMost: { ms: 1.1 * 3_819, storeCalls: 27, mostOpen: 110 },
	},
	// Answers that come in step must not be taken for a service at its limit.
	'keys, in step, store of 10 ms': {
		isKeyed: true,
		queryMs: 5,
		service: () => acceptsAfter(200),
		atMost: { ms: 3_900, storeCalls: 25, mostOpen: 110 },
	},
	// A list that is sent again: nothing leaves, and few calls show it.
	'keys used before': {
		messages: 2_000,
		isKeyed: true,
		isSentBefore: true,
		service: () => acceptsAfter(200),
		atMost: { requests: 0, storeCalls: 30 },
	},
	'keys used before, On Error: Stop': {
		messages: 2_000,
		isKeyed: true,
		isSentBefore: true,
		stops: true,
		service: () => acceptsAfter(200),
		atMost: { requests: 0, storeCalls: 30 },
	},
	// The service breaks down amid a list, On Error: Continue. Each further request fails, and may have been
	// carried out if it was a 502 or a reset.
	'from the 21st request on: 502': {
		service: () => either(isFrom(21), fails(502), acceptsAfter(200, spread)),
		atMost: { requests: 60, inDoubt: 40, notSent: Infinity },
	},
	'from the 21st request on: reset': {
		service: () => either(isFrom(21), resets, acceptsAfter(200, spread)),
		atMost: { requests: 60, inDoubt: 40, notSent: Infinity },
	},
	'from the 21st request on: 401': {
		service: () => either(isFrom(21), fails(401), acceptsAfter(200, spread)),
		atMost: { requests: 60, notSent: Infinity },
	},
};

// ---- Measuring -----------------------------------------------------------------------------------------------

/** A generator of random numbers (mulberry32). */
function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

const keyOfItem = (deduplicationKey: string) => ({
	deduplication: { values: { key: deduplicationKey, oncePer: 'key' } },
});

const itemOf = (index: number, isKeyed?: boolean): IDataObject => ({
	resource: 'message',
	operation: 'sendSms',
	to: `+55119${87_650_000 + index}`,
	text: 'Hi',
	simplify: true,
	options: isKeyed ? keyOfItem(`key ${index}`) : {},
});

/** Runs a task to its end, in virtual time. @returns what it returns, and how long it took, in ms */
async function inVirtualTime<T>(task: () => Promise<T>): Promise<{ result: T; ms: number }> {
	const began = performance.now();
	let ended: { result: T; ms: number } | undefined;
	let failure: unknown;
	task().then(
		(result) => (ended = { result, ms: performance.now() - began }),
		(error: unknown) => (failure = error),
	);
	while (!ended && failure === undefined) await jest.advanceTimersByTimeAsync(100);
	if (ended) return ended;
	throw failure;
}

let accounts = 0;

/** Sends a list with an account of its own, of which the process knows nothing yet. */
async function send(scenario: Scenario): Promise<Measures> {
	const { messages = 1_000, isKeyed, stops, isSentBefore, queryMs = 20 } = scenario;
	const account = { ...credential, baseUrl: `https://gateway-${++accounts}.example` };
	const store = new DeduplicationStore(async () => await wait(queryMs));
	const storeCalls = () => Object.values(store.calls).reduce((sum, calls) => sum + calls, 0);

	const runOnce = async () => {
		const service = scenario.service();
		const began = performance.now();
		const read = new Set<number>();
		const seen = { requests: 0, underWay: 0, answers: 0, mostUnderWay: 0, mostOpen: 0 };
		let acceptedMs = 0;
		const accepted = new Set<string>();
		let twice = 0;
		const callsBefore = storeCalls();
		const context = makeContext({
			items: Array.from({ length: messages }, (_, index) => itemOf(index, isKeyed)),
			parameters: { options: isKeyed ? keyOfItem('={{ $json.key }}') : {} } as INodeParameters,
			credential: { ...account, itemFields: 'itemFields' }, // the same for all items
			continueOnFail: !stops,
			deduplication: store.helpers(),
			async http(_, { body }) {
				const number = ++seen.requests;
				seen.mostUnderWay = Math.max(seen.mostUnderWay, ++seen.underWay);
				seen.mostOpen = Math.max(seen.mostOpen, read.size - seen.answers);
				try {
					const { to } = body as { to: string };
					const answered = await service({ to, number, underWay: seen.underWay });
					if (answered.statusCode === 200) {
						acceptedMs = performance.now() - began;
						if (accepted.has(to)) twice++;
						accepted.add(to);
					}
					return answered;
				} finally {
					seen.underWay--;
					seen.answers++;
				}
			},
		});
		const { getNodeParameter } = context;
		Object.assign(context, {
			evaluateExpression: (_: string, index: number) => `key ${index}`,
			getNodeParameter(...[name, index, ...more]: Parameters<typeof getNodeParameter>) {
				if (name === 'to') read.add(index);
				return getNodeParameter.call(context, name, index, ...more) as unknown;
			},
		} as Partial<IExecuteFunctions>);
		const execute = async () => await new MessagingGateway().execute.call(context);
		const { result, ms } = await inVirtualTime(execute);
		const outcomes = result[0]!.map(outcomeOf);
		const count = (...wanted: unknown[]) => outcomes.filter((each) => wanted.includes(each)).length;
		return {
			...{ ms, acceptedMs, twice },
			requests: seen.requests,
			notSent: count('refused', 'notStarted') + messages - outcomes.length, // without an output
			inDoubt: count('unknown'),
			mostUnderWay: seen.mostUnderWay,
			mostOpen: seen.mostOpen,
			storeCalls: storeCalls() - callsBefore,
		};
	};

	if (isSentBefore) await runOnce();
	return await runOnce();
}

/** Returns what became of a message that was not accepted. */
const outcomeOf = ({ json }: INodeExecutionData): unknown =>
	(json.error as IDataObject | undefined)?.outcome;

/** Time is judged by the middle run, since a bad one is sometimes bad luck; all else by the worst. */
const isOfTime = (measure: keyof Measures) => measure === 'ms' || measure === 'acceptedMs';

/** What counts, and the worst. */
type Ranges = Record<keyof Measures, { judged: number; worst: number }>;

/** Runs a scenario with each seed. */
async function measure(scenario: Scenario): Promise<Ranges> {
	const runs: Measures[] = [];
	for (const seed of seeds) {
		const random = jest.spyOn(Math, 'random').mockImplementation(randomOf(seed));
		runs.push(await send(scenario));
		random.mockRestore();
	}
	const ranges = entriesOf(runs[0]!).map(([name]) => {
		const sorted = runs.map((run) => run[name]).sort((one, other) => one - other);
		const worst = sorted.at(-1)!;
		const middle = sorted[Math.floor(sorted.length / 2)]!;
		return [name, { judged: isOfTime(name) ? middle : worst, worst }];
	});
	return Object.fromEntries(ranges) as Ranges;
}

const entriesOf = (some: Some) => Object.entries(some) as Array<[keyof Measures, number]>;

// ---- The law -------------------------------------------------------------------------------------------------

const certain: Some = { notSent: 0, inDoubt: 0, twice: 0 };

const shown = (value: number) =>
	Number.isInteger(value) || value >= 10
		? Math.round(value).toLocaleString('en')
		: value.toFixed(2);

/** Describes what a run needed, and the limits. */
function describeRanges(name: string, { atMost }: Scenario, ranges: Ranges): string {
	const cells = entriesOf(atMost).map(([measure, limit]) => {
		const { judged, worst } = ranges[measure];
		const worstCase = worst > judged ? `, worst ${shown(worst)}` : '';
		return `${measure} ${shown(judged)}${worstCase} ≤ ${shown(limit)}`;
	});
	return `${name.padEnd(40)} ${cells.join('; ')}`;
}

describe('the law of pace', () => {
	const table: string[] = [];

	beforeEach(() => jest.useFakeTimers());
	afterAll(() => {
		console.info([`Of ${seeds.length} runs: needed ≤ limit`, ...table].join('\n'));
	});

	test.each(Object.entries(scenarios))('%s', async (name, scenario) => {
		const ranges = await measure(scenario);
		table.push(describeRanges(name, scenario, ranges));
		const broken = entriesOf({ ...certain, ...scenario.atMost })
			.filter(([what, limit]) => ranges[what].judged > limit)
			.map(([what, limit]) => `${what} ${shown(ranges[what].judged)}, at most ${shown(limit)}`);
		expect(broken).toEqual([]);
	});
});
