import {
	classify,
	hasEnded,
	type Link,
	type Holder,
} from '../../../nodes/MessagingGatewayTrigger/registration/holder';
import { formatToken } from '../../../nodes/gateway/triggerToken';

const now = 1_700_000_000_000;
beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

const [ourSecret, otherSecret, otherKeySecret] = ['a', 'b', 'c'].map((sign) => sign.repeat(43)) as [
	string,
	string,
	string,
];
const at = (address: string, secret: string, until?: number, sealed?: string) =>
	`${address}?mgt=${formatToken({ until, secret, sealed })}`;
const address = 'https://n8n.example.com/webhook/4f1c/webhook';
const old = 'https://old.example.com/webhook/4f1c/webhook';
const other = 'https://n8n.example.com/webhook/x/webhook';
const ours = at(address, ourSecret);
const query = ours.split('?')[1];

const foreign = 'https://crm.example.com/hook?token=b';

const found = (url: string, isTest = false, enabled = true, hasMoved = false): Link =>
	classify(
		{ url, enabled },
		{
			address,
			isTest,
			url: ours,
			isOwnSecret: ({ secret }) => secret === ourSecret,
			isOfSameKey: ({ secret }) => secret !== otherKeySecret,
		},
		hasMoved,
	);

const flags = ({ isOwn, isSelf, mustGiveBack, hasOtherKey }: Link): string =>
	[isOwn && 'own', isSelf && 'self', mustGiveBack && 'give', hasOtherKey && 'key']
		.filter(Boolean)
		.join(' ');

/** Flags in production, and in a test. */
test.each<[string, string, Holder, string, string]>([
	['our URL', ours, 'us', 'own self', 'own'],
	['our URL with more', `${ours}&a=1`, 'earlier', 'own self', 'own'],
	['our address with another secret', at(address, otherSecret), 'earlier', 'own', ''],
	['our address without one', address, 'earlier', 'own self', 'own self'],
	['our secret at another host', at(old, ourSecret), 'copy', 'give', 'give'],
	['our test', at(other, ourSecret, now + 1), 'test', 'own', 'own self'],
	['our test that is over', at(other, ourSecret, now), 'earlier', 'own', 'own self'],
	['a test', at(other, otherSecret, now + 1), 'test', '', ''],
	['a test of another n8n', at(other, otherSecret, now, 'sealed'), 'trigger', 'give', 'give'],
	['a test without end', at(other, otherSecret, now + 150_001), 'trigger', '', ''],
	['another workflow', at(other, otherSecret), 'trigger', 'give', 'give'],
	[
		'another workflow with another key',
		at(other, otherKeySecret),
		'trigger',
		'give key',
		'give key',
	],
	['our address with another key', at(address, otherKeySecret), 'earlier', 'own', 'key'],
	['our address of a newer version', `${address}?mgt=v2.p.x`, 'newer', 'give', 'give'],
	['another newer version', `${other}?mgt=v10.p.x`, 'foreign', 'give', 'give'],
	['our address, cut off', `${address}?mgt=v1.p.x`, 'earlier', 'own self', 'own self'],
	['a foreign URL', foreign, 'foreign', 'give', 'give'],
	['another parameter', `https://crm.example.com/?x${query}`, 'foreign', 'give', 'give'],
	['two tokens', `${at(other, ourSecret)}&mgt=v1.p.x`, 'foreign', 'give', 'give'],
	['no web address', `nonsense?${query}`, 'foreign', 'give', 'give'],
])('%s', (_, url, holder, inProduction, inTest) => {
	expect(found(url)).toMatchObject({ url, enabled: true, holder });
	expect(found(url, false, false).holder).toBe(holder === 'newer' ? holder : 'nobody');
	expect([flags(found(url)), flags(found(url, true))]).toEqual([inProduction, inTest]);
});

test('our secret at another host, where this n8n may have moved', () => {
	const links = [false, true].map((isTest) => found(at(old, ourSecret), isTest, true, true));
	expect(links.map((link) => [link.holder, flags(link)])).toEqual([
		['earlier', 'own self'],
		['earlier', 'own give'],
	]);
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
