import { setImmediate as turn } from 'node:timers/promises';

import { KeyRow } from '../../../../nodes/MessagingGateway/run/keys/keyRow';
import type { Ended, Key, KeyStore } from '../../../../nodes/MessagingGateway/run/keys/keyStore';
import { N8nKeyStore } from '../../../../nodes/MessagingGateway/run/keys/n8nKeyStore';
import { afterCalls, Store } from '../../support/store';

let table: Store;
let store: KeyStore;
let row: KeyRow;
beforeEach(() => {
	table = new Store();
	store = new N8nKeyStore(table.helpers);
	row = KeyRow.open('row');
});
afterEach(async () => await row.close());

const named = (key: string): Key => ({ key, recipient: '5511912345678' });
const names = (count: number) => Array.from({ length: count }, (_, index) => named(`k${index}`));

/** Claims a key whose caller can't go on without an answer. */
async function claim(key: string, own = store) {
	const claimed = row.ask('claim', own, named(key));
	void row.flush();
	return await claimed;
}
async function end(key: string, ending: Ended['ending'], own = store) {
	void row.end(own, { ...named(key), ending });
	await row.flush();
}

test('everything that waits goes in one call, once somebody flushes', async () => {
	const claims = names(1_000).map(async (key) => await row.ask('claim', store, key));
	const ended = row.end(store, { ...named('ended'), ending: 'accepted' });
	await turn();
	expect([table.calls, row.waiting]).toEqual([0, 1_000]);
	await row.flush();
	expect(new Set(await Promise.all(claims))).toEqual(new Set(['fresh']));
	await ended;
	expect([table.calls, row.waiting]).toEqual([1, 0]);
});

test('what comes up during a call goes with the next one, once somebody flushes', async () => {
	const first = claim('a');
	const later = [row.ask('claim', store, named('b')), row.ask('claim', store, named('c'))];
	expect(row.isBusy).toBe(true);
	await first;
	await afterCalls();
	expect([table.calls, row.isBusy]).toEqual([1, false]);
	await row.flush();
	await Promise.all(later);
	expect(table.calls).toBe(2);

	void claim('d');
	await Promise.all(names(5).map(async ({ key }) => await claim(key)));
	expect(table.calls).toBe(4);
});

test('keys are read with the next call, after its ends and claims', async () => {
	await claim('a');
	const read = jest.spyOn(store, 'read');
	void row.end(store, { ...named('a'), ending: 'accepted' });
	const states = ['a', 'b', 'c'].map(async (key) => await row.ask('read', store, named(key)));
	void row.ask('claim', store, named('c'));
	expect(row.waiting).toBe(4);
	await row.flush();
	expect(await Promise.all(states)).toEqual(['accepted', 'fresh', 'unanswered']);
	expect(read).toHaveBeenCalledTimes(1);
	expect(await claim('b')).toBe('fresh');
});

test('a read that fails rejects only those who read', async () => {
	jest.spyOn(store, 'read').mockRejectedValueOnce(new Error('database is locked'));
	const read = row.ask('read', store, named('a'));
	const claimed = row.ask('claim', store, named('b'));
	void row.flush();
	await expect(read).rejects.toThrow('database is locked');
	expect(await claimed).toBe('fresh');
});

test('without ends or claims, the store is not called', async () => {
	const update = jest.spyOn(store, 'update');
	await row.flush();
	expect(update).not.toHaveBeenCalled();
});

test("simultaneous executions do not lose each other's keys", async () => {
	const all = names(20);
	const execution = async ({ key }: Key) => {
		const own = new N8nKeyStore(table.helpers);
		expect(await claim(key, own)).toBe('fresh');
		await turn();
		await end(key, 'accepted', own);
	};
	await Promise.all(all.map(execution));
	for (const { key } of all) expect(await claim(key)).toBe('accepted');
});

test('a key released and claimed in the same call is free', async () => {
	await claim('a');
	const ended = end('a', 'released');
	expect(await claim('a')).toBe('fresh');
	await ended;
});

test('the store of the latest caller is used, whose execution is under way', async () => {
	const other = new N8nKeyStore(new Store().helpers);
	const update = jest.spyOn(other, 'update');
	void row.ask('claim', store, named('a'));
	await claim('b', other);
	expect(update).toHaveBeenCalledTimes(1);
	expect(table.calls).toBe(0);
});

test('a store that fails gives no claim, and the next call asks it again', async () => {
	const update = jest.spyOn(store, 'update').mockRejectedValueOnce(new Error('database is locked'));
	await expect(claim('a')).rejects.toThrow('database is locked');
	expect(await claim('a')).toBe('fresh');
	expect(update).toHaveBeenCalledTimes(2);
});

test.each(['accepted', 'released'] as const)(
	'a store that fails to record a key as %s leaves it unanswered',
	async (ending) => {
		await claim('a');
		jest.spyOn(store, 'update').mockRejectedValueOnce(new Error('database is locked'));
		await end('a', ending);
		expect(await claim('a')).toBe('unanswered');
	},
);

test('a claim that makes the store fail costs no accepted message its record', async () => {
	await Promise.all([claim('a'), claim('b')]);
	const { update } = store;
	let stored = 0;
	const spy = jest.spyOn(store, 'update').mockImplementation(async (ended, claimed) => {
		await turn();
		if (claimed.some(({ key }) => key === 'bad')) throw new Error('invalid byte sequence');
		const claims = await update.call(store, ended, claimed);
		stored += ended.length;
		return claims;
	});
	void row.end(store, { ...named('a'), ending: 'accepted' });
	void row.end(store, { ...named('b'), ending: 'released' });
	await expect(claim('bad')).rejects.toThrow('invalid byte sequence');
	await row.flush();
	expect(stored).toBe(1); // before its execution may end
	expect(spy).toHaveBeenCalledTimes(2);
	expect(await claim('a')).toBe('accepted');
	// Others may have claimed it by now, if the store took the release before it failed.
	expect(await claim('b')).toBe('unanswered');
});

test('after a timeout, the store is not asked for those that wait', async () => {
	const timeout = Object.assign(new Error('it took too long'), { isTimeout: true });
	let fail = () => {};
	const update = jest.spyOn(store, 'update').mockReturnValueOnce(
		new Promise((_, reject) => {
			fail = () => reject(timeout);
		}),
	);
	const read = jest.spyOn(store, 'read');
	const claims = [claim('a')];
	await afterCalls();
	claims.push(claim('b'), row.ask('read', store, named('c')));
	fail();
	for (const claim of claims) await expect(claim).rejects.toBe(timeout);
	await afterCalls();
	expect(update).toHaveBeenCalledTimes(1);
	expect(read).not.toHaveBeenCalled();
});

test('a row is shared by name until the last one closes it', async () => {
	const same = KeyRow.open('row');
	expect(same).toBe(row);
	expect(KeyRow.open('other')).not.toBe(row);
	expect(KeyRow.open()).not.toBe(KeyRow.open());
	await same.close();
	expect(KeyRow.open('row')).toBe(row);
	await row.close();
	await row.close();
	expect(KeyRow.open('row')).not.toBe(row);
});
