import { newQueue } from '../../../../nodes/send/keys/runKeys';
import type { EndAction, Key } from '../../../../nodes/send/keys/keyStore';
import { N8nKeyStore } from '../../../../nodes/send/keys/n8nKeyStore';
import { Store } from '../../support/store';

let store: N8nKeyStore;
let queue: ReturnType<typeof newQueue>;
/** What the store was asked, with the failures planned for it. */
let asked: string[];
let failures: Array<object | undefined>;
/** Set to hold its answers back. */
let held: Promise<void> | undefined;

beforeEach(() => {
	[asked, failures, held] = [[], [], undefined];
	store = new N8nKeyStore(new Store().helpers, 'instance');
	const { carryOut } = store;
	store.carryOut = async (asks) => {
		asked.push(asks.map(({ action, key }) => `${action} ${key.key}`).join(', '));
		const failure = failures.shift();
		await held;
		if (failure) throw Object.assign(new Error('Down'), failure);
		return await carryOut.call(store, asks);
	};
	queue = newQueue();
});

const named = (key: string): Key => ({ key, recipient: '5511912345678' });
/** The state of a key once somebody flushes; a failure as its message. */
const ask = async (action: 'claim' | 'read', key: string) =>
	await queue
		.ask({ store, action, key: named(key) })
		.catch(({ message }: Error) => `failed: ${message}`);
const end = async (key: string, action: EndAction) =>
	await queue
		.ask({ store, action, key: named(key) })
		.then(() => 'recorded')
		.catch(({ message }: Error) => `failed: ${message}`);
const claim = async (key: string) => {
	const claimed = ask('claim', key);
	await queue.flush();
	return await claimed;
};

test('within a call, ends go before claims, and claims before reads', async () => {
	await Promise.all(['a', 'b'].map(claim));
	const states = [ask('read', 'c'), ask('read', 'a'), ask('read', 'd'), ask('claim', 'c')];
	void end('a', 'accept');
	void end('b', 'release');
	states.push(ask('claim', 'b'));
	await queue.flush();
	const read = ['unanswered', 'accepted', 'fresh'];
	expect(await Promise.all(states)).toEqual([...read, 'fresh', 'fresh']);
	const inOneCall = ['accept a, release b, claim c, claim b', 'read c, read a, read d'];
	expect(asked).toEqual(['claim a, claim b', ...inOneCall]);
});

test.each<[string, Array<object | undefined>, string[], string[]]>([
	['claim', [{}], ['failed: Down', 'fresh'], ['claim a', 'read b']],
	['read', [undefined, {}], ['fresh', 'failed: Down'], ['claim a', 'read b']],
	['claim in time', [{ isTimeout: true }], ['failed: Down', 'failed: Down'], ['claim a']],
])('a store that fails to %s', async (_, planned, answers, calls) => {
	failures = planned;
	const states = [ask('claim', 'a'), ask('read', 'b')];
	await queue.flush();
	expect(await Promise.all(states)).toEqual(answers);
	expect(asked).toEqual(calls);
	const isGivenUp = calls.length === 1;
	expect(await claim('c')).toBe(isGivenUp ? 'failed: Down' : 'fresh'); // the next call asks again
});

test('a claim that fails costs no other message its record, or its release', async () => {
	await Promise.all(['a', 'b'].map(claim));
	const ends = [end('a', 'accept'), end('b', 'release')];
	failures = [{}];
	expect(await claim('bad')).toBe('failed: Down');
	const both = 'accept a, release b';
	expect(asked.slice(1)).toEqual([`${both}, claim bad`, both]);
	expect(await Promise.all(ends)).toEqual(['recorded', 'recorded']);
	expect(await Promise.all(['a', 'b'].map(claim))).toEqual(['accepted', 'fresh']);
});

test('after a time-out, claims and reads are refused at once, but ends are still stored', async () => {
	await claim('a');
	failures = [{ isTimeout: true }];
	await claim('b');
	held = new Promise(() => {}); // it would time out again
	void end('a', 'accept');
	const refused = [ask('claim', 'c'), ask('read', 'd')];
	void queue.flush();
	expect(await Promise.all(refused)).toEqual(['failed: Down', 'failed: Down']);
	expect(asked.slice(2)).toEqual(['accept a']);
});

test('a run that gave the store up keeps no other run of the node from asking it', async () => {
	failures = [{ isTimeout: true }];
	expect(await claim('a')).toBe('failed: Down');
	const ofOther = new N8nKeyStore(new Store().helpers, 'instance');
	const claims = [
		queue.ask({ store: ofOther, action: 'claim', key: named('b') }),
		ask('claim', 'c'), // of the first run, in the same call
	];
	await queue.flush();
	expect(await Promise.all(claims)).toEqual(['fresh', 'fresh']);
});

test('ends that came with the claim that gave the store up are not recorded', async () => {
	await claim('a');
	const ended = end('a', 'accept');
	failures = [{ isTimeout: true }];
	expect(await claim('b')).toBe('failed: Down');
	expect(await ended).toBe('failed: Down');
	const later = end('a', 'accept'); // is still tried
	await queue.flush();
	expect(await later).toBe('recorded');
});
