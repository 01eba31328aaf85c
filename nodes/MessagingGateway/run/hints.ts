import type { IExecuteFunctions } from 'n8n-workflow';

import { isAgentTool } from '../../gateway/agent';
import { describeMs } from '../../gateway/errors';
import { countryName, nameWithCode } from '../../text/country';
import type { Operation } from '../operation';
import { kindOf, type Fate } from './job';
import type { Report } from './report';
import { countedFrom, groups, mostNamed, nameItems, words } from './words';

/** What it came out as, of one that was not refused. */
const outputOf = (fate: Fate) =>
	(fate as { output: Array<{ segments?: unknown; verdict?: unknown }> }).output[0];

/** Of the items' numbers, by their two letters. */
type Countries = Array<string | undefined>;

/** The same of a dry run, by its verdicts. */
const wordsOfDryRun = {
	refuse: "would fail: see 'problem' of each",
	skip: "would be skipped: see 'reason' of each",
};

/** What became of a list, and what to do about each part of it: n8n shows it above the output. */
export function describeRun(fates: Fate[], countries: Countries) {
	const isDryRun = fates.every((fate) => kindOf(fate) === 'dryRun');
	const partOf = (fate: Fate) => (isDryRun ? outputOf(fate)?.verdict : groups[kindOf(fate)]);
	const of = (part: string) => fates.filter((fate) => partOf(fate) === part);
	const all = isDryRun
		? Object.entries(wordsOfDryRun)
		: Object.entries(words).map(([group, [, inHint]]) => [group, inHint] as const);
	const rest = all.filter(([part]) => of(part).length > 0);
	const sent = isDryRun ? 'send' : 'sent';
	const sentences = [
		isDryRun
			? `Dry run: nothing was sent. ${share(of(sent), fates, ' would be sent')}.`
			: `Sent ${share(of(sent), fates)}.`,
		...rest.map(([part, what]) => `${show(of(part).length)} ${what}.`),
		byCountry(countries.map((country, item) => (partOf(fates[item]!) === sent ? country : ''))),
	];
	return { message: sentences.filter(Boolean).join(' '), isWhole: rest.length === 0 };
}

/** `By country: 190 Brazil; 3 Peru (+51): items 4, 9, 12. …`; empty for one country. */
function byCountry(countries: Countries): string {
	const found = new Map<string, number[]>();
	countries.forEach((country, item) => {
		if (country)
			found
				.set(country, found.get(country) ?? [])
				.get(country)!
				.push(item);
	});
	const [most, ...others] = [...found].sort(([, one], [, other]) => other.length - one.length);
	if (!most || others.length === 0) return '';
	const named = others.map(
		([country, items]) => `${show(items.length)} ${nameWithCode(country)}: ${nameItems(items)}`,
	);
	if (named.length > mostNamed) named.splice(mostNamed, Infinity, 'and others');
	return `By country: ${show(most[1].length)} ${countryName(most[0])}; ${named.join('; ')}. ${countedFrom}`;
}

/** E.g. `940 of 1,000 (1,312 SMS segments)`. */
function share(some: Fate[], all: Fate[], what = ''): string {
	const segments = some
		.map((fate) => outputOf(fate)?.segments)
		.reduce<number>((sum, each) => sum + (typeof each === 'number' ? each : 0), 0);
	const unit = segments === 1 ? 'segment' : 'segments';
	const costs = segments > 0 ? ` (${show(segments)} SMS ${unit})` : '';
	return `${show(some.length)} of ${show(all.length)}${what}${costs}`;
}

const show = (count: number): string => count.toLocaleString('en-US');

/** Only of sends, to people: an agent gets each message's output. */
export function addHint(
	context: IExecuteFunctions,
	operation: Operation,
	fates: Fate[],
	{ countries, pacedMs }: Pick<Report, 'countries' | 'pacedMs'>,
): void {
	const isOfList = operation.dryRun !== undefined && !operation.waits && fates.length > 1;
	if (!isOfList || isAgentTool(context.getNode())) return;
	const { message, isWhole } = describeRun(fates, countries);
	const text = message + describePace(pacedMs, fates.every(isShown));
	showHint(context, text, isWhole ? 'info' : 'warning');
}

export function showHint(context: IExecuteFunctions, message: string, type: 'info' | 'warning') {
	const { addExecutionHints } = context as Partial<IExecuteFunctions>;
	addExecutionHints?.call(context, { message, type, location: 'outputPane' });
}

const isShown = (fate: Fate): boolean => kindOf(fate) === 'dryRun';

/** Says why a list of the chat app takes minutes. */
function describePace(ms: number, isDryRun: boolean): string {
	if (ms < 2_000) return '';
	const time = ms < 90_000 ? `${Math.round(ms / 1000)} seconds` : describeMs(ms);
	const takes = isDryRun ? 'This would take' : 'This took';
	return ` ${takes} about ${time}: chat-app messages leave one at a time, with a pause between.`;
}
