import {
	holderOf,
	isOver,
	mayTakeBack,
	type Holder,
} from '../../../nodes/MessagingGatewayTrigger/registration/ownership';
import { formatToken } from '../../../nodes/gateway/triggerToken';

const now = 1_700_000_000_000;
beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

const address = 'https://n8n.example.com/webhook/4f1c/webhook';
const token = (until?: number, sealed?: string) =>
	`mgt=${formatToken({ until, secret: 'b'.repeat(43), sealed })}`;
const ours = `${address}?mgt=v1.p.${'a'.repeat(43)}`;
const other = 'https://n8n.example.com/webhook/x/webhook';
const knowledge = {
	ownUrl: ours,
	isOwn: (url: string) => url.startsWith(address),
	isCopy: (url: string) => url.startsWith('https://copy.example.com'),
};

test.each<[string, string, Holder]>([
	['our URL', ours, 'us'],
	['our URL with another secret', `${address}?${token()}`, 'earlier'],
	['our URL without a secret', address, 'earlier'],
	['our test', `${address}?${token(now + 1)}`, 'test'],
	['a test', `${other}?${token(now + 1)}`, 'test'],
	['a test that is over, of another n8n', `${other}?${token(now, 'sealed')}`, 'trigger'],
	['a test that would last longer than one does', `${other}?${token(now + 150_001)}`, 'trigger'],
	['another workflow', `${other}?${token()}`, 'trigger'],
	['a copy', `https://copy.example.com/?${token()}`, 'copy'],
	['a foreign URL', `https://crm.example.com/hook?token=${'b'.repeat(64)}`, 'foreign'],
	['what looks like a token', `https://crm.example.com/?x${token()}`, 'foreign'],
	['two tokens', `https://crm.example.com/?${token()}&${token()}`, 'foreign'],
	['no web address', `nonsense?${token()}`, 'foreign'],
])('%s', (_, url, holder) => {
	expect(holderOf({ url, enabled: true }, knowledge)).toBe(holder);
	expect(holderOf({ url, enabled: false }, knowledge)).toBe('nobody');
});

test('nothing is nobody’s', () => expect(holderOf(undefined, knowledge)).toBe('nobody'));

test.each([
	[token(now), true],
	[token(now + 1), false],
	[token(now + 150_000), false],
	[token(now + 150_001), true], // of a clock that was ahead
	[token(), false],
	['testUntil=1', false],
])('%s is over: %s', (search, expected) => {
	expect(isOver({ url: `${other}?${search}`, enabled: true })).toBe(expected);
});

test.each<[Holder, boolean, boolean]>([
	['nobody', true, true],
	['us', true, true],
	['earlier', true, true],
	['copy', false, false],
	['test', false, false],
	['trigger', false, false],
	['foreign', false, true],
])('from %s: refuse %s, takeOver %s', (holder, refuse, takeOver) => {
	expect(mayTakeBack(holder, 'refuse')).toBe(refuse);
	expect(mayTakeBack(holder, 'takeOver')).toBe(takeOver);
});
