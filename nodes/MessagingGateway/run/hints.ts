import type { IExecuteFunctions } from 'n8n-workflow';

import { isAgentTool } from '../../gateway/agent';
import { describeMs } from '../../gateway/errors';
import { countryName, nameWithCode } from '../../text/country';
import type { Operation } from '../operation';
import { kindOf, type Fate } from './job';
import type { Report } from './report';
import { countedFrom, groups, mostNamed, nameItems, words, type Group } from './words';

/** What it came out as, of one that was not refused. */
const outputOf = (fate: Fate) =>
	(fate as { output: Array<{ segments?: unknown; verdict?: unknown }> }).output[0];

interface Description {
	message: string;
	isWhole: boolean;
}

/** Of the items' numbers, by their two letters. */
type Countries = Array<string | undefined>;

/** What became of a list, and what to do about each part of it: n8n shows it above the output. */
export function describeRun(fates: Fate[], countries: Countries = []): Description {
	const is = (group: Group) => (fate: Fate) => groups[kindOf(fate)] === group;
	if (fates.every(is('shown'))) return describeDryRun(fates, countries);
	const rest = Object.entries(words).map(([group, { inHint }]): Part => [
		fates.filter(is(group as Group)),
		inHint,
	]);
	const sent = fates.filter(is('sent'));
	return described(`Sent ${share(sent, fates)}.`, rest, byCountry(fates, is('sent'), countries));
}

function describeDryRun(fates: Fate[], countries: Countries): Description {
	const is = (verdict: string) => (fate: Fate) => outputOf(fate)?.verdict === verdict;
	const sent = share(fates.filter(is('send')), fates, ' would be sent');
	const rest: Part[] = [
		[fates.filter(is('refuse')), "would fail: see 'problem' of each"],
		[fates.filter(is('skip')), "would be skipped: see 'reason' of each"],
	];
	return described(
		`Dry run: nothing was sent. ${sent}.`,
		rest,
		byCountry(fates, is('send'), countries),
	);
}

type Part = [Fate[], string];

function described(start: string, rest: Part[], end: string): Description {
	const others = rest.filter(([{ length }]) => length > 0);
	const sentences = others.map(([{ length }, what]) => ` ${show(length)} ${what}.`);
	return { message: start + sentences.join('') + end, isWhole: others.length === 0 };
}

/** ` By country: 190 Brazil; 3 Peru (+51): items 4, 9, 12. …`; empty for one country. */
function byCountry(fates: Fate[], isSent: (fate: Fate) => boolean, countries: Countries): string {
	const found = new Map<string, number[]>();
	fates.forEach((fate, item) => {
		const country = countries[item];
		if (!country || !isSent(fate)) return;
		const items = found.get(country);
		if (items) items.push(item);
		else found.set(country, [item]);
	});
	const [most, ...others] = [...found].sort(([, one], [, other]) => other.length - one.length);
	if (!most || others.length === 0) return '';
	const named = others
		.slice(0, mostNamed)
		.map(
			([country, items]) => `${show(items.length)} ${nameWithCode(country)}: ${nameItems(items)}`,
		);
	const more = others.length > mostNamed ? ['and others'] : [];
	const all = [`${show(most[1].length)} ${countryName(most[0])}`, ...named, ...more];
	return ` By country: ${all.join('; ')}. ${countedFrom}`;
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
	const type = isWhole ? 'info' : 'warning';
	const { addExecutionHints } = context as Partial<IExecuteFunctions>;
	const text = message + describePace(pacedMs, fates.every(isShown));
	addExecutionHints?.call(context, { message: text, type, location: 'outputPane' });
}

const isShown = (fate: Fate): boolean => kindOf(fate) === 'dryRun';

/** Says why a list of the chat app takes minutes. */
function describePace(ms: number, isDryRun: boolean): string {
	if (ms < 2_000) return '';
	const time = ms < 90_000 ? `${Math.round(ms / 1000)} seconds` : describeMs(ms);
	const takes = isDryRun ? 'This would take' : 'This took';
	return ` ${takes} about ${time}: chat-app messages leave one at a time, with a pause between.`;
}
