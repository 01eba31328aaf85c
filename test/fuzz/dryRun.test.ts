/**
 * With any items and options, a dry run predicts what a real run then does with each item, without a
 * request and without changing the stored keys.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { onceBy } from '../../tools/shared/deduplication';
import { keysInWorkflow } from '../engine/action/keysInWorkflow';
import {
	jsonOf,
	scheduleOf,
	sends,
	useGateway,
	type ActionOptions,
} from '../engine/action/support';
import { deduplication } from '../engine/harness';
import { instantsOf } from '../unit/support/clock';
import { Finding, fuzz } from './support/fuzz';

const gateway = useGateway();
const perCase = 10;

/** The time of every case, so that both of its runs happen in the same minute. */
const now = Date.parse('2030-11-25T12:00:00-05:00');
const machine = Date.now;
let ahead = 0;
beforeAll(() => (Date.now = () => machine() + ahead));
afterAll(() => (Date.now = machine));

const good = ['+55 11 91234-5678', '5511912345678', '+55 21 98765-4321', '+1 202 555 0143'];
const others = [
	'+44 7400 123456',
	'+55 11 3333-4444',
	'+351 912 345 678',
	'+800 1234 5678',
	'+39 06 6982',
];
const bad = ['', '12', 'Ana', '011912345678', '+55 11 91234-5678 / 9', '2024-12-31', '+55 0'];
const number = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(...good, ...others) },
	{ weight: 3, arbitrary: fc.integer({ min: 0, max: 99 }).map((n) => `+55119123456${n + 10}`) },
	{ weight: 2, arbitrary: fc.constantFrom(...bad) },
);
const text = fc.oneof(
	fc.constantFrom('Hello', 'Olá, ção', 'x'.repeat(161), '“Hi” 😀', 'ã'.repeat(71), 'é'.repeat(153)),
	fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' }),
	fc.constantFrom('', ' '),
);
const schedule = fc.oneof(
	{ weight: 6, arbitrary: fc.constant('') },
	fc.constantFrom('2030-11-26T10:00:00-05:00', '2030-12-01T23:30:00Z', '2020-01-01', 'soon'),
);
const key = fc.integer({ min: 0, max: 6 }).map((n) => (n === 0 ? '' : `key-${n}`));

const row = fc.record({ to: number, text, key, schedule });
const before = fc.record({
	to: fc.constantFrom(...good),
	key: fc.integer({ min: 1, max: 6 }).map((n) => `key-${n}`),
	fate: fc.constantFrom('accepted', 'accepted', 'refused', 'unknown'),
});

const option = <T>(value: T) => fc.option(fc.constant(value), { nil: undefined, freq: 3 });
const cases = fc.record({
	id: fc.constantFrom(...sends, 'sendSms' as const),
	rows: fc.array(row, { minLength: perCase, maxLength: perCase }),
	before: fc.array(before, { maxLength: 4 }),
	keys: fc.constantFrom('none', 'n8n', 'n8n', 'workflow'),
	isStopping: fc.boolean(),
	maxConcurrency: fc.integer({ min: 1, max: 12 }),
	scheduled: fc.boolean(),
	outside: fc.constantFrom(undefined, undefined, 'schedule', 'skip', 'refuse'),
	sms: fc.record({
		maxSegments: option(1),
		characters: fc.constantFrom(undefined, 'asEntered', 'plain'),
	}),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function actionOf(
	{ rows, id, keys, scheduled, outside, sms, maxConcurrency }: Case,
	store: object,
) {
	const windows = { values: [{ from: '08:00', to: '11:00' }] };
	const hours = { windows, timezone: 'America/New_York', outside };
	const options = {
		...(keys !== 'none' && onceBy('={{ $json.key || "row-" + $itemIndex }}')),
		...(outside && { sendBetween: { values: hours } }),
		...(id === 'sendSms' && sms),
	};
	const parameters = {
		...(id === 'sendSms' && { text: '={{ $json.text }}' }),
		...(scheduled && { scheduleAt: '={{ $json.schedule || "2030-11-25T23:00:00-05:00" }}' }),
	};
	const rules = { maxConcurrency, ...(keys === 'workflow' && { deduplicationWorkflowId: 'keys' }) };
	const items = rows.map((one) => ({ ...one }));
	return { items, parameters, options, rules, ...store } as unknown as ActionOptions;
}

/** How often what would be sent, each reason why not, and each state of a key, was seen. */
const seen: Record<string, number> = { sent: 0, refused: 0, unknown: 0 };
Object.assign(seen, { fresh: 0, skipped: 0, inDoubt: 0, elsewhere: 0, later: 0 });

fuzz(
	'dryRun',
	cases,
	async (given) => {
		const { id, isStopping } = given;
		ahead = now - machine();
		gateway.sandbox.reset();
		deduplication.reset();
		const table = keysInWorkflow();
		const action = actionOf(given, { subWorkflow: table.subWorkflow });
		await usedBefore(given, action);

		const stored = [deduplication.dump(), table.dump()];
		const requests = gateway.sandbox.requests().length;
		const onError = isStopping ? ('stopWorkflow' as const) : ('continueRegularOutput' as const);
		const options = { ...action.options, dryRun: true };
		const dry = jsonOf(await gateway.run(id, { ...action, options, onError }));
		check(given, 'requests', gateway.sandbox.requests().length, requests);
		check(given, 'stores', [deduplication.dump(), table.dump()], stored);

		const real = jsonOf(await gateway.run(id, { ...action, onError: 'continueRegularOutput' }));
		const isElsewhere = ({ explanation }: IDataObject) =>
			String(explanation).includes('was used for a message to another number');
		// A list with equal keys is refused as a whole, unless the node continues.
		if (!isStopping || !dry.some(isElsewhere)) {
			check(given, 'what would be sent', dry.map(foretold), real.map(meaningOf));
		}
		for (const shown of dry) {
			const { wouldSend, reason, deduplication: state, sendAt } = shown;
			const fate = wouldSend ? 'sent' : reason;
			const kinds = [fate, state, isElsewhere(shown) && 'elsewhere', sendAt && 'later'];
			for (const kind of kinds) if (kind) seen[String(kind)] = (seen[String(kind)] ?? 0) + 1;
		}
	},
	{ share: 0.2 },
);

/** Sends messages of earlier runs: accepted, refused, or without an answer. */
async function usedBefore({ id, before: used, keys }: Case, action: ActionOptions) {
	if (keys === 'none') return;
	const { deduplication: key } = action.options!;
	const rules = { ...action.rules, timeout: 1_000 };
	for (const { to, key: name, fate } of used) {
		const status = { accepted: undefined, refused: 400, unknown: 500 }[fate];
		if (status) gateway.sandbox.fault({ times: 1, fault: { status } });
		await gateway.run(id, {
			...action,
			items: [{ to, key: name, text: 'Hello' }],
			options: { deduplication: key! },
			rules,
			onError: 'continueRegularOutput',
		});
		gateway.sandbox.clearFaults();
	}
}

/** What both runs report about an item, in the terms of the dry run. */
function foretold({ dryRun, wouldSend, numberType, ...rest }: IDataObject) {
	const isWhole = dryRun === true && (!wouldSend || numberType !== undefined);
	const { to, channel, segments, encoding, sendAt } = rest;
	const at = sendAt === undefined ? undefined : Date.parse(String(sendAt));
	if (wouldSend) return { isWhole, wouldSend, to, channel, segments, encoding, at };
	const { reason, explanation, hint, skipped, deduplicationKey: of } = rest;
	return { isWhole, wouldSend, reason, explanation, hint, skipped, of };
}

function meaningOf({ error, skipped, ...sent }: IDataObject) {
	const isWhole = true;
	if (error) {
		const { outcome: reason, message: explanation, hint } = error as IDataObject;
		return { isWhole, wouldSend: false, reason, explanation, hint };
	}
	const { reason, explanation, deduplicationKey: of } = sent;
	if (skipped) return { isWhole, wouldSend: false, reason, explanation, skipped, of };
	const { messageId, to, channel, segments, encoding } = sent;
	const [message] = gateway.sandbox.accepted({ messageId: String(messageId) });
	return { isWhole, wouldSend: true, to, channel, segments, encoding, at: timeIn(message!.body) };
}

/** When a message is to be sent, as its request says. */
function timeIn(body: unknown): number | undefined {
	const entered = String(scheduleOf({ body }));
	if (entered === '') return undefined;
	const isLocal = 'schedule' in (body as object);
	return isLocal ? instantsOf('America/New_York', entered)[0] : Date.parse(entered);
}

function check(given: Case, what: string, found: unknown, expected: unknown): void {
	const [one, other] = [found, expected].map((value) => JSON.stringify(value));
	if (one === other) return;
	throw new Finding('other findings', `${what}: ${one} ≠ ${other} of ${JSON.stringify(given)}`);
}

test('all of it happens', () =>
	expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]));
