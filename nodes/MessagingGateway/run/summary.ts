import { NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import { asLine } from '../../text/quote';
import { asSentence } from '../../text/sentence';
import type { NodeError, Uncertainty } from '../../gateway/errors';
import { isFailed, kindOf } from './job';
import type { Accepted, Failed, Fate, FateKind, Result } from './job';
import { countedFrom, groups, mostNamed, nameItems, words, type Group } from './words';

/** How many items an entry of n8n's log has. */
const mostLogged = 100;

/** An item as outputs, errors and the log name it. */
export type Named = { item: number; to?: string };

type Row<T extends Result> = T & Named;

/** What became of the items of a run, in the words of its error and of n8n's log. */
export class Summary {
	private readonly accepted: Array<Row<Accepted>>;
	private readonly failed: Array<Row<Failed>>;

	/** @param maybeSent what this run did not send, but may have been sent before it or beside it */
	constructor(
		readonly fates: Fate[],
		private readonly name: (item: number) => Named,
		private readonly verb: Pick<Uncertainty, 'does' | 'done'>,
		private readonly maybeSent: FateKind[] = [],
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
		return this.count('sent') + this.count('inDoubt');
	}

	/** How many items are left for another run to send. */
	get left(): number {
		return this.count('failed') + this.count('notTried');
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
		const reasons = reasonsOf(refused);
		const { error, description, item } = refused[0]!;
		const isMore = this.repeatable > 0 && this.became();
		const nothing = `Nothing ${isMore ? 'more ' : ''}was ${this.verb.done}`;
		// Otherwise there is nothing wrong with the items.
		const isOfItems = reasons.length > 1 || this.fates.includes('notStarted');
		const earlier = listed(reasonsOf(this.failed.filter(({ endsRun }) => !endsRun)));
		if (!isOfItems)
			return this.explain(error, [description, `${nothing}.`, isMore, again], earlier);

		const message = `${nothing}: ${refused.length} of ${this.fates.length} items can't be ${this.verb.done}`;
		return this.explain(
			new NodeOperationError(node, message, { itemIndex: item }),
			[],
			[
				...listed(reasons, true),
				`Correct them, or set 'On Error' in this node's settings to 'Continue (using error output)': the rest is then ${this.verb.done}.`,
				...[isMore, again].filter((line) => line !== false && line !== undefined),
				...earlier,
			],
		);
	}

	/** The error of a run that had begun. @param again what another run would do */
	errorOfRun(decisive: Row<Failed>, again: string | undefined): NodeError {
		const { error, description, item } = decisive;
		const others = this.failed.filter((failure) => failure.item !== item);
		const [same, ...reasons] = reasonsOf([decisive, ...others]);
		// Said of these items alone: it is not true of the others.
		const hint = description && `${listItems(same!)}: ${description}`;
		return this.explain(error, [this.became(), again], [hint, ...listed(reasons)]);
	}

	/**
	 * The error of a run that *Stop* or the workflow's time-out ended. By the word 'canceled', n8n tells
	 * it from a failure, which would start the error workflow.
	 *
	 * @param again what another run would do
	 */
	errorOfCancel(node: INode, again: string | undefined): NodeError {
		const error = new NodeOperationError(node, `The execution was canceled: ${this.became()}`);
		return this.explain(error, [again], listed(reasonsOf(this.failed)));
	}

	/** @param error gets what became of each item, too @param items sentences that name some */
	private explain(
		error: NodeError,
		lines: Array<string | false | undefined>,
		items: string[],
	): NodeError {
		error.context.data = this.data;
		const named = items.filter(Boolean);
		const all = [...lines, ...named, named.length > 0 && countedFrom];
		return Object.assign(error, { description: all.filter(Boolean).join(' ') });
	}

	/** What became of how many items. */
	private became(): string {
		const { done } = this.verb;
		const sent = this.count('sent');
		const before = this.accepted.filter(({ isEarlier }) => isEarlier).length;
		const earlier = before === sent ? 'by an earlier try' : `${before} of them by an earlier try`;
		const others = Object.entries(words).map(([group, { inError }]) => {
			const count = this.count(group as Group);
			return count > 0 && `${count} ${inError(count, done)}`;
		});
		const all = `${sent} of ${this.fates.length} items ${sent === 1 ? 'was' : 'were'} ${done}`;
		return `${[before > 0 ? `${all} (${earlier})` : all, ...others].filter(Boolean).join(', ')}.`;
	}

	/** Entries for n8n's log, with what is in doubt first. */
	get log(): Array<[text: string, data: IDataObject]> {
		const inDoubt = this.failed.filter(({ kind }) => kind === 'unknown');
		const rows = [...inDoubt, ...this.accepted].map((row) => ({
			...{ item: row.item, to: row.to, outcome: row.kind },
			messageId: row.kind === 'accepted' ? row.messageId : undefined,
		}));
		const parts = Math.max(1, Math.ceil(rows.length / mostLogged));
		return Array.from({ length: parts }, (_, part) => {
			const items = rows.slice(part * mostLogged, (part + 1) * mostLogged);
			const named = items.map(({ item, to, outcome, messageId }) => {
				const known = outcome === 'unknown' ? `in doubt${to ? ` (${to})` : ''}` : messageId;
				return asLine(known ? `item ${item}: ${known}` : `item ${item}`);
			});
			const list = named.length > 0 && `${named.join(', ')}. ${countedFrom}`;
			const text = ['The execution was stopped:', this.became(), list];
			return [text.filter(Boolean).join(' '), { items }];
		});
	}

	private count(group: Group): number {
		return this.fates.filter((fate) => this.groupOf(kindOf(fate)) === group).length;
	}

	private groupOf(kind: FateKind): Group {
		return this.maybeSent.includes(kind) ? 'inDoubt' : groups[kind];
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

/** Failures with the same message, but for the value that it ends with. */
type Reason = [Row<Failed>, ...Array<Row<Failed>>];

/** `'To' is too long: '…'` */
const valueAtEnd = /: ('[^]*')$/;

function reasonsOf(failures: Array<Row<Failed>>): Reason[] {
	const reasons = new Map<string, Reason>();
	for (const failure of failures) {
		const what = failure.error.message.replace(valueAtEnd, '');
		const reason = reasons.get(what);
		if (reason) reason.push(failure);
		else reasons.set(what, [failure]);
	}
	return [...reasons.values()];
}

/** A sentence for each reason, as far as there is room; with hints, each of them once. */
function listed(reasons: Reason[], hasHints = false): string[] {
	const hints = new Set<string>();
	const lines = reasons.slice(0, mostNamed).flatMap((rows) => {
		const [{ error, description: hint }, ...more] = rows;
		const isNew = hasHints && hint !== '' && !hints.has(hint);
		hints.add(hint);
		const what = more.length > 0 ? error.message.replace(valueAtEnd, ', e.g. $1') : error.message;
		return [asSentence(`${listItems(rows)}: ${what}`), ...(isNew ? [hint] : [])];
	});
	const unnamed = reasons.slice(mostNamed).flat().length;
	return unnamed > 0 ? [...lines, `${unnamed} more are in the data of this error.`] : lines;
}

const listItems = (rows: Named[]): string =>
	nameItems(rows.map(({ item }) => item)).replace('i', 'I');
