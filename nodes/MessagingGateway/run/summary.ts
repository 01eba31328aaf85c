import { NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { asLine } from '../../text/quote';
import { asSentence } from '../../text/sentence';
import type { NodeError, Uncertainty } from '../../gateway/errors';
import { isFailed, kindOf } from './job';
import type { Accepted, Failed, Fate, FateKind, Result } from './job';

/** How many items, or reasons, the text of an error names. Its data has all items. */
const mostNamed = 10;

/** How many items an entry of n8n's log has. */
const mostLogged = 100;

/** An item as outputs, errors and the log name it. */
export type Named = { item: number; to?: string };

type Row<T extends Result> = T & Named;

/** What became of the items of a run, in the words of its error and of n8n's log. */
export class Summary {
	private readonly accepted: Array<Row<Accepted>>;
	private readonly failed: Array<Row<Failed>>;

	constructor(
		readonly fates: Fate[],
		private readonly name: (item: number) => Named,
		private readonly verb: Pick<Uncertainty, 'does' | 'done'>,
	) {
		this.accepted = this.rows(isAccepted);
		this.failed = this.rows(isFailed);
	}

	/** The failure that ended the run, else the first one. */
	get decisive(): Row<Failed> | undefined {
		return this.failed.find(({ endsRun }) => endsRun) ?? this.failed[0];
	}

	/** How many items another run could repeat. */
	get repeatable(): number {
		return this.count('accepted', 'unknown');
	}

	/** What became of each item. */
	get data(): IDataObject {
		return {
			accepted: this.accepted.map(({ item, to, messageId }) => ({ item, to, messageId })),
			failed: this.failed.map(({ item, to, error, kind }) => ({
				...{ item, to, error: error.message, outcome: kind },
			})),
			skipped: this.named('skipped', 'withheld', 'dryRun'),
			notTried: this.named('notStarted'),
		};
	}

	/**
	 * The error of a list of which nothing is sent.
	 *
	 * @param again what another run would do with what an earlier try has sent
	 */
	errorOfList(node: INode, again: string | undefined): NodeError {
		const refused = this.failed.filter(({ endsRun }) => endsRun);
		const [first, ...others] = reasonsOf(refused);
		const { error, description, item } = refused[0]!;
		const isMore = this.repeatable > 0 && this.became();
		const nothing = `Nothing ${isMore ? 'more ' : ''}was ${this.verb.done}`;
		// Otherwise there is nothing wrong with the items.
		const isOfItems = others.length > 0 || this.fates.includes('notStarted');
		const earlier = [isMore, again, ...listed(reasonsOf(this.failed.filter(isOfEarlier)))];
		if (!isOfItems) return this.explain(error, [description, `${nothing}.`, ...earlier]);

		const message = `${nothing}: ${refused.length} of ${this.fates.length} items can't be`;
		return this.explain(new NodeOperationError(node, message, { itemIndex: item }), [
			...listed([first!, ...others], true),
			`Correct them, or set 'On Error' in this node's settings to 'Continue (using error output)': the rest is then ${this.verb.done}.`,
			...earlier,
		]);
	}

	/** The error of a run that had begun. @param again what another run would do */
	errorOfRun({ error, description, item }: Row<Failed>, again: string | undefined): NodeError {
		const others = this.failed.filter((failure) => failure.item !== item);
		return this.explain(error, [this.became(), again, description, ...listed(reasonsOf(others))]);
	}

	/**
	 * The error of a run that *Stop* or the workflow's time-out ended. By the word 'canceled', n8n
	 * stores the execution as canceled, not as failed.
	 *
	 * @param again what another run would do
	 */
	errorOfCancel(node: INode, again: string | undefined): NodeError {
		const error = new NodeOperationError(node, `The execution was canceled: ${this.became()}`);
		return this.explain(error, [again, ...listed(reasonsOf(this.failed))]);
	}

	/** @param error gets what became of each item, too */
	private explain(error: NodeError, lines: Array<string | false | undefined>): NodeError {
		error.context.data = this.data;
		return Object.assign(error, { description: lines.filter(Boolean).join(' ') });
	}

	/** What became of how many items. */
	private became(): string {
		const { done } = this.verb;
		const { length: sent } = this.accepted;
		const [unknown, refused] = [this.count('unknown'), this.count('refused')];
		const others: Array<[number, string]> = [
			[this.count('skipped', 'withheld'), 'skipped'],
			[this.count('dryRun'), 'only shown'],
			[this.count('notStarted'), 'not tried'],
		];
		const parts = [
			`${sent} of ${this.fates.length} items ${was(sent)} ${done}`,
			unknown > 0 && `${unknown} may have been ${done}`,
			refused > 0 && `${refused} failed`,
			...others.map(([count, what]) => count > 0 && `${count} ${was(count)} ${what}`),
		];
		return `${parts.filter(Boolean).join(', ')}.`;
	}

	/** Entries for n8n's log, with what is in doubt first. */
	get log(): Array<[text: string, data: IDataObject]> {
		const inDoubt = this.failed.filter(({ kind }) => kind === 'unknown');
		const rows = [...inDoubt, ...this.accepted].map((row) => ({
			...{ item: row.item, to: row.to, outcome: row.kind },
			messageId: row.kind === 'accepted' ? row.messageId : undefined,
		}));
		const accepted = `Accepted: ${this.accepted.length} of ${this.fates.length} items.`;
		const maybe = inDoubt.length > 0 && `${inDoubt.length} more may have been ${this.verb.done}.`;
		const parts = Math.max(1, Math.ceil(rows.length / mostLogged));
		return Array.from({ length: parts }, (_, part) => {
			const items = rows.slice(part * mostLogged, (part + 1) * mostLogged);
			const named = items.map(({ item, to, outcome, messageId }) => {
				const known = outcome === 'unknown' ? `in doubt${to ? ` (${to})` : ''}` : messageId;
				return asLine(known ? `item ${item}: ${known}` : `item ${item}`);
			});
			const text = ['The execution was stopped.', accepted, maybe, named.join(', ')];
			return [text.filter(Boolean).join(' '), { items }];
		});
	}

	private count(...kinds: FateKind[]): number {
		return this.fates.filter((fate) => kinds.includes(kindOf(fate))).length;
	}

	private named(...kinds: FateKind[]): Named[] {
		return this.fates.flatMap((fate, item) =>
			kinds.includes(kindOf(fate)) ? [this.name(item)] : [],
		);
	}

	private rows<T extends Result>(is: (fate: Fate) => fate is T): Array<Row<T>> {
		return this.fates.flatMap((fate, item) => (is(fate) ? [{ ...fate, ...this.name(item) }] : []));
	}
}

const isAccepted = (fate: Fate): fate is Accepted => kindOf(fate) === 'accepted';

const was = (count: number): string => (count === 1 ? 'was' : 'were');

const isOfEarlier = ({ endsRun }: Failed): boolean => !endsRun;

/** Failures with the same message. */
type Reason = [Row<Failed>, ...Array<Row<Failed>>];

function reasonsOf(failures: Array<Row<Failed>>): Reason[] {
	const reasons = new Map<string, Reason>();
	for (const failure of failures) {
		const { message } = failure.error;
		const reason = reasons.get(message);
		if (reason) reason.push(failure);
		else reasons.set(message, [failure]);
	}
	return [...reasons.values()];
}

/** A sentence for each reason, as far as there is room; with hints, each of them once. */
function listed(reasons: Reason[], hasHints = false): string[] {
	const hints = new Set<string>();
	const lines = reasons.slice(0, mostNamed).flatMap((rows) => {
		const [{ error, description: hint }] = rows;
		const isNew = hasHints && hint !== '' && !hints.has(hint);
		hints.add(hint);
		return [asSentence(`${listItems(rows)}: ${error.message}`), ...(isNew ? [hint] : [])];
	});
	const unnamed = reasons.slice(mostNamed).flat().length;
	return unnamed > 0 ? [...lines, `${unnamed} more are in the data of this error.`] : lines;
}

/** `Item 3`, `Items 3, 17`, or the first ten of more. */
function listItems(rows: Named[]): string {
	const named = rows.slice(0, mostNamed).map(({ item }) => item);
	const more = rows.length - named.length;
	return `Item${rows.length === 1 ? '' : 's'} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
