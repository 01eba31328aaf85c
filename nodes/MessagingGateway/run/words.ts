import type { FateKind } from './job';

/** What is counted of a list. */
export type Group = 'sent' | 'inDoubt' | 'failed' | 'skipped' | 'shown' | 'notTried';

/** Each fate counts once, so that the texts about a list cannot contradict each other. */
export const groups: Record<FateKind, Group> = {
	accepted: 'sent',
	asked: 'sent',
	unknown: 'inDoubt',
	refused: 'failed',
	skipped: 'skipped',
	withheld: 'skipped',
	dryRun: 'shown',
	notStarted: 'notTried',
};

const was = (count: number): string => (count === 1 ? 'was' : 'were');

/** What a group is called: behind its count, in an error and in the log; and in the hint above the output. */
export const words: Record<
	Exclude<Group, 'sent'>,
	{ inError: (count: number, done: string) => string; inHint: string }
> = {
	inDoubt: {
		inError: (_, done) => `may have been ${done}`,
		inHint: "may have been sent: check with 'Message: Get Status' before you send again",
	},
	failed: { inError: () => 'failed', inHint: "not sent: see 'error' of each" },
	skipped: {
		inError: (count) => `${was(count)} skipped`,
		inHint: "skipped: see 'reason' of each",
	},
	shown: {
		inError: (count) => `${was(count)} only shown`,
		inHint: "only shown, as 'Dry Run' is on",
	},
	notTried: { inError: (count) => `${was(count)} not tried`, inHint: 'not tried' },
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
