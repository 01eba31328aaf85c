import type { IExecuteFunctions } from 'n8n-workflow';

import { isAgentTool } from '../../gateway/agent';
import type { Operation } from '../operation';
import type { Fate } from './job';

const kindOf = (fate: Fate): string => (fate === 'notStarted' ? fate : fate.kind);

/** What became of a list, and what to do about each part of it: n8n shows it above the output. */
export function describeRun(fates: Fate[]): { message: string; isWhole: boolean } {
	const of = (...kinds: string[]) => fates.filter((fate) => kinds.includes(kindOf(fate)));
	const sent = of('accepted');
	const segments = sent
		.map((fate) => (fate as { output: Array<{ segments?: unknown }> }).output[0]?.segments)
		.reduce<number>((sum, each) => sum + (typeof each === 'number' ? each : 0), 0);
	const rest = [
		{ count: of('refused', 'notStarted').length, what: 'not sent', how: "see 'error' of each" },
		{
			count: of('unknown').length,
			what: 'may have been sent',
			how: "check with 'Message: Get Status' before you send again",
		},
		{ count: of('skipped', 'withheld').length, what: 'skipped', how: "see 'reason' of each" },
	].filter(({ count }) => count > 0);
	const costs = segments > 0 ? ` (${show(segments)} SMS segments)` : '';
	const others = rest.map(({ count, what, how }) => ` ${show(count)} ${what}: ${how}.`);
	return {
		message: `Sent ${show(sent.length)} of ${show(fates.length)}${costs}.${others.join('')}`,
		isWhole: rest.length === 0,
	};
}

const show = (count: number): string => count.toLocaleString('en-US');

/** Only of sends, to people: an agent gets each message's output. */
export function addHint(context: IExecuteFunctions, operation: Operation, fates: Fate[]): void {
	const isOfList = operation.dryRun !== undefined && !operation.waits && fates.length > 1;
	const isDry = fates.some((fate) => kindOf(fate) === 'dryRun');
	if (!isOfList || isDry || isAgentTool(context.getNode())) return;
	const { message, isWhole } = describeRun(fates);
	const type = isWhole ? 'info' : 'warning';
	const { addExecutionHints } = context as Partial<IExecuteFunctions>;
	addExecutionHints?.call(context, { message, type, location: 'outputPane' });
}
