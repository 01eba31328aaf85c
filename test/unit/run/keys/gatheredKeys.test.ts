import { setImmediate as turn } from 'node:timers/promises';

import { GatheredKeys } from '../../../../nodes/MessagingGateway/run/keys/gatheredKeys';
import type { Ended, Key, KeyStore } from '../../../../nodes/MessagingGateway/run/keys/keyStore';
import { N8nKeyStore } from '../../../../nodes/MessagingGateway/run/keys/n8nKeyStore';
import { afterCalls, Store } from '../../support/store';

let table: Store;
let store: KeyStore;
beforeEach(() => {
	table = new Store();
	store = new N8nKeyStore(table.helpers);
});

const recipient = '5511912345678';
/** One who can't go on without an answer. */
const keys = (row = 'row', own = store) => ({
	claim: async (key: Key) => {
		const claim = GatheredKeys.of(row, own).claim(key);
		GatheredKeys.of(row, own).flush();
		return await claim;
	},
	end: async (key: Key, ending: Ended['ending']) => {
		const end = GatheredKeys.of(row, own).end({ ...key, ending });
		GatheredKeys.of(row, own).flush();
		await end;
	},
});
const named = (key: string) => ({ key, recipient });
const names = (count: number) => Array.from({ length: count }, (_, index) => named(`k${index}`));

test('all that comes up in one turn goes in one call', async () => {
	const claims = await Promise.all(names(1_000).map(async (key) => await keys().claim(key)));
	expect(new Set(claims)).toEqual(new Set(['fresh']));
	await Promise.all(names(1_000).map(async (key) => await keys().end(key, 'accepted')));
	expect(table.calls).toBe(2);
});

test('nothing is called before somebody cannot go on', async () => {
	const claim = GatheredKeys.of('row', store).claim(named('a'));
	const end = GatheredKeys.of('row', store).end({ ...named('b'), ending: 'accepted' });
	await turn();
	expect(table.calls).toBe(0);
	await keys().claim(named('c'));
	await Promise.all([claim, end]);
	expect(table.calls).toBe(1);
});

test('tells whether claims wait for a call', async () => {
	const gathered = GatheredKeys.of('row', store);
	expect(gathered.hasClaims).toBe(false);
	const end = gathered.end({ ...named('b'), ending: 'accepted' });
	expect(gathered.hasClaims).toBe(false);
	const claim = gathered.claim(named('a'));
	expect(gathered.hasClaims).toBe(true);
	gathered.flush();
	await Promise.all([claim, end]);
	expect(gathered.hasClaims).toBe(false);
});

test('what comes up during a call waits for the next', async () => {
	const first = keys().claim(named('a'));
	await Promise.resolve();
	await Promise.resolve();
	const later = Promise.all(names(5).map(async (key) => await keys().claim(key)));
	await Promise.all([first, later]);
	expect(table.calls).toBe(2);
});

test('what comes up during a call and can wait is made when it is wanted', async () => {
	const first = keys().claim(named('a'));
	await Promise.resolve();
	await Promise.resolve();
	const gathered = GatheredKeys.of('row', store);
	const later = [gathered.claim(named('b')), gathered.end({ ...named('c'), ending: 'accepted' })];
	await first;
	await afterCalls();
	expect(table.calls).toBe(1);
	GatheredKeys.of('row', store).flush();
	await Promise.all(later);
	expect(table.calls).toBe(2);
});

test('with nothing to tell or to claim, the store is not called', async () => {
	const update = jest.spyOn(store, 'update');
	GatheredKeys.of('row', store).flush();
	await turn();
	expect(update).not.toHaveBeenCalled();
});

test("executions at the same moment do not lose each other's keys", async () => {
	const all = names(20);
	const execution = async (key: (typeof all)[number]) => {
		const own = keys('row', new N8nKeyStore(table.helpers));
		expect(await own.claim(key)).toBe('fresh');
		await turn();
		await own.end(key, 'accepted');
	};
	await Promise.all(all.map(execution));
	for (const key of all) expect(await keys().claim(key)).toBe('accepted');
});

test('a key that is given back and claimed in the same turn is free', async () => {
	await keys().claim(named('a'));
	const end = keys().end(named('a'), 'released');
	const claim = keys().claim(named('a'));
	await end;
	expect(await claim).toBe('fresh');
});

test('a claim made the moment another one is answered is answered, too', async () => {
	await keys().claim(named('a'));
	expect(await keys().claim(named('b'))).toBe('fresh');
});

test('a store that does not answer gives no claim, and the next call asks it again', async () => {
	const update = jest.spyOn(store, 'update').mockRejectedValueOnce(new Error('database is locked'));
	await expect(keys().claim(named('a'))).rejects.toThrow('database is locked');
	expect(await keys().claim(named('a'))).toBe('fresh');
	expect(update).toHaveBeenCalledTimes(2);
});

test.each(['accepted', 'released'] as const)(
	'a store that does not take that a key is %s leaves it unanswered',
	async (ending) => {
		await keys().claim(named('a'));
		jest.spyOn(store, 'update').mockRejectedValueOnce(new Error('database is locked'));
		await keys().end(named('a'), ending);
		expect(await keys().claim(named('a'))).toBe('unanswered');
	},
);

test('a claim that the store does not take costs no accepted message its record', async () => {
	await Promise.all([keys().claim(named('a')), keys().claim(named('b'))]);
	const { update } = store;
	const told = jest.spyOn(store, 'update').mockImplementation(async (ended, claimed) => {
		if (claimed.some(({ key }) => key === 'bad')) throw new Error('invalid byte sequence');
		return await update.call(store, ended, claimed);
	});
	const ends = [keys().end(named('a'), 'accepted'), keys().end(named('b'), 'released')];
	await expect(keys().claim(named('bad'))).rejects.toThrow('invalid byte sequence');
	await Promise.all(ends);
	expect(told).toHaveBeenCalledTimes(2);
	expect(await keys().claim(named('a'))).toBe('accepted');
	// Others may have claimed it by now, if the store took the release before it failed.
	expect(await keys().claim(named('b'))).toBe('unanswered');
});

test('a store that does not answer at all is asked nothing more for those that wait', async () => {
	const silence = Object.assign(new Error('it took too long'), { isSilent: true });
	let fail = () => {};
	const update = jest.spyOn(store, 'update').mockReturnValueOnce(
		new Promise((_, reject) => {
			fail = () => reject(silence);
		}),
	);
	const claims = [keys().claim(named('a'))];
	await afterCalls();
	claims.push(keys().claim(named('b')));
	fail();
	for (const claim of claims) await expect(claim).rejects.toBe(silence);
	await afterCalls();
	expect(update).toHaveBeenCalledTimes(1);
});

test('rows are apart, and one with nothing to do is forgotten', async () => {
	await Promise.all([
		keys().claim(named('a')),
		keys('other', new N8nKeyStore(new Store().helpers)).claim(named('a')),
	]);
	await turn();
	expect(GatheredKeys).toHaveProperty('byRow', new Map());
});
