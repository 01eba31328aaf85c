import type { IExecuteFunctions } from 'n8n-workflow';

import { isAgentTool } from '../../gateway/node';
import { describeMs } from '../../gateway/errors';
import { countryName, nameWithCode } from '../../text/country';
import type { Operation } from '../operation';
import { kindOf, type Fate } from './job';
import { groupBy } from './maps';
import type { Report } from './report';
import { countedFrom, groups, mostNamed, nameItems, words } from './words';

/** Of one that was not refused. */
interface Output {
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

/** `40 skipped: see 'reason' of each.` and the like. */
const othersOf = (fates: Fate[]): string[] =>
	Object.entries(words).flatMap(([group, [, inHint]]) => {
		const count = fates.filter((fate) => groups[kindOf(fate)] === group).length;
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

/** `940 of 1,000` */
const share = (some: Fate[], all: Fate[]): string => `${show(some.length)} of ${show(all.length)}`;

/** ` (1,312 SMS segments)` */
function costOf(sent: Fate[]): string {
	const segments = sent
		.map((fate) => outputOf(fate).segments)
		.reduce<number>((sum, each) => sum + (typeof each === 'number' ? each : 0), 0);
	if (segments === 0) return '';
	return ` (${show(segments)} SMS ${segments === 1 ? 'segment' : 'segments'})`;
}

const show = (count: number): string => count.toLocaleString('en-US');

/**
 * What became of a list, and what to do about each part of it: n8n shows it above the output. Of lists,
 * and of every dry run, which may have been left on; to people: an agent gets each message's output.
 */
export function addHint(
	context: IExecuteFunctions,
	operation: Operation,
	fates: Fate[],
	{ countries, pacedMs }: Pick<Report, 'countries' | 'pacedMs'>,
): void {
	const isDryRun = fates.every((fate) => kindOf(fate) === 'dryRun');
	const isOfList = operation.dryRun !== undefined && !operation.waits && fates.length > 1;
	if (!(isDryRun || isOfList) || isAgentTool(context.getNode())) return;
	const isSent = (fate: Fate) =>
		isDryRun ? outputOf(fate).wouldSend === true : groups[kindOf(fate)] === 'sent';
	const sent = fates.filter(isSent);
	const rest = isDryRun ? unsentOf(fates.filter((fate) => !isSent(fate))) : othersOf(fates);
	const sentences = [
		isDryRun
			? `Dry run: nothing was sent. ${share(sent, fates)} would be sent${costOf(sent)}.`
			: `Sent ${share(sent, fates)}${costOf(sent)}.`,
		...rest,
		byCountry(countries.map((country, item) => (isSent(fates[item]!) ? country : ''))),
		describePace(pacedMs, isDryRun ? 'This would take' : 'This took'),
	];
	const message = sentences.filter(Boolean).join(' ');
	showHint(context, message, rest.length === 0 ? 'info' : 'warning');
}

export function showHint(context: IExecuteFunctions, message: string, type: 'info' | 'warning') {
	const { addExecutionHints } = context as Partial<IExecuteFunctions>;
	addExecutionHints?.call(context, { message, type, location: 'outputPane' });
}

/** Says why a list of the chat app takes minutes. */
function describePace(ms: number, takes: string): string {
	if (ms < 2_000) return '';
	const time = ms < 90_000 ? `${Math.round(ms / 1000)} seconds` : describeMs(ms);
	return `${takes} about ${time}: chat-app messages leave one at a time, with a pause between.`;
}
