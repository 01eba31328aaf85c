import { NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import type { NodeError, Uncertainty } from '../../gateway/errors';
import { asLine, asSentence } from '../../text/text';
import { isFailed, type Failed, type Fate, type FateKind } from './job';
import { groupBy } from '../../gateway/maps';

/** An item as outputs, errors and the log name it. */
export type Named = { item: number; to?: string };

/** What became of it. */
export type Row<F extends Fate = Fate> = F & Named;

export const sent: FateKind[] = ['accepted', 'asked'];

/**
 * What is counted of a list besides, with the words behind its count: in an error and in the log, of
 * one item; and in the hint above the output. Each fate counts once, so that the texts about it cannot
 * contradict each other.
 */
export const notSent: Array<{ kinds: FateKind[]; inError: string; inHint: string }> = [
	{
		kinds: ['unknown'],
		inError: 'may have been sent',
		inHint: "may have been sent: check with 'Message: Get Status' before you send again",
	},
	{ kinds: ['refused'], inError: 'failed', inHint: "not sent: see 'error' of each" },
	{
		kinds: ['skipped', 'withheld'],
		inError: 'was skipped',
		inHint: "skipped: see 'reason' of each",
	},
	{ kinds: ['dryRun'], inError: 'was only shown', inHint: 'only shown, in a dry run' },
	{ kinds: ['notStarted'], inError: 'was not tried', inHint: 'not tried' },
];

/** How many items, reasons or countries a text names. */
export const mostNamed = 10;

/** How many items an entry of n8n's log has. */
const mostLogged = 100;

/** Ends a text that names items, by their index as n8n shows it. */
export const countedFrom = 'The first item is item 0.';

/** `item 3`, `items 3, 17`, or the first ten of more. */
export function nameItems(items: number[]): string {
	const more = items.length - mostNamed;
	const named = items.slice(0, mostNamed).join(', ');
	return `item${items.length === 1 ? '' : 's'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What became of the items of a run, in the words of its error and of n8n's log. */
export class Summary {
	private readonly failed: Array<Row<Failed>>;

	/** @param maybeSent what this run did not send, but may have been sent before it or beside it */
	constructor(
		private readonly rows: Row[],
		private readonly verb: Pick<Uncertainty, 'does' | 'done'>,
		private readonly maybeSent: FateKind[] = [],
	) {
		this.failed = rows.filter((row) => isFailed(row));
	}

	/** The failure that ended the run, else the first one. */
	get decisive(): Row<Failed> | undefined {
		return this.failed.find(({ endsRun }) => endsRun) ?? this.failed[0];
	}

	/** How many items came out as one of these. */
	count(...kinds: FateKind[]): number {
		const counted = ({ kind }: Row) => (this.maybeSent.includes(kind) ? 'unknown' : kind);
		return this.rows.filter((row) => kinds.includes(counted(row))).length;
	}

	/** The error of a list of which nothing is sent. @param again what another run would do */
	errorOfList(node: INode, again: string | undefined): NodeError {
		const { done } = this.verb;
		const refused = this.failed.filter(({ endsRun }) => endsRun);
		const { error, description, item } = refused[0]!;
		const isMore = this.count(...sent, 'unknown') > 0;
		const nothing = `Nothing ${isMore ? 'more ' : ''}was ${done}`;
		const earlier = this.failed.filter(({ endsRun }) => !endsRun);
		const before = [isMore && this.became(), again, ...listed(earlier)];
		// There is nothing wrong with the items.
		const isSame = refused.every((row) => row.error.message === error.message);
		if (isSame && this.named('notStarted').length === 0) {
			const isSaid = description.includes(nothing);
			return this.explain(error, [description, !isSaid && `${nothing}.`, ...before]);
		}
		const message = `${nothing}: ${refused.length} of ${this.rows.length} items can't be ${done}`;
		return this.explain(new NodeOperationError(node, message, { itemIndex: item }), [
			...listed(refused, true),
			`Correct them, or set 'On Error' in this node's settings to 'Continue (using error output)': the rest is then ${done}.`,
			...before,
		]);
	}

	/** The error of a run that had begun. @param again what another run would do */
	errorOfRun(decisive: Row<Failed>, again: string | undefined): NodeError {
		const isSame = (row: Row<Failed>) => whatOf(row) === whatOf(decisive);
		// Said of these items alone: it is not true of the others.
		const hint =
			decisive.description && `${listItems(this.failed.filter(isSame))}: ${decisive.description}`;
		const others = this.failed.filter((row) => !isSame(row));
		return this.explain(decisive.error, [this.became(), again, hint, ...listed(others)]);
	}

	/**
	 * The error of a run that *Stop* or the workflow's time-out ended. By the word 'canceled', n8n
	 * stores the execution as canceled, not as failed.
	 *
	 * @param again what another run would do
	 */
	errorOfCancel(node: INode, again: string | undefined): NodeError {
		const error = new NodeOperationError(node, `The execution was canceled: ${this.became()}`);
		return this.explain(error, [again, ...listed(this.failed)]);
	}

	/** Entries for n8n's log, with what is in doubt first. */
	get log(): Array<[text: string, data: IDataObject]> {
		const inDoubt = this.failed.filter(({ kind }) => kind === 'unknown');
		const logged = [...inDoubt, ...this.accepted].map((row) => ({
			...{ item: row.item, to: row.to, outcome: row.kind },
			messageId: row.kind === 'accepted' ? row.messageId : undefined,
		}));
		const parts = Math.max(1, Math.ceil(logged.length / mostLogged));
		return Array.from({ length: parts }, (_, part) => {
			const items = logged.slice(part * mostLogged, (part + 1) * mostLogged);
			const named = items.map(({ item, to, outcome, messageId }) => {
				const known = outcome === 'unknown' ? `in doubt${to ? ` (${to})` : ''}` : messageId;
				return asLine(known ? `item ${item}: ${known}` : `item ${item}`);
			});
			const list = named.length > 0 && `${named.join(', ')}. ${countedFrom}`;
			const text = ['The execution was stopped:', this.became(), list];
			return [text.filter(Boolean).join(' '), { items }];
		});
	}

	private get accepted() {
		return this.rows.filter((row) => row.kind === 'accepted');
	}

	/** @param error gets what became of each item, too */
	private explain(error: NodeError, lines: Array<string | false | undefined>): NodeError {
		const said = lines.filter((line) => typeof line === 'string' && line !== '').join(' ');
		error.context.data = {
			accepted: this.accepted.map(({ item, to, messageId }) => ({ item, to, messageId })),
			failed: this.failed.map(({ item, to, error: { message }, kind }) => ({
				...{ item, to, error: message, outcome: kind },
			})),
			skipped: this.named('skipped', 'withheld', 'dryRun'),
			notStarted: this.named('notStarted'),
		};
		error.description = /Items? \d/.test(said) ? `${said} ${countedFrom}` : said;
		return error;
	}

	/** What became of how many items. */
	private became(): string {
		const { done } = this.verb;
		const ofSent = this.count(...sent);
		const before = this.accepted.filter(({ isEarlier }) => isEarlier).length;
		const share = before === ofSent ? '' : `${before} of them `;
		const parts = notSent.map(({ kinds, inError }) => {
			const count = this.count(...kinds);
			const what = inError.replace(/sent$/, done).replace(/^was/, was(count));
			return count > 0 && `${count} ${what}`;
		});
		const all = `${ofSent} of ${this.rows.length} items ${was(ofSent)} ${done}`;
		const first = before > 0 ? `${all} (${share}by an earlier try)` : all;
		return `${[first, ...parts].filter(Boolean).join(', ')}.`;
	}

	private named(...kinds: FateKind[]): Named[] {
		const rows = this.rows.filter(({ kind }) => kinds.includes(kind));
		return rows.map(({ item, to }) => ({ item, to }));
	}
}

const was = (count: number): string => (count === 1 ? 'was' : 'were');

/** `'To' is too long: '…'` */
const valueAtEnd = /: ('[^]*')$/;

/** What is the same of failures that differ in a value only. */
const whatOf = ({ error }: Failed): string => error.message.replace(valueAtEnd, '');

const reasonsOf = (failures: Array<Row<Failed>>) => [...groupBy(failures, whatOf).values()];

/** A sentence for each reason, as far as there is room; with hints, each of them once. */
function listed(failures: Array<Row<Failed>>, hasHints = false): string[] {
	const hints = new Set(['']);
	const reasons = reasonsOf(failures);
	const lines = reasons.slice(0, mostNamed).flatMap((rows) => {
		const { error, description: hint } = rows[0]!;
		const isNew = hasHints && !hints.has(hint);
		hints.add(hint);
		const what = rows.length > 1 ? error.message.replace(valueAtEnd, ', e.g. $1') : error.message;
		return [asSentence(`${listItems(rows)}: ${what}`), ...(isNew ? [hint] : [])];
	});
	const unnamed = reasons.slice(mostNamed).flat().length;
	return unnamed > 0 ? [...lines, `${unnamed} more are in the data of this error.`] : lines;
}

/** The same, as a sentence begins. */
export const listItems = (rows: Named[]): string =>
	nameItems(rows.map(({ item }) => item)).replace('i', 'I');
