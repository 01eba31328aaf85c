import { describeMs } from '../../gateway/errors';
import { countryName, nameWithCode } from '../../text/country';
import type { Fate } from './job';
import { groupBy } from '../../gateway/maps';
import { countedFrom, mostNamed, nameItems, notSent, sent } from './summary';

/** Of one that was not refused. */
interface Output {
	to?: string;
	segments?: unknown;
	/** Of a dry run, like the next two. */
	wouldSend?: boolean;
	reason?: string;
	explanation?: string;
}

/** What it came out as. */
const outputOf = (fate: Fate): Output => (fate as { output: Output[] }).output[0] ?? {};

/** Of the items' numbers, by their two letters. */
type Countries = Array<string | undefined>;

/**
 * What became of a list, and what to do about each part of it: n8n shows it above the output.
 *
 * @param pacedMs how long messages that leave one at a time took, or would take in a dry run
 */
export function hintOf(fates: Fate[], countries: Countries, pacedMs: number) {
	const isDryRun = fates.every(({ kind }) => kind === 'dryRun');
	const isSent = (fate: Fate) =>
		isDryRun ? outputOf(fate).wouldSend === true : sent.includes(fate.kind);
	const gone = fates.filter(isSent);
	const rest = isDryRun ? unsentOf(fates.filter((fate) => !isSent(fate))) : othersOf(fates);
	const share = `${show(gone.length)} of ${show(fates.length)}`;
	const sentences = [
		isDryRun
			? `Dry run: nothing was sent. ${share} would be sent${costOf(gone)}.`
			: `Sent ${share}${costOf(gone)}.`,
		...rest,
		toOneNumber(gone),
		byCountry(countries.map((country, item) => (isSent(fates[item]!) ? country : ''))),
		describePace(pacedMs, isDryRun ? 'This would take' : 'This took'),
	];
	const type = rest.length === 0 ? ('info' as const) : ('warning' as const);
	return { message: sentences.filter(Boolean).join(' '), type };
}

/** `40 skipped: see 'reason' of each.` and the like. */
const othersOf = (fates: Fate[]): string[] =>
	notSent.flatMap(({ kinds, inHint }) => {
		const count = fates.filter(({ kind }) => kinds.includes(kind)).length;
		return count > 0 ? [`${show(count)} ${inHint}.`] : [];
	});

/** The same of a dry run: `60 would not: 40 duplicate, 20 refused. See 'explanation' of each.` */
function unsentOf(fates: Fate[]): string[] {
	const [first] = fates;
	if (!first) return [];
	if (fates.length === 1) return [`1 would not: ${outputOf(first).explanation}.`];
	const byReason = groupBy(fates, (fate) => outputOf(fate).reason ?? '');
	const named = [...byReason].map(([reason, some]) => `${show(some.length)} ${reason}`);
	return [`${show(fates.length)} would not: ${named.join(', ')}. See 'explanation' of each.`];
}

/** What a fixed number, or one of the first item, does to a list. */
function toOneNumber(fates: Fate[]): string {
	const numbers = new Set(fates.map(outputOf).map(({ to }) => to));
	const [to] = numbers;
	if (fates.length === 1 || numbers.size !== 1 || !to) return '';
	return `All to one number, ${to}: if each item has its own, use an expression in 'To', e.g. {{ $json.phone }}.`;
}

/** `By country: 190 Brazil; 3 Peru (+51): items 4, 9, 12. …`; empty for one country. */
function byCountry(countries: Countries): string {
	const items = [...countries.keys()].filter((item) => countries[item]);
	const found = groupBy(items, (item) => countries[item]!);
	const [most, ...others] = [...found].sort(([, one], [, other]) => other.length - one.length);
	if (!most || others.length === 0) return '';
	const named = others.map(
		([country, items]) => `${show(items.length)} ${nameWithCode(country)}: ${nameItems(items)}`,
	);
	if (named.length > mostNamed) named.splice(mostNamed, Infinity, 'and others');
	return `By country: ${show(most[1].length)} ${countryName(most[0])}; ${named.join('; ')}. ${countedFrom}`;
}

/** ` (1,312 SMS segments)` */
function costOf(fates: Fate[]): string {
	const segments = fates
		.map((fate) => outputOf(fate).segments)
		.reduce<number>((sum, each) => sum + (typeof each === 'number' ? each : 0), 0);
	if (segments === 0) return '';
	return ` (${show(segments)} SMS ${segments === 1 ? 'segment' : 'segments'})`;
}

const show = (count: number): string => count.toLocaleString('en-US');

/** Says why a list of the chat app takes minutes. */
function describePace(ms: number, takes: string): string {
	if (ms < 2_000) return '';
	const time = ms < 90_000 ? `${Math.round(ms / 1000)} seconds` : describeMs(ms);
	return `${takes} about ${time}: chat-app messages leave one at a time, with a pause between.`;
}
