import type { IExecuteFunctions } from 'n8n-workflow';

import { isAgentTool } from '../../gateway/agent';
import type { Operation } from '../operation';
import { kindOf, type Fate, type FateKind } from './job';

/** What it came out as, of one that was not refused. */
const outputOf = (fate: Fate) =>
	(fate as { output: Array<{ segments?: unknown; verdict?: unknown }> }).output[0];

interface Description {
	message: string;
	isWhole: boolean;
}

/** What became of a list, and what to do about each part of it: n8n shows it above the output. */
export function describeRun(fates: Fate[]): Description {
	const of = (...kinds: FateKind[]) => fates.filter((fate) => kinds.includes(kindOf(fate)));
	const shown = of('dryRun');
	if (shown.length === fates.length) return describeDryRun(fates);
	const sent = of('accepted');
	return described(`Sent ${share(sent, fates)}.`, [
		[of('refused', 'notStarted'), "not sent: see 'error' of each"],
		[of('unknown'), "may have been sent: check with 'Message: Get Status' before you send again"],
		[of('skipped', 'withheld'), "skipped: see 'reason' of each"],
		[shown, "only shown, as 'Dry Run' is on"],
	]);
}

function describeDryRun(fates: Fate[]): Description {
	const of = (verdict: string) => fates.filter((fate) => outputOf(fate)?.verdict === verdict);
	return described(`Dry run: nothing was sent. ${share(of('send'), fates, ' would be sent')}.`, [
		[of('refuse'), "would fail: see 'problem' of each"],
		[of('skip'), "would be skipped: see 'reason' of each"],
	]);
}

function described(start: string, rest: Array<[Fate[], string]>): Description {
	const others = rest.filter(([{ length }]) => length > 0);
	const sentences = others.map(([{ length }, what]) => ` ${show(length)} ${what}.`);
	return { message: start + sentences.join(''), isWhole: others.length === 0 };
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
export function addHint(context: IExecuteFunctions, operation: Operation, fates: Fate[]): void {
	const isOfList = operation.dryRun !== undefined && !operation.waits && fates.length > 1;
	if (!isOfList || isAgentTool(context.getNode())) return;
	const { message, isWhole } = describeRun(fates);
	showHint(context, message, isWhole ? 'info' : 'warning');
}

export function showHint(context: IExecuteFunctions, message: string, type: 'info' | 'warning') {
	const { addExecutionHints } = context as Partial<IExecuteFunctions>;
	addExecutionHints?.call(context, { message, type, location: 'outputPane' });
}
