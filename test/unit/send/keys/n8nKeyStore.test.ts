import fc from 'fast-check';

import type { Claim, EndAction, Key } from '../../../../nodes/send/keys/keyStore';
import { N8nKeyStore } from '../../../../nodes/send/keys/n8nKeyStore';
import { afterCalls, asks, Store } from '../../support/store';

let table: Store;
let store: N8nKeyStore;
beforeEach(() => {
	table = new Store();
	store = new N8nKeyStore(table.helpers, 'instance', 100);
});

const key = (name: string, recipient = '5511912345678'): Key => ({ key: name, recipient });

/** So many keys of a name, e.g. `order-0` and `order-1`. */
const keysOf = (name: string, count: number, recipient?: string) =>
	Array.from({ length: count }, (_, index) => key(`${name}-${index}`, recipient));

const claim = async (keys: Key[]): Promise<Claim[]> => await store.carryOut(asks('claim', ...keys));

type Sent = EndAction | 'unanswered';

/** Claims keys, and ends the claims as a run does. */
async function useAll(keys: Key[], sent: Sent = 'accept'): Promise<Claim[]> {
	const claims = await claim(keys);
	const fresh = keys.filter((_, index) => claims[index] === 'fresh');
	if (sent !== 'unanswered') await store.carryOut(asks(sent, ...fresh));
	return claims;
}

const use = async (named: Key, sent?: Sent): Promise<Claim> => (await useAll([named], sent))[0]!;

test.each<[Sent, Claim, Claim]>([
	['accept', 'accepted', 'elsewhere'],
	['unanswered', 'unanswered', 'unanswered'],
	['release', 'fresh', 'fresh'],
])(
	'a key whose end was %s is %s from then on, and %s for another number',
	async (sent, again, other) => {
		expect(await useAll([key('a'), key('b', '1')], sent)).toEqual(['fresh', 'fresh']);
		for (let time = 0; time < 2; time++) expect(await use(key('a'), sent)).toBe(again);
		expect(await use(key('b', '2'))).toBe(other);
		expect(await use(key('c'))).toBe('fresh');
	},
);

test('a released key whose next message has no answer is in doubt', async () => {
	await use(key('a'), 'release');
	expect(await use(key('a'), 'unanswered')).toBe('fresh');
	expect(await use(key('a'))).toBe('unanswered');
});

describe('a key used for another number', () => {
	test('still belongs to the first number', async () => {
		await use(key('a', '1'));
		for (let time = 0; time < 3; time++) expect(await use(key('a', '2'))).toBe('elsewhere');
		expect(await use(key('a', '1'))).toBe('accepted');
	});

	test('is in doubt if the process died during the look-up, for either number', async () => {
		await use(key('a', '1'));
		await use(key('b'));
		jest.spyOn(table.helpers, 'removeProcessed').mockReturnValueOnce(new Promise(() => {}));
		void claim([key('a', '2')]);
		await afterCalls();
		expect(await use(key('a', '2'))).toBe('unanswered');
		expect(await use(key('a', '1'))).toBe('unanswered');
		expect(await use(key('b'))).toBe('accepted'); // which was not looked up
	});
});

describe('keys that are read', () => {
	const [fresh, accepted, unanswered] = [key('f'), key('a'), key('u')];
	beforeEach(async () => {
		await use(accepted);
		await use(unanswered, 'unanswered');
	});

	test('have the state that a claim would return, and keep it', async () => {
		const asked = [unanswered, fresh, { ...accepted, recipient: '2' }, key('f2')];
		const expected: Claim[] = ['unanswered', 'fresh', 'elsewhere', 'fresh'];
		const before = table.table.dump();
		for (let time = 0; time < 2; time++)
			expect(await store.carryOut(asks('read', ...asked))).toEqual(expected);
		expect(await store.carryOut(asks('read', accepted))).toEqual(['accepted']);
		expect(table.table.dump()).toEqual(before);
		expect(await claim(asked)).toEqual(expected);
	});

	test('are in doubt if the process died in between, never fresh or accepted', async () => {
		jest.spyOn(table.helpers, 'removeProcessed').mockReturnValueOnce(new Promise(() => {}));
		void store.carryOut(asks('read', fresh, accepted, unanswered));
		await afterCalls();
		const all = [fresh, accepted, unanswered];
		expect(await store.carryOut(asks('read', ...all))).toEqual(all.map(() => 'unanswered'));
		expect(await claim(all)).toEqual(all.map(() => 'unanswered'));
	});

	test.each([0, 1, 2, 3])('never accepted or fresh if dead after %i removals', async (count) => {
		const doubted = keysOf('doubted', 60);
		await useAll(doubted, 'unanswered');
		const { removeProcessed } = table.helpers;
		let calls = 0;
		jest.spyOn(table.helpers, 'removeProcessed').mockImplementation(async (...args) => {
			expect(args[0].length).toBeLessThanOrEqual(100); // n8n searches all entries for each of them
			await (calls++ < count ? removeProcessed(...args) : new Promise(() => {}));
		});
		void store.carryOut(asks('read', ...doubted, ...keysOf('fresh', 60)));
		for (let time = 0; time < 4; time++) await afterCalls();
		expect(calls).toBe(count + 1);
		jest.restoreAllMocks();
		expect(new Set(await claim(doubted))).toEqual(new Set(['unanswered']));
	});

	test('push no other keys out, however many they are', async () => {
		const list = keysOf('order', 100);
		for (let run = 0; run < 8; run++) await useAll(keysOf(`before-${run}`, 100));
		await useAll(list);
		await store.carryOut(asks('read', ...keysOf('new', 1_300)));
		expect(new Set(await claim(list))).toEqual(new Set(['accepted']));
	});
});

test('claims of one call do not affect each other, and ends come first', async () => {
	const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => key(name)) as [Key, Key, Key, Key];
	expect(await claim([a, b, c])).toEqual(['fresh', 'fresh', 'fresh']);
	const ended = [...asks('accept', a), ...asks('release', b)];
	const claims = await store.carryOut([...ended, ...asks('claim', a, b, c, d)]);
	expect(claims).toEqual(['accepted', 'fresh', 'unanswered', 'fresh']);
});

test.each<[Key, Key]>([
	[key('2:b', '1'), key('b', '1:2')],
	[key('key:x'), key('x')],
	[
		{ ...key('a'), scope: 'key' },
		{ ...key('a'), scope: 'keyAndNumber' },
	],
])('%j and %j, alike as they are, are told apart', async (one, other) => {
	expect([await use(one), await use(other)]).toEqual(['fresh', 'fresh']);
});

test('what n8n stores tells neither keys nor numbers, not even to who guesses them', async () => {
	const entriesOf = async (instanceId: string) => {
		const record = jest.spyOn(table.helpers, 'checkProcessedAndRecord');
		const remove = jest.spyOn(table.helpers, 'removeProcessed');
		store = new N8nKeyStore(table.helpers, instanceId, 100);
		const keys = [key('order-1'), { ...key('order-1 55'), scope: 'keyAndNumber' as const }];
		expect(await useAll(keys)).toEqual(['fresh', 'fresh']); // of an instance of its own
		expect(await store.carryOut(asks('read', ...keys))).toEqual(['accepted', 'accepted']);
		const entries = [...record.mock.calls, ...remove.mock.calls].flatMap(([sent]) => sent);
		jest.restoreAllMocks();
		return new Set(entries as string[]);
	};
	const [one, other] = [await entriesOf('one'), await entriesOf('other')];
	expect(one.size).toBe(8); // four of each key
	expect(new Set([...one, ...other]).size).toBe(16);
	for (const entry of one) expect(entry).toMatch(/^[\w-]{43}$/); // a hash
});

describe.each([0.9, 1])('a list of %d times the capacity', (share) => {
	const list = keysOf('order', 100 * share);
	const inBatches = async (keys: Key[], sent?: Sent) => {
		const claims: Claim[] = [];
		for (let at = 0; at < keys.length; at += 7) {
			claims.push(...(await useAll(keys.slice(at, at + 7), sent)));
		}
		return claims;
	};

	test.each<[Sent, Claim]>([
		['accept', 'accepted'],
		['unanswered', 'unanswered'],
	])('is known in every later run after it was %s', async (sent, expected) => {
		// What the node has sent before: the store is full.
		for (let run = 0; run < 7; run++) await inBatches(keysOf(`before-${run}`, 100));
		await inBatches(list, sent);
		for (let run = 0; run < 3; run++) {
			expect(new Set(await inBatches(list, sent))).toEqual(new Set([expected]));
		}
	});

	test('is known after runs in another order, and of parts of it', async () => {
		await inBatches(list);
		await fc.assert(
			fc.asyncProperty(fc.shuffledSubarray(list), async (part) => {
				expect((await inBatches(part)).every((claim) => claim === 'accepted')).toBe(true);
			}),
			{ numRuns: 10 },
		);
	});
});

test('looking up as many keys as the store keeps pushes none of them out', async () => {
	store = new N8nKeyStore(table.helpers, 'instance', 1_300);
	await useAll(keysOf('order', 1_300, '1'));
	expect(new Set(await claim(keysOf('order', 1_300, '2')))).toEqual(new Set(['elsewhere']));
	expect(new Set(await claim(keysOf('order', 1_300, '1')))).toEqual(new Set(['accepted']));
});

test('the row stops growing', async () => {
	for (let run = 0; run < 15; run++) await useAll(keysOf(`order-${run}`, 100));
	const place = { workflow: { id: 'workflow-1' }, node: { id: 'node-1' } } as never;
	const entries = await table.table.getProcessedDataCount('node', place, { mode: 'entries' });
	expect(entries).toBe(3 * 100 + 4 * 500);
});
