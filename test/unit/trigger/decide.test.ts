/** The decisions about the account's webhook, row by row as in docs/maintaining.md. */
import {
	decide,
	type ConflictPolicy,
	type Event,
	type Facts,
	type Plan,
} from '../../../nodes/MessagingGatewayTrigger/registration/decide';
import type { Holder, Link } from '../../../nodes/MessagingGatewayTrigger/registration/holder';
import { formatToken } from '../../../nodes/gateway/triggerToken';

const secret = 'a'.repeat(43);
const ours = 'https://n8n.example.com/webhook/4f1c/webhook?mgt=ours';
const urlOf = (host: string, token = '') =>
	`https://${host}.example.com/webhook${token && `?mgt=${token}`}`;

const link = (holder: Holder, host: string, more: Partial<Link> = {}): Link => ({
	url: urlOf(host),
	enabled: holder !== 'nobody',
	holder,
	isOwn: false,
	isSelf: false,
	mustGiveBack: true,
	hasOtherKey: false,
	...more,
});
const self = { isOwn: true, isSelf: true, mustGiveBack: false };
const sharing = formatToken({ shares: true, secret });

/** A webhook, by the name that it has in the tables. */
const links = {
	us: link('us', 'us', { ...self, url: ours }),
	moved: link('earlier', 'moved', self),
	unlike: link('earlier', 'unlike', { ...self, isSelf: false }),
	crm: link('foreign', 'crm'),
	off: link('nobody', 'off'),
	oursOff: link('nobody', 'oursOff', self),
	trigger: link('trigger', 'trigger', { url: urlOf('trigger', formatToken({ secret })) }),
	sharing: link('trigger', 'sharing', { url: urlOf('sharing', sharing) }),
	key: link('trigger', 'key', { url: urlOf('key', sharing), hasOtherKey: true }),
	keyOff: link('nobody', 'keyOff', { hasOtherKey: true }),
	copy: link('copy', 'copy'),
	test: link('test', 'test', {
		url: urlOf('test', formatToken({ until: 1_700_000_000_000, secret })),
		mustGiveBack: false,
	}),
	ownTest: link('test', 'ownTest', {
		url: urlOf('ownTest', formatToken({ until: 1_700_000_000_000, secret })),
		isOwn: true,
		mustGiveBack: false,
	}),
};
type Name = keyof typeof links;

const chainOf = (names: string) => names.split(' ').flatMap((name) => links[name as Name] ?? []);
const nameOf = ({ url }: { url: string }) =>
	Object.entries(links).find(([, each]) => each.url === url)?.[0] ?? url;

const factsOf = (chain: string, policy: ConflictPolicy, more: Partial<Facts> = {}): Facts => ({
	chain: chainOf(chain),
	isTestOver: false,
	url: ours,
	isTest: false,
	policy,
	isSameKey: true,
	hadDisplaced: false,
	...more,
});

/** A plan in one line: `register: crm`, `refuse: …`. */
function inWords(plan: Plan): string {
	const list = (chain: Array<{ url: string }>) => chain.map(nameOf).join(' ');
	if (plan.do === 'register') return `register: ${list(plan.displaced)}`.trim();
	if (plan.do === 'rewrite') return `rewrite: ${list(plan.chain)}`.trim();
	if (plan.do === 'leave') return plan.until ? 'wait' : 'leave';
	const { message } = plan.problem;
	const why = [
		['other key', 'trigger with another API key'],
		['in use', /is using it|is listening/],
		['account', 'another account'],
		['copy', 'points to the same workflow'],
		['taken', 'was taken by'],
	].find(([, text]) => new RegExp(text!).test(message));
	return `refuse: ${why ? String(why[0]) : message}`;
}

const policies = ['refuse', 'share', 'takeOver'] as const;

/** With Refuse, Share and Take Over; one word for all three. */
const rows: Array<[Event, string, string] | [Event, string, string, string, string]> = [
	['publish', 'none', 'register:'],
	['publish', 'us crm', 'register: crm'],
	['publish', 'moved crm', 'register: crm'],
	['publish', 'off', 'register: off'],
	['publish', 'off crm', 'register: off crm'],
	['publish', 'crm', 'refuse: in use', 'register: crm', 'register: crm'],
	['publish', 'crm us', 'refuse: in use', 'register: crm', 'register: crm'],
	['publish', 'trigger', 'refuse: in use', 'register: trigger', 'register: trigger'],
	['publish', 'copy', 'refuse: in use', 'register: copy', 'register: copy'],
	['publish', 'test', 'refuse: in use', 'register:', 'register:'],
	['publish', 'test crm', 'refuse: in use', 'register: crm', 'register: crm'],
	['publish', 'ownTest', 'register:'],
	['publish', 'ownTest crm', 'refuse: in use', 'register: crm', 'register: crm'],
	['publish', 'ownTest us', 'register:'],
	['publish', 'key', 'refuse: in use', 'refuse: other key', 'register: key'],
	['publish', 'sharing key', 'refuse: in use', 'refuse: other key', 'register: sharing key'],
	['publish', 'keyOff', 'register: keyOff'],

	['exists', 'none', 'leave'],
	['exists', 'crm', 'leave'],

	['unpublish', 'none', 'leave'],
	['unpublish', 'us', 'rewrite:'],
	['unpublish', 'us crm', 'rewrite: crm'],
	['unpublish', 'oursOff', 'rewrite:'],
	['unpublish', 'crm us off', 'rewrite: crm off'],
	['unpublish', 'test crm', 'leave'],
	['unpublish', 'copy', 'leave'],

	['tick', 'none', 'register:'],
	['tick', 'us crm', 'leave'],
	['tick', 'sharing us', 'leave'],
	['tick', 'sharing moved crm', 'rewrite: sharing us crm'],
	['tick', 'moved crm', 'register: crm'],
	['tick', 'unlike', 'register:'],
	['tick', 'oursOff off crm', 'register: crm'],
	['tick', 'oursOff off', 'register: off'],
	['tick', 'crm', 'refuse: taken', 'register: crm', 'register: crm'],
	['tick', 'crm us', 'refuse: taken', 'register: crm', 'register: crm'],
	['tick', 'trigger us', 'refuse: taken'],
	['tick', 'sharing', 'refuse: taken', 'register: sharing', 'refuse: taken'],
	['tick', 'sharing crm us', 'refuse: taken', 'register: sharing crm', 'refuse: taken'],
	['tick', 'key', 'refuse: taken'],
	['tick', 'sharing key', 'refuse: taken'],
	['tick', 'copy', 'refuse: copy'],
	['tick', 'test us', 'wait'],
	['tick', 'ownTest us', 'wait'],
];

test.each(rows)('%s, the webhook is %s', (event, chain, ...expected) => {
	const all = expected.length === 1 ? policies.map(() => expected[0]!) : expected;
	const planned = (each: Event) =>
		policies.map((policy) => inWords(decide(each, factsOf(chain, policy))));
	expect(planned(event)).toEqual(all);
	if (event === 'tick') expect(planned('start')).toEqual(all);
});

test.each<[Event, string, ConflictPolicy, boolean]>([
	['exists', 'us', 'refuse', true],
	['exists', 'sharing us', 'refuse', true],
	['exists', 'moved', 'refuse', false],
	['exists', 'trigger us', 'refuse', false],
	['exists', 'sharing crm us', 'refuse', false],
	['exists', 'off us', 'refuse', false],
	['exists', 'sharing crm', 'refuse', false],
	['publish', 'none', 'refuse', true],
	['publish', 'crm', 'refuse', false],
	['tick', 'us', 'refuse', true],
	['tick', 'none', 'refuse', true],
	['tick', 'sharing moved', 'refuse', true],
	['tick', 'test us', 'refuse', false],
	['tick', 'crm', 'refuse', false],
	['unpublish', 'us', 'refuse', false],
])('%s, the webhook is %s with %s: registered then, %s', (event, chain, policy, expected) => {
	expect(decide(event, factsOf(chain, policy)).isRegistered ?? false).toBe(expected);
});

test.each<[Event, string, object]>([
	['tick', 'us', { do: 'rewrite', chain: chainOf('us'), isRegistered: true }],
	['tick', 'test', { do: 'rewrite', chain: chainOf('test') }],
	['exists', 'crm', { do: 'rewrite', chain: chainOf('crm'), isRegistered: false }],
	['publish', 'crm', { do: 'refuse', chain: chainOf('crm') }],
	['tick', 'crm', { do: 'refuse', chain: chainOf('crm') }],
	['publish', 'off', { do: 'register', displaced: chainOf('off') }],
	['unpublish', 'us crm', { do: 'rewrite', chain: chainOf('crm') }],
])('%s ends a test that is over, which had displaced %s', (event, chain, expected) => {
	expect(decide(event, factsOf(chain, 'refuse', { isTestOver: true }))).toMatchObject(expected);
});

describe('the watch, with another API key than at publishing', () => {
	test.each([
		['crm', 'refuse: account'],
		['off', 'refuse: account'],
		['trigger', 'refuse: account'],
		['moved crm', 'register: crm'],
		['oursOff off', 'register: off'],
		['none', 'register:'],
	])('the webhook is %s: %s', (chain, expected) => {
		const facts = factsOf(chain, 'takeOver', { isSameKey: false, lastDisplaced: chainOf('crm') });
		expect(inWords(decide('tick', facts))).toBe(expected);
	});
});

describe('the watch, after the service has lost the webhook', () => {
	test.each<[string, Partial<Facts>, string, boolean]>([
		['none', { lastDisplaced: chainOf('trigger crm'), hadDisplaced: true }, 'trigger crm', false],
		['off', { lastDisplaced: chainOf('off crm'), hadDisplaced: true }, 'crm', false],
		['none', { lastDisplaced: [], hadDisplaced: true }, '', false],
		['none', { hadDisplaced: true }, '', true],
		['off', { hadDisplaced: true }, 'off', false],
		['none', {}, '', false],
	])('it is %s, and known is %j', (chain, known, displaced, isLost) => {
		const plan = decide('tick', factsOf(chain, 'refuse', known));
		expect(plan).toMatchObject({ isLost, isRepair: true });
		expect(inWords(plan)).toBe(`register: ${displaced}`.trim());
	});

	test('what a test or somebody else has displaced counts as given back by them', () => {
		const facts = factsOf('crm', 'takeOver', { lastDisplaced: chainOf('off'), hadDisplaced: true });
		expect(decide('tick', facts)).not.toHaveProperty('isLost');
		expect(inWords(decide('tick', facts))).toBe('register: crm');
	});
});

test('a test is published for itself, and says how to go on', () => {
	const listening = (policy: ConflictPolicy, chain: string) =>
		decide('publish', factsOf(chain, policy, { isTest: true }));
	expect(listening('takeOver', 'us')).toMatchObject({ do: 'register', isRegistered: false });
	for (const plan of [listening('refuse', 'crm'), listening('share', 'key')]) {
		const message = expect.stringContaining('listen again') as string;
		expect(plan).toMatchObject({ do: 'refuse', problem: { message } });
	}
});
