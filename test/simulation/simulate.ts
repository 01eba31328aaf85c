/** Generates and runs worlds in which messages are sent. */
import fc from 'fast-check';

import { N8n, figures, type Plan, type Scenario } from './n8n';
import { answerNames, type AnswerName, type Fault, type ListAnswer, type Outage } from './service';
import { Violation } from './violation';
import { World } from './world';

const nearlyAlways = <T, U>(usual: T, other: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
	fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, other);

const numbers = ['+5511900100001', '+5511900100002', '+5511900100003'];

/** Its order is the key, which nearly always belongs to the same number. */
const messageOf = (orders: number) =>
	fc
		.record({
			order: fc.nat(orders - 1),
			isElsewhere: nearlyAlways(0, fc.constant(1)),
			account: nearlyAlways('key-of-most', fc.constant('key-of-some')),
			unreadable: nearlyAlways(undefined, fc.constantFrom('at first' as const, 'later' as const)),
		})
		.map(({ order, isElsewhere, ...more }) => ({
			to: numbers[(order + isElsewhere) % 3]!,
			key: `order ${order}`,
			...more,
		}));

const shortList = fc.array(messageOf(5), { minLength: 1, maxLength: 5 });

/** An outage ends a run after eight losses or more. */
const longList = fc.array(messageOf(20), { minLength: 14, maxLength: 20 });

const hours = fc.constantFrom('schedule', 'skip', 'refuse');

/** Nearly nothing but an outage ends such a run early, and the next one has much of the same to send. */
const longPlan = {
	isLater: nearlyAlways(true, fc.boolean()),
	messages: longList,
	continueOnFail: nearlyAlways(true, fc.boolean()),
	outside: nearlyAlways(null, hours),
};

const planOn = (processes: number, more: Partial<typeof longPlan>): fc.Arbitrary<Plan> =>
	fc
		.record({
			isLater: fc.boolean(),
			process: fc.nat(processes - 1),
			channel: fc.constantFrom('sms' as const, 'sms' as const, 'chatApp' as const),
			messages: shortList,
			isKeyed: fc.constantFrom(true, true, false),
			isPerNumber: fc.constantFrom(false, false, true),
			isIdempotent: nearlyAlways(false, fc.constant(true)),
			continueOnFail: fc.boolean(),
			retryOnFail: fc.boolean(),
			maxConcurrency: fc.integer({ min: 1, max: 3 }),
			maxRetries: fc.nat(2),
			outside: fc.option(hours, { freq: 2 }),
			asksList: fc.constantFrom(false, false, true),
			stopAfter: nearlyAlways(undefined, fc.nat(30)),
			timeOutAfter: nearlyAlways(undefined, fc.nat(30)),
			retryAfter: fc.constantFrom(undefined, undefined, undefined, 4, 12, 20),
			savesAtStop: fc.boolean(),
			retries: fc.nat(2),
			...more,
		})
		.map(({ messages, channel, isKeyed, isPerNumber, isIdempotent, continueOnFail, ...plan }) => ({
			...plan,
			isIdempotent,
			// An idempotent operation has no key, and its error does not say whether there is doubt.
			continueOnFail: continueOnFail || isIdempotent,
			messages: messages.map(({ key, ...more }) =>
				isKeyed && !isIdempotent ? { ...more, channel, key, isPerNumber } : { ...more, channel },
			),
		}));

const outage: fc.Arbitrary<Outage> = fc.record({
	after: fc.nat(10),
	ms: fc.constantFrom(1, 2_000, 20_000, Infinity),
	by: fc.constantFrom(
		'unclear' as const,
		'cutOff' as const,
		'silence' as const,
		'keyRefused' as const,
	),
	of: fc.constantFrom(null, 'key-of-most'),
});

const scenario = (
	store: Scenario['store'],
	processes: number,
	plan: Partial<typeof longPlan> = {},
): fc.Arbitrary<Scenario> =>
	fc.record({
		store: fc.constant(store),
		plans: fc.array(planOn(processes, plan), { minLength: 1, maxLength: 3 }),
		outage: fc.constant<Outage | null>(null),
		crashes: fc.array(fc.nat(100), { maxLength: 2 }),
		answers: fc.array(fc.oneof(fc.constant<AnswerName>('yes'), fc.constantFrom(...answerNames)), {
			maxLength: 12,
		}),
		limit: fc.option(
			fc.record({
				of: fc.constantFrom('chatApp', ...numbers),
				by: fc.constantFrom('busy' as const, 'pause' as const, 'closed' as const),
			}),
			{ freq: 2 },
		),
		faults: fc.oneof(
			fc.constant<Fault[]>([]),
			fc.array(
				nearlyAlways<Fault, Fault>('none', fc.constantFrom('before', 'after', 'slow', 'waits')),
				{ maxLength: 12 },
			),
		),
		isOld: fc.boolean(),
		blocked: fc.constantFrom(...numbers),
		listAnswers: fc.array(
			fc.oneof(
				fc.constant<ListAnswer>('whole'),
				fc.constantFrom<ListAnswer>('whole', 'waits', 'fails', 'short', 'slow'),
			),
			{ maxLength: 6 },
		),
	});

/** Worlds with an outage, in which little else goes wrong. */
const inOutage = (store: Scenario['store'], processes: number): fc.Arbitrary<Scenario> =>
	fc
		.tuple(scenario(store, processes, longPlan), outage, fc.nat(3))
		.map(([made, its, more]) => ({
			...made,
			outage: its,
			...(more > 0 && { crashes: [], faults: [] }),
			...(more > 1 && { limit: null }),
		}));

/** Lawful worlds: n8n's own store works within one process. */
export const lawful = fc.oneof(
	scenario('n8n', 1),
	scenario('workflow', 2),
	inOutage('n8n', 1),
	inOutage('workflow', 2),
);

/** Unlawful ones: processes that share n8n's own store lose each other's keys. No run is stopped: it loses keys that it gives back. */
export const racing = scenario('n8n', 2).map(({ plans, ...more }) => ({
	...more,
	plans: plans.map((plan) => ({ ...plan, stopAfter: undefined, timeOutAfter: undefined })),
}));

/** Runs worlds until one breaks the law. The same seed generates the same worlds. */
export async function simulate(scenarios: fc.Arbitrary<Scenario>, worlds: number, seed: number) {
	const property = fc.asyncProperty(scenarios, fc.scheduler(), async (made, scheduler) => {
		figures.worlds++;
		const world = new World(scheduler);
		const n8n = new N8n(world, made);
		await world.run(n8n.law.check);
		n8n.law.endsAll();
		figures.waits += world.waits;
		if (n8n.open > 0) throw new Violation('Every execution comes to an end');
	});
	const result = await fc.check(property, { seed, numRuns: worlds });
	const { message } = (result.errorInstance ?? {}) as Partial<Error>;
	return { ...result, report: `${message}\n${fc.defaultReportMessage(result)}` };
}
