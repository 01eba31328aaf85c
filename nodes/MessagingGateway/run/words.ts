import type { FateKind } from './job';

/** What is counted of a list. Each fate counts once, so that the texts about it cannot contradict each other. */
export type Group = 'sent' | 'inDoubt' | 'failed' | 'skipped' | 'shown' | 'notStarted';

export const groups: Record<FateKind, Group> = {
	accepted: 'sent',
	asked: 'sent',
	unknown: 'inDoubt',
	refused: 'failed',
	skipped: 'skipped',
	withheld: 'skipped',
	dryRun: 'shown',
	notStarted: 'notStarted',
};

/** Behind its count, in an error and in the log, of one item; and in the hint above the output. */
export const words: Record<Exclude<Group, 'sent'>, [inError: string, inHint: string]> = {
	inDoubt: [
		'may have been sent',
		"may have been sent: check with 'Message: Get Status' before you send again",
	],
	failed: ['failed', "not sent: see 'error' of each"],
	skipped: ['was skipped', "skipped: see 'reason' of each"],
	shown: ['was only shown', 'only shown, in a dry run'],
	notStarted: ['was not tried', 'not tried'],
};

/** How many items, reasons or countries a text names. */
export const mostNamed = 10;

/** Ends a text that names items, by their index as n8n shows it. */
export const countedFrom = 'The first item is item 0.';

/** `item 3`, `items 3, 17`, or the first ten of more. */
export function nameItems(items: number[]): string {
	const more = items.length - mostNamed;
	const named = items.slice(0, mostNamed).join(', ');
	return `item${items.length === 1 ? '' : 's'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}
