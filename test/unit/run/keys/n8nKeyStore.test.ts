import fc from 'fast-check';

import type { Claim, Ending, Key } from '../../../../nodes/MessagingGateway/run/keys/keyStore';
import { N8nKeyStore } from '../../../../nodes/MessagingGateway/run/keys/n8nKeyStore';
import { Store } from '../../support/store';

let table: Store;
let store: N8nKeyStore;
beforeEach(() => {
	table = new Store();
	store = new N8nKeyStore(table.helpers, 100);
});

const key = (name: string, recipient = '5511912345678'): Key => ({ key: name, recipient });

/** Claims one key, and ends the claim as a run does. */
async function use(named: Key, sent: Ending = 'accepted'): Promise<Claim> {
	const [claim] = await store.claim([named]);
	await store.end([{ ...named, ending: claim === 'fresh' ? sent : claim! }]);
	return claim!;
}

test.each<[Ending, Claim]>([
	['accepted', 'accepted'],
	['unanswered', 'unanswered'],
	['released', 'fresh'],
])('a key whose message was %s is %s from then on', async (ending, told) => {
	expect(await use(key('a'), ending)).toBe('fresh');
	expect(await use(key('a'), ending)).toBe(told);
	expect(await use(key('a'), ending)).toBe(told);
	expect(await use(key('b'))).toBe('fresh');
});

test('a key that nothing has ended is unanswered', async () => {
	await store.claim([key('a')]);
	expect(await use(key('a'))).toBe('unanswered');
});

describe('a key used for another number', () => {
	test.each<[Ending, Claim]>([
		['accepted', 'elsewhere'],
		['unanswered', 'unanswered'],
		['released', 'fresh'],
	])('after its message was %s is %s', async (ending, told) => {
		await use(key('a', '1'), ending);
		expect(await use(key('a', '2'))).toBe(told);
	});

	test('stays the one of the first number', async () => {
		await use(key('a', '1'));
		for (let time = 0; time < 3; time++) expect(await use(key('a', '2'))).toBe('elsewhere');
		expect(await use(key('a', '1'))).toBe('accepted');
	});

	test('is in doubt where the process died before that was filed', async () => {
		await use(key('a', '1'));
		await store.claim([key('a', '2')]);
		expect(await use(key('a', '2'))).toBe('unanswered');
	});
});

test('claims of one call do not touch each other', async () => {
	const all = ['a', 'b', 'c'].map((name) => key(name));
	expect(await store.claim(all)).toEqual(['fresh', 'fresh', 'fresh']);
	await store.end([
		{ ...all[0]!, ending: 'accepted' },
		{ ...all[1]!, ending: 'released' },
		{ ...all[2]!, ending: 'unanswered' },
	]);
	expect(await store.claim([...all, key('d')])).toEqual([
		'accepted',
		'fresh',
		'unanswered',
		'fresh',
	]);
});

test('keys and numbers that look alike written together are told apart', async () => {
	await use(key('2:b', '1'));
	expect(await use(key('b', '1:2'))).toBe('fresh');
	await use(key('key:x', '3'));
	expect(await use(key('x', '3'))).toBe('fresh');
});

describe.each([0.9, 1])('a list of %d times the capacity', (share) => {
	const list = Array.from({ length: 100 * share }, (_, index) => key(`order-${index}`));
	const inBatches = async (keys: Key[], sent: Ending = 'accepted') => {
		const claims: Claim[] = [];
		for (let at = 0; at < keys.length; at += 7) {
			const batch = keys.slice(at, at + 7);
			const told = await store.claim(batch);
			claims.push(...told);
			await store.end(
				batch.map((named, index) => ({
					...named,
					ending: told[index] === 'fresh' ? sent : told[index]!,
				})) as never,
			);
		}
		return claims;
	};

	test.each<[Ending, Claim]>([
		['accepted', 'accepted'],
		['unanswered', 'unanswered'],
	])('is known whenever it is run again, all of it %s', async (sent, told) => {
		// What the node has sent before: the store is full.
		for (let run = 0; run < 60; run++) {
			await inBatches(Array.from({ length: 100 }, (_, index) => key(`before-${run}-${index}`)));
		}
		await inBatches(list, sent);
		for (let run = 0; run < 3; run++) {
			expect(new Set(await inBatches(list, sent))).toEqual(new Set([told]));
		}
	});

	test('is known after a run of it in another order, and of parts of it', async () => {
		await inBatches(list);
		await fc.assert(
			fc.asyncProperty(fc.shuffledSubarray(list), async (part) => {
				expect((await inBatches(part)).every((claim) => claim === 'accepted')).toBe(true);
			}),
			{ numRuns: 20 },
		);
	});
});

test('the row does not grow without end', async () => {
	for (let index = 0; index < 1_500; index++) await use(key(`order-${index}`));
	const entries = async () =>
		await table.table.getProcessedDataCount(
			'node',
			{ workflow: { id: 'workflow-1' }, node: { id: 'node-1' } } as never,
			{ mode: 'entries' },
		);
	expect(await entries()).toBeLessThanOrEqual(2 * 100 + 2_000);
	expect(await entries()).toBeGreaterThanOrEqual(2 * 100);
});
