/** The decisions about the account's webhook, row by row as in docs/internals/maintaining.md. */
import {
	decide,
	type Event,
	type Facts,
	type Plan,
} from '../../../nodes/MessagingGatewayTrigger/registration/decide';
import type { Holder, Link } from '../../../nodes/MessagingGatewayTrigger/registration/holder';
import { formatToken } from '../../../nodes/gateway/triggerToken';

const secret = 'a'.repeat(43);
const until = 1_700_000_000_000;
const self = { isOwn: true, isSelf: true, mustGiveBack: false };

/** The webhooks in the rows, by their names. */
const kinds: Record<string, [Holder, Partial<Link>, Parameters<typeof formatToken>[0]?]> = {
	us: ['us', self],
	moved: ['earlier', self],
	unlike: ['earlier', { ...self, isSelf: false }],
	newer: ['newer', {}],
	ourOff: ['nobody', self],
	crm: ['foreign', {}],
	off: ['nobody', {}],
	trigger: ['trigger', {}, { secret }],
	gone: ['trigger', { isMissing: true }, { secret, shares: true }],
	sharing: ['trigger', {}, { secret, shares: true }],
	key: ['trigger', { hasOtherKey: true }, { secret, shares: true }],
	keyOff: ['nobody', { hasOtherKey: true }, { secret, shares: true }],
	copy: ['copy', {}, { secret }],
	test: ['test', { mustGiveBack: false }, { secret, until }],
	keyTest: ['test', { mustGiveBack: false, hasOtherKey: true }, { secret, until }],
	ourTest: ['test', { mustGiveBack: false, isOwn: true }, { secret, until }],
};
const links = Object.entries(kinds).map(([name, [holder, more, token]]): Link => {
	const url = `https://${name}.example.com/${token ? `?mgt=${formatToken(token)}` : ''}`;
	const is = { isOwn: false, isSelf: false, mustGiveBack: true, hasOtherKey: false };
	return { url, enabled: holder !== 'nobody', holder, ...is, ...more };
});
const hostOf = ({ url }: { url: string }) => new URL(url).host.split('.')[0]!;
const chainOf = (names: string[]) =>
	names.flatMap((name) => links.find((link) => hostOf(link) === name.toLowerCase()) ?? []);

/** What other words in the rows mean. */
const words: Record<string, Partial<Facts>> = {
	afterTest: { isTestOver: true },
	listening: { isTest: true },
	newKey: { isSameKey: false },
	had: { hadDisplaced: true },
	knowsNone: { lastDisplaced: [] },
	knowsCrm: { lastDisplaced: chainOf(['off', 'crm']) },
};

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
		...chain.map(hostOf),
		plan.do === 'leave' && plan.until === until && 'until its end',
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
	publish off → register* off
	publish off crm → register* off crm
	publish crm us → refuse inUse, register* crm, register* crm
	publish trigger → refuse inUse, register* trigger, register* trigger
	publish copy → refuse inUse, register* copy, register* copy
	publish test → refuse inTest, register*, register*
	publish test crm → refuse inUse, register* crm, register* crm
	publish ourTest us → register*
	publish ourTest crm → refuse inUse, register* crm, register* crm
	publish newer → refuse newer
	publish trigger newer → refuse newer
	publish listening newer → refuse newer
	publish afterTest newer → refuse newer newer
	publish sharing key → refuse inUse, refuse otherKey, register* sharing key
	publish keyOff → register* keyoff
	publish keyTest crm → refuse inUse, register* crm, register* crm
	publish listening us → register
	publish listening crm key → refuse inUse, refuse otherKey, register crm key
	publish afterTest crm → refuse inUse crm, register* crm, register* crm
	exists → leave
	exists us crm → leave*
	exists sharing us → leave*
	exists moved → leave
	exists trigger us → leave
	exists sharing crm us → leave
	exists off us → leave
	exists newer → leave
	exists keyOff us → leave
	exists sharing crm → leave
	exists afterTest us → rewrite* us
	exists afterTest crm → rewrite crm
	unpublish → leave
	unpublish us → rewrite
	unpublish ourOff → rewrite
	unpublish crm us off → rewrite crm off
	unpublish test crm → leave
	unpublish copy → leave
	unpublish newer → leave
	unpublish us newer → rewrite newer
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
	tick unlike → register*
	tick crm us → refuse taken, register* crm, register* crm
	tick trigger us → refuse taken
	tick sharing crm → refuse taken, register* sharing crm, refuse taken
	tick key → refuse taken, refuse takenByOtherKey, refuse taken
	tick sharing key → refuse taken, refuse takenByOtherKey, refuse taken
	tick copy → refuse copied
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
	tick newKey off → refuse account
	tick newKey trigger → refuse account
	tick newKey ourOff off knowsCrm → register* off
	tick had → register* lost
	tick had knowsNone → register*
	tick had knowsCrm → register* crm
	tick had off knowsCrm → register* crm
	tick had ourOff crm knowsCrm → register* crm off
	tick had ourOff off keyOff → register* off keyoff
	tick had moved → register*
`;

test.each(rows.trim().split('\n\t'))('%s', (row) => {
	const [facts, expected] = row.split(' → ') as [string, string];
	const [event, ...rest] = facts.split(' ') as [Event, ...string[]];
	const plans = (each: Event) =>
		policies.map((policy) =>
			inWords(
				decide(each, {
					chain: chainOf(rest),
					isTestOver: false,
					url: 'https://us.example.com/',
					isTest: false,
					policy,
					isSameKey: true,
					hadDisplaced: false,
					...Object.assign({}, ...rest.map((word) => words[word])),
				}),
			),
		);
	const all = expected.split(', ');
	expect(plans(event)).toEqual(all.length > 1 ? all : policies.map(() => expected));
	if (event === 'tick') expect(plans('start')).toEqual(plans('tick'));
});
