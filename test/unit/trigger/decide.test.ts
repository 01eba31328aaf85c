/** The decisions about the account's webhook, row by row as in docs/internals/maintaining.md. */
import { webhookIn, type Webhook } from '../../../nodes/gateway/endpoints/webhook';
import { formatToken } from '../../../nodes/gateway/triggerToken';
import {
	decide,
	type Event,
	type Facts,
	type Plan,
} from '../../../nodes/MessagingGatewayTrigger/registration/decide';
import { classify } from '../../../nodes/MessagingGatewayTrigger/registration/holder';

const now = 1_700_000_000_000;
beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

const secretOf = (sign: string) => sign.repeat(43);
/** Of this node, now and with its previous API key; of another one, with the same key and another. */
const [our, previous] = [secretOf('a'), secretOf('b')];
const [other, otherKey] = [secretOf('c'), secretOf('d')];
const address = 'https://n8n.example.com/webhook/4f1c/webhook';
const testAddress = address.replace('webhook', 'webhook-test');
const neighbour = 'https://n8n.example.com/webhook/x/webhook';
const at = (where: string, secret: string, more: Partial<Parameters<typeof formatToken>[0]> = {}) =>
	`${where}?mgt=${formatToken({ secret, ...more })}`;
const url = at(address, our);
const shares = true;
const until = now + 1;

/** The webhooks in the rows, by their names. */
const webhooks: Record<string, string> = {
	us: url,
	more: `${url}&a=1`,
	bare: address,
	cut: `${address}?mgt=v1.p.x`,
	moved: at('https://n8n.example.com/hooks/4f1c/webhook', our),
	previous: at(address, previous),
	otherSecret: at(address, other),
	newer: `${address}?mgt=v2.p.x`,
	crm: 'https://crm.example.com/hook?token=b',
	erp: 'https://erp.example.com/',
	newerTest: `${testAddress}?mgt=v2.p.x`,
	newerOther: `${neighbour}?mgt=v10.p.x`,
	otherName: `https://crm.example.com/?x${url.split('?')[1]}`,
	twoTokens: `${at(neighbour, our)}&mgt=v1.p.x`,
	nonsense: `nonsense?${url.split('?')[1]}`,
	trigger: at(neighbour, other),
	sharing: at(neighbour, other, { shares }),
	gone: at(neighbour, other, { shares, sealed: 'x' }),
	key: at(neighbour, otherKey, { shares }),
	keyHere: at(address, otherKey),
	copy: at('https://old.example.com/webhook/4f1c/webhook', our),
	test: at(neighbour, other, { until }),
	longTest: at(neighbour, other, { until: now + 150_000 }),
	endless: at(neighbour, other, { until: now + 150_001 }),
	overTest: at(neighbour, other, { until: now }),
	sealedTest: at(neighbour, other, { until: now, sealed: 'x' }),
	keyTest: at(neighbour, otherKey, { until }),
	bareTest: testAddress,
	otherTestHere: at(testAddress, other),
	ourTest: at(testAddress, our, { until }),
	ourOverTest: at(testAddress, our, { until: now }),
};
const nameOf = ({ url: each }: Webhook) =>
	Object.keys(webhooks).find((name) => webhooks[name] === each)!;
/** `crm-`: the same, switched off. */
const webhookOf = (word: string) => {
	const found = webhooks[word.replace('-', '')];
	return found ? [{ url: found, enabled: !word.endsWith('-') }] : [];
};

/** What other words in the rows mean. */
const words: Record<string, Partial<Facts>> = {
	afterTest: { isTestOver: true },
	listening: { isTest: true },
	newKey: { isSameKey: false },
	had: { hadDisplaced: true },
	knowsNone: { lastDisplaced: [] },
	knowsCrm: { lastDisplaced: ['erp-', 'crm'].flatMap(webhookOf) },
};

function factsOf(event: Event, names: string[], policy: Facts['policy']): Facts {
	const facts = Object.assign({}, ...names.map((name) => words[name])) as Partial<Facts>;
	const { isTest = false } = facts;
	const self = {
		address: isTest ? testAddress : address,
		isTest,
		url,
		isOwnSecret: ({ secret }: { secret: string }) => [our, previous].includes(secret),
		isOfSameKey: ({ secret }: { secret: string }) => [our, other].includes(secret),
	};
	const chain = names
		.flatMap(webhookOf)
		.map((each) => classify(each, self, event === 'start'))
		.map((link) => ({ ...link, isMissing: nameOf(link) === 'gone' }));
	const rest = { isTestOver: false, isTest, isSameKey: true, hadDisplaced: false };
	return { chain, url, policy, ...rest, ...facts };
}

/** A plan in words: with a star where the node is registered after it. */
function inWords(plan: Plan): string {
	const chain = plan.do === 'register' ? plan.displaced : 'chain' in plan ? (plan.chain ?? []) : [];
	const reasons: Record<string, RegExp> = {
		otherKey: /trigger with another API key/,
		inUse: /is using it/,
		inTest: /is listening/,
		account: /another account/,
		newer: /newer version of this package/,
		copied: /points to the same workflow/,
		takenByOtherKey: /has another API key/,
		taken: /was taken by/,
	};
	const { message = '', description = '' } = plan.do === 'refuse' ? plan.problem : {};
	const isReason = ([, text]: [string, RegExp]) => text.test(message + description);
	const parts = [
		plan.do + (plan.isRegistered ? '*' : ''),
		Object.entries(reasons).find(isReason)?.[0],
		...chain.map((each) => nameOf(each) + (each.enabled ? '' : '-')),
		plan.do === 'leave' && plan.until && 'until its end',
		plan.do === 'register' && plan.isLost && 'lost',
	];
	return parts.filter(Boolean).join(' ');
}

/** The plan with each setting; a row with one plan has it with all three. */
const policies = ['refuse', 'share', 'takeOver'] as const;
const rows = `
	publish → register*
	publish us crm → register* crm
	publish moved crm → register* crm
	publish erp- → register* erp-
	publish erp- crm → register* erp- crm
	publish crm us → refuse inUse, register* crm, register* crm
	publish trigger → refuse inUse, register* trigger, register* trigger
	publish copy → refuse inUse, register* copy, register* copy
	publish test → refuse inTest, register*, register*
	publish test crm → refuse inUse, register* crm, register* crm
	publish ourTest us → register*
	publish ourTest crm → refuse inUse, register* crm, register* crm
	publish newer → refuse newer
	publish trigger newer → refuse newer
	publish listening newerTest → refuse newer
	publish afterTest newer → refuse newer newer
	publish sharing key → refuse inUse, refuse otherKey, register* sharing key
	publish key- → register* key-
	publish keyTest crm → refuse inUse, register* crm, register* crm
	publish listening us → register us
	publish listening crm key → refuse inUse, refuse otherKey, register crm key
	publish afterTest crm → refuse inUse crm, register* crm, register* crm
	publish more → register*
	publish otherSecret → register*
	publish keyHere → register*
	publish newerOther → refuse inUse, register* newerOther, register* newerOther
	publish otherName → refuse inUse, register* otherName, register* otherName
	publish twoTokens → refuse inUse, register* twoTokens, register* twoTokens
	publish nonsense → refuse inUse, register* nonsense, register* nonsense
	publish overTest → refuse inUse, register*, register*
	publish sealedTest → refuse inUse, register* sealedTest, register* sealedTest
	publish listening otherTestHere → refuse inUse, register, register
	publish listening ourOverTest → register
	publish listening bareTest → register
	publish listening previous → register previous
	publish listening keyHere → refuse inUse, refuse otherKey, register keyHere
	exists → leave
	exists more → leave
	exists us crm → leave*
	exists sharing us → leave*
	exists moved → leave
	exists trigger us → leave
	exists sharing crm us → leave
	exists erp- us → leave
	exists newer → leave
	exists key- us → leave
	exists sharing crm → leave
	exists afterTest us → rewrite* us
	exists afterTest crm → rewrite crm
	unpublish → leave
	unpublish us → rewrite
	unpublish us- → rewrite
	unpublish crm us erp- → rewrite crm erp-
	unpublish test crm → leave
	unpublish copy → leave
	unpublish bare → rewrite
	unpublish cut crm → rewrite crm
	unpublish otherSecret → leave
	unpublish ourTest → leave
	unpublish listening ourTest us → rewrite us
	unpublish listening us → leave
	start copy → register*
	unpublish newer → leave
	unpublish us newer → rewrite newer
	unpublish us copy → rewrite copy
	unpublish trigger newer → leave
	unpublish afterTest crm → rewrite crm
	unpublish afterTest us crm → rewrite crm
	tick → register*
	tick us crm → leave*
	tick sharing us → leave*
	tick us gone crm → rewrite* us crm
	tick sharing us gone → rewrite* sharing us
	tick sharing moved crm → rewrite* sharing us crm
	tick moved crm → register* crm
	tick otherSecret → register*
	tick crm us → refuse taken, register* crm, register* crm
	tick trigger us → refuse taken
	tick sharing crm → refuse taken, register* sharing crm, refuse taken
	tick key → refuse taken, refuse takenByOtherKey, refuse taken
	tick sharing key → refuse taken, refuse takenByOtherKey, refuse taken
	tick copy → refuse copied
	tick bare → register*
	tick ourOverTest → register*
	tick longTest → leave until its end
	tick endless → refuse taken
	tick newKey otherSecret → register*
	tick newer → refuse newer
	tick sharing newer → refuse newer
	tick newKey newer → refuse newer
	tick test newer → leave until its end
	tick test us → leave until its end
	tick ourTest us → leave until its end
	tick afterTest us → rewrite* us
	tick afterTest crm → refuse taken crm, register* crm, register* crm
	tick newKey → register*
	tick newKey moved crm → register* crm
	tick newKey crm → refuse account
	tick newKey erp- → refuse account
	tick newKey trigger → refuse account
	tick newKey us- erp- knowsCrm → register* erp-
	tick had → register* lost
	tick had knowsNone → register*
	tick had knowsCrm → register* crm
	tick had erp- knowsCrm → register* crm
	tick had us- crm knowsCrm → register* crm erp-
	tick had us- erp- key- → register* erp- key-
	tick had moved → register*
`;

test.each(rows.trim().split('\n\t'))('%s', (row) => {
	const [facts, expected] = row.split(' → ') as [string, string];
	const [event, ...names] = facts.split(' ') as [Event, ...string[]];
	const plans = (each: Event) =>
		policies.map((policy) => inWords(decide(each, factsOf(each, names, policy))));
	const all = expected.split(', ');
	expect(plans(event)).toEqual(all.length > 1 ? all : policies.map(() => expected));
	// At n8n's start, this n8n may have moved.
	if (event === 'tick' && !names.includes('copy')) expect(plans('start')).toEqual(plans('tick'));
});

test.each<[unknown, unknown, Webhook | null | undefined]>([
	...[true, null, undefined, 'true', 1, 'false'].map((enabled): [unknown, unknown, Webhook] => [
		url,
		enabled,
		{ url, enabled: true },
	]),
	[url, false, { url, enabled: false }],
	['', true, null],
	[null, null, null],
	[undefined, false, undefined],
	[7, true, undefined],
	[[url], true, undefined],
])('the service answers with the URL %j, enabled %j', (given, enabled, expected) => {
	const answer = { ...(given !== undefined && { url: given }), enabled };
	expect(webhookIn(answer as never)).toEqual(expected);
});
