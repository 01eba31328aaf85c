/** What engine/trigger does not show of the decisions about the account's webhook. */
import { formatToken } from '../../../nodes/gateway/triggerToken';
import { decide, type Facts } from '../../../nodes/MessagingGatewayTrigger/registration/decide';
import {
	hasEnded,
	testLimitMs,
	type Link,
} from '../../../nodes/MessagingGatewayTrigger/registration/holder';

const token = formatToken({ secret: 'a'.repeat(43), shares: true });
const link: Link = {
	...{ url: `https://n8n.example.com/webhook/x/webhook?mgt=${token}`, enabled: true },
	...{ holder: 'trigger', leadsHere: false, isOwn: false, mustGiveBack: true, hasOtherKey: false },
};
const own: Link = {
	...link,
	holder: 'upToDate',
	leadsHere: true,
	isOwn: true,
	mustGiveBack: false,
};

const facts: Facts = {
	...{ chain: [], url: own.url, policy: 'share', isTest: false },
	...{ isTestOver: false, isSameKey: true, hadDisplaced: true },
};

test('a trigger that shares passes nothing on once it is switched off', () => {
	const kept = { do: 'leave', isRegistered: true };
	expect(decide('tick', { ...facts, chain: [link, own] })).toEqual(kept);
	const off: Link = { ...link, enabled: false, holder: 'nobody' };
	expect(decide('tick', { ...facts, chain: [off, own] })).toMatchObject({ do: 'register' });
});

test('what was displaced is lost only where nothing knows it any more', () => {
	expect(decide('tick', facts)).toMatchObject({ displaced: [], isLost: true });
	expect(decide('tick', { ...facts, lastDisplaced: [] })).toMatchObject({ isLost: false });
});

test.each([
	[0, true],
	[1, false],
	[testLimitMs, false],
	[testLimitMs + 1, true], // the end of a clock that was ahead
])('a test that ends in %d ms is over: %j', (ms, expected) => {
	jest.useFakeTimers({ now: 1_700_000_000_000 });
	const url = `https://n8n.example.com/?mgt=${formatToken({ secret: 'a'.repeat(43), until: Date.now() + ms })}`;
	expect(hasEnded({ url, enabled: true })).toBe(expected);
	jest.useRealTimers();
});
