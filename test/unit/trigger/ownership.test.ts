import {
	classify,
	findConflict,
	hasEnded,
	mayTakeBack,
	findReachable,
	type Link,
	type Holder,
} from '../../../nodes/MessagingGatewayTrigger/registration/ownership';
import { formatToken } from '../../../nodes/gateway/triggerToken';

const now = 1_700_000_000_000;
beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

const [ourSecret, otherSecret] = ['a', 'b'].map((sign) => sign.repeat(43)) as [string, string];
const at = (address: string, secret: string, until?: number, sealed?: string) =>
	`${address}?mgt=${formatToken({ until, secret, sealed })}`;
const shared = (secret: string) => `${other}?mgt=${formatToken({ shares: true, secret })}`;
const address = 'https://n8n.example.com/webhook/4f1c/webhook';
const old = 'https://old.example.com/webhook/4f1c/webhook';
const copy = 'https://copy.example.com/webhook/4f1c/webhook';
const other = 'https://n8n.example.com/webhook/x/webhook';
const ours = at(address, ourSecret);
const query = ours.split('?')[1];

const foreign = 'https://crm.example.com/hook?token=b';

const found = (url: string, isTest = false, enabled = true): Link =>
	classify(
		{ url, enabled },
		{
			address,
			isTest,
			url: ours,
			isOwnSecret: ({ secret }) => secret === ourSecret,
			copies: new Set([copy]),
		},
	);

const flags = ({ isOwn, isSelf, mustGiveBack }: Link): string =>
	[isOwn && 'own', isSelf && 'self', mustGiveBack && 'give'].filter(Boolean).join(' ');

/** Flags in production, and in a test. */
test.each<[string, string, Holder, string, string]>([
	['our URL', ours, 'us', 'own self', 'own'],
	['our address with another secret', at(address, otherSecret), 'earlier', 'own', ''],
	['our address without one', address, 'earlier', 'own self', 'own self'],
	['our secret at another host', at(old, ourSecret), 'earlier', 'own self', 'own give'],
	['our secret at a copy', at(copy, ourSecret), 'copy', 'give', 'give'],
	['our test', at(other, ourSecret, now + 1), 'test', 'own', 'own self'],
	['our test that is over', at(other, ourSecret, now), 'earlier', 'own', 'own self'],
	['a test', at(other, otherSecret, now + 1), 'test', '', ''],
	['a test of another n8n', at(other, otherSecret, now, 'sealed'), 'trigger', 'give', 'give'],
	['a test without end', at(other, otherSecret, now + 150_001), 'trigger', '', ''],
	['another workflow', at(other, otherSecret), 'trigger', 'give', 'give'],
	['a foreign URL', foreign, 'foreign', 'give', 'give'],
	['another parameter', `https://crm.example.com/?x${query}`, 'foreign', 'give', 'give'],
	['two tokens', `${at(other, ourSecret)}&mgt=v1.p.x`, 'foreign', 'give', 'give'],
	['no web address', `nonsense?${query}`, 'foreign', 'give', 'give'],
])('%s', (_, url, holder, inProduction, inTest) => {
	expect(found(url)).toMatchObject({ url, enabled: true, holder });
	expect(found(url, false, false).holder).toBe('nobody');
	expect([flags(found(url)), flags(found(url, true))]).toEqual([inProduction, inTest]);
});

test.each<[string, Link[], string | undefined]>([
	['nothing', [], undefined],
	['its own webhook', [found(ours), found(foreign)], undefined],
	['what is off', [found(foreign, false, false), found(foreign)], undefined],
	['what is in force', [found(foreign), found(ours)], foreign],
	['its own test', [found(at(address, ourSecret, now + 1)), found(ours)], undefined],
	['a test', [found(at(other, otherSecret, now + 1))], at(other, otherSecret, now + 1)],
	// What a test has displaced will be in force again after it.
	['what a test has displaced', [found(at(address, ourSecret, now + 1)), found(foreign)], foreign],
	['a test, too', [found(at(other, otherSecret, now + 1)), found(foreign)], foreign],
])('conflicts with publishing with Refuse: %s', (_, all, url) => {
	expect(findConflict(all, 'refuse')?.url).toBe(url);
	expect(findConflict(all, 'takeOver')).toBeUndefined();
});

test.each([
	[`mgt=v1.t${now.toString(36)}.${otherSecret}`, true],
	[`mgt=v1.t${(now + 1).toString(36)}.${otherSecret}`, false],
	[`mgt=v1.t${(now + 150_000).toString(36)}.${otherSecret}`, false],
	[`mgt=v1.t${(now + 150_001).toString(36)}.${otherSecret}`, true], // of a clock that was ahead
	[`mgt=v1.p.${otherSecret}`, false],
	['testUntil=1', false],
])('%s is over: %s', (search, expected) => {
	expect(hasEnded({ url: `${other}?${search}`, enabled: true })).toBe(expected);
});

test.each<[string, string, boolean, boolean, boolean]>([
	['its own', ours, true, true, true],
	['its own from before', at(old, ourSecret), true, true, true],
	['a copy', at(copy, ourSecret), false, false, false],
	['a test', at(other, otherSecret, now + 1), false, false, false],
	['another workflow', at(other, otherSecret), false, false, false],
	['one that shares', shared(otherSecret), false, true, false],
	['a foreign URL', foreign, false, true, true],
])('taken back by the watch from %s', (_, url, ...expected) => {
	const policies = ['refuse', 'share', 'takeOver'] as const;
	expect(policies.map((policy) => mayTakeBack(found(url), policy))).toEqual(expected);
	expect(policies.map((policy) => mayTakeBack(found(url, false, false), policy))).toEqual(
		policies.map(() => true),
	);
});

test.each<[string, Link[], string | undefined]>([
	['nowhere', [], undefined],
	['at the service', [found(ours), found(foreign)], ours],
	['below one that shares', [found(shared(otherSecret)), found(ours)], ours],
	['below one that does not', [found(at(other, otherSecret)), found(ours)], undefined],
	['below both', [found(shared(otherSecret)), found(foreign), found(ours)], undefined],
	['below one that is off', [found(shared(otherSecret), false, false), found(ours)], undefined],
	['not under one that shares', [found(shared(otherSecret)), found(foreign)], undefined],
])('reached %s', (_, all, url) => expect(findReachable(all)?.url).toBe(url));
