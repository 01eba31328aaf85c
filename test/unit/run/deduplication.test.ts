import { setImmediate as turn } from 'node:timers/promises';

import { Deduplication } from '../../../nodes/MessagingGateway/run/deduplication';
import { Store } from '../support/store';

let store: Store;
beforeEach(() => {
	store = new Store();
});

/** What a later execution is told of a key. */
async function later(key: string) {
	const deduplication = new Deduplication(store.helpers, 'node');
	const claim = await deduplication.claim(key);
	await deduplication.settle();
	return claim;
}

/** Ways to end a claim, and what later executions are told. */
const endings = [
	['accepted', 'markAccepted', 'accepted'],
	['refused', 'release', 'fresh'],
	['without an answer', undefined, 'unanswered'],
] as const;

describe.each(endings)('a key whose message was %s', (_, end, told) => {
	test.each([
		['while the store is idle', turn],
		['at the very moment it was claimed', undefined],
	])('%s: later executions are told so', async (_when, wait) => {
		const deduplication = new Deduplication(store.helpers, 'node');
		expect(await deduplication.claim('order-1')).toBe('fresh');
		if (wait) await wait();
		if (end) deduplication[end]('order-1');
		await deduplication.settle();
		expect(await later('order-1')).toBe(told);
		if (told === 'fresh') return; // the look-up claimed it
		expect(await later('order-1')).toBe(told);
	});

	test('is the same to this execution', async () => {
		const deduplication = new Deduplication(store.helpers, 'node');
		await deduplication.claim('order-1');
		await turn();
		if (end) deduplication[end]('order-1');
		expect(await deduplication.claim('order-1')).toBe(told);
	});
});

test('a claim made the moment another one is answered is answered, too', async () => {
	const deduplication = new Deduplication(store.helpers, 'node');
	expect(await deduplication.claim('order-1')).toBe('fresh');
	let claim: string | undefined;
	void deduplication.claim('order-2').then((told) => (claim = told));
	for (let wait = 0; wait < 5; wait++) await turn();
	expect(claim).toBe('fresh');
});

test('keys do not touch each other', async () => {
	const deduplication = new Deduplication(store.helpers, 'node');
	await Promise.all(['a', 'b', 'c'].map(async (key) => await deduplication.claim(key)));
	await turn();
	deduplication.markAccepted('a');
	deduplication.release('b');
	await deduplication.settle();
	expect(await Promise.all(['a', 'b', 'c', 'd'].map(later))).toEqual([
		'accepted',
		'fresh',
		'unanswered',
		'fresh',
	]);
});

test('the store is called in batches', async () => {
	const deduplication = new Deduplication(store.helpers, 'node');
	const keys = Array.from({ length: 1_000 }, (_, index) => `order-${index}`);
	await Promise.all(keys.map(async (key) => await deduplication.claim(key)));
	await turn();
	keys.forEach((key) => deduplication.markAccepted(key));
	await deduplication.settle();
	expect(store.calls).toBe(2);
});

test('an accepted key takes one entry, however often it comes again', async () => {
	const deduplication = new Deduplication(store.helpers, 'node');
	const removed = jest.spyOn(store.helpers, 'removeProcessed');
	await deduplication.claim('order-1');
	await turn();
	deduplication.markAccepted('order-1');
	await deduplication.settle();
	await later('order-1');
	expect(removed.mock.calls.map(([entries]) => entries)).toEqual([
		['messagingGateway:open:order-1'],
		['messagingGateway:open:order-1'],
	]);
});

test('a store that does not answer gives no claim', async () => {
	const checkProcessedAndRecord = jest.fn().mockRejectedValueOnce(new Error('database is locked'));
	const deduplication = new Deduplication({ ...store.helpers, checkProcessedAndRecord }, 'node');
	await expect(deduplication.claim('order-1')).rejects.toThrow('database is locked');
});

test.each(['markAccepted', 'release'] as const)(
	'a store that does not take %s leaves the key unanswered',
	async (end) => {
		const removeProcessed = async () => await Promise.reject(new Error('database is locked'));
		const deduplication = new Deduplication({ ...store.helpers, removeProcessed }, 'node');
		await deduplication.claim('order-1');
		await turn();
		deduplication[end]('order-1');
		await deduplication.settle();
		expect(await later('order-1')).toBe('unanswered');
	},
);

test("executions at the same moment keep each other's keys", async () => {
	const keys = Array.from({ length: 5 }, (_, index) => `order-${index}`);
	await Promise.all(
		keys.map(async (key, index) => {
			const execution = new Deduplication(store.helpers, 'node');
			expect(await execution.claim(key)).toBe('fresh');
			if (index % 2 === 0) execution.markAccepted(key);
			await execution.settle();
		}),
	);
	for (const [index, key] of keys.entries()) {
		expect(await later(key)).toBe(index % 2 === 0 ? 'accepted' : 'unanswered');
	}
});

test('of executions that claim one key at the same moment, one gets it', async () => {
	const claims = Array.from({ length: 3 }, async () => await later('order-1'));
	expect((await Promise.all(claims)).sort()).toEqual(['fresh', 'unanswered', 'unanswered']);
});
