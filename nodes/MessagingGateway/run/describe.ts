import { NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';

import type { NodeError, Uncertainty } from '../../gateway/errors';
import { groupBy } from '../../gateway/maps';
import { asLine, asSentence, firstThreeSentences, sentencesOf } from '../../text/text';
import { isFailed, type Failed, type Fate } from './job';

/** An item as outputs, errors and the log name it. */
export type Named = { item: number; to?: string };

/** An item with its result. */
type Row<F extends Fate = Fate> = F & Named;

/** People or reasons that a sentence names at most. */
const maxNamed = 3;

/** Items in an entry of n8n's log at most. */
const maxLogged = 100;

/** Counts what became of a run's items and says it, in errors, in n8n's log and above the output. */
export class Tally {
	readonly failed: Array<Row<Failed>>;
	/** Items that may have been sent: none of an operation that may be repeated. */
	private readonly inDoubt: Row[];
	private readonly refused: Array<Row<Failed>>;
	private readonly sent: Row[];
	private readonly done: string;
	/** What another run would do, as the end of a sentence. */
	again: string | undefined;

	constructor(
		private readonly rows: Row[],
		private readonly uncertainty: Uncertainty | undefined,
	) {
		this.done = uncertainty?.done ?? 'done';
		this.sent = this.of('accepted', 'asked');
		this.failed = rows.filter((row) => isFailed(row));
		this.inDoubt = uncertainty ? this.of('unknown') : [];
		this.refused = this.failed.filter(({ kind }) => kind === 'refused' || !uncertainty);
	}

	/** Returns the items that came out as one of these. */
	of(...kinds: Array<Fate['kind']>): Row[] {
		return this.rows.filter(({ kind }) => kinds.includes(kind));
	}

	/** Makes the error of a list of which nothing is sent. */
	errorOfList(node: INode): NodeError {
		const { done } = this;
		const refused = this.failed.filter(({ endsRun }) => endsRun);
		const { error, hint, item } = refused[0]!;
		const isMore = this.of('accepted', 'unknown').length > 0;
		const nothing = `Nothing ${isMore ? 'more ' : ''}was ${done}`;
		const isSame = refused.every((row) => row.error.message === error.message);
		// There is nothing wrong with the items.
		if (isSame && this.of('notStarted').length === 0) {
			return this.explain(error, this.doubt, !hint.includes(nothing) && `${nothing}.`, hint);
		}
		const message = `${nothing}: ${show(refused.length)} of ${show(this.rows.length)} items can't be ${done}`;
		const reasons = groupBy(refused, reasonOf);
		return this.explain(
			new NodeOperationError(node, message, { itemIndex: item }),
			this.doubt,
			nameReasons(reasons),
			isMore ? `${this.count()}.` : reasons.size === 1 && sentencesOf(hint)[0],
			`Correct ${refused.length === 1 ? 'it' : 'them'}, or set 'On Error' in this node's settings to 'Continue (using error output)', so that the rest is ${done}.`,
		);
	}

	/**
	 * Says in an error what became of a run that had begun.
	 *
	 * @param decisive the failure that it is the error of; undefined: the execution was canceled
	 */
	explainRun(error: NodeError, decisive?: Row<Failed>): NodeError {
		const reasons = groupBy(this.refused, reasonOf);
		if (decisive) reasons.delete(reasonOf(decisive));
		const check = this.doubt && this.uncertainty?.check;
		const other = reasons.size > 0 && nameReasons(reasons);
		return this.explain(error, this.doubt, `${this.count()}.`, check, other, decisive?.hint);
	}

	/** Gives an error at most three sentences, and what became of each item as its data. */
	explain(error: NodeError, ...sentences: Array<string | false | undefined>): NodeError {
		error.description = firstThreeSentences(...sentences);
		error.context.data = { items: this.rows.map(toData) };
		return error;
	}

	/** Makes entries for n8n's log, with the items in doubt first. */
	get log(): Array<[text: string, data: IDataObject]> {
		const logged = [...this.of('unknown'), ...this.of('accepted')].map(toData);
		const counts = `The execution was stopped: ${this.count({ withDoubt: true })}.`;
		const parts = Math.max(1, Math.ceil(logged.length / maxLogged));
		return Array.from({ length: parts }, (_, part) => {
			const items = logged.slice(part * maxLogged, (part + 1) * maxLogged);
			const named = items.map(({ messageId, outcome, ...row }) =>
				asLine(`${nameOf(row)}: ${messageId ?? (outcome === 'unknown' ? 'in doubt' : outcome)}`),
			);
			return [named.length > 0 ? `${counts} ${named.join(', ')}.` : counts, { items }];
		});
	}

	/** The text that n8n shows above the output. */
	get hint(): { message: string; type: 'info' | 'warning' } {
		const { done, rows } = this;
		const isDryRun = this.of('dryRun').length === rows.length;
		const sent = isDryRun ? rows.filter((row) => outputOf(row).wouldSend) : this.sent;
		const rest = rows.length - sent.length;
		const cost = costOf(sent);
		const would = `${show(sent.length)} of ${show(rows.length)} would be ${done}${cost}`;
		const counts = isDryRun
			? `Dry run: nothing was ${done}. ${rest > 0 ? `${would}, ${show(rest)} would not` : would}`
			: this.count({ cost, withDoubt: true });
		const reasons = isDryRun ? "'explanation'" : "'error' or 'reason'";
		const message = rest > 0 ? `${counts}: see ${reasons} of each.` : `${counts}.`;
		const check = this.inDoubt.length > 0 ? ` ${this.uncertainty!.check}` : '';
		return { message: message + check, type: rest > 0 ? 'warning' : 'info' };
	}

	/** `+5511900200001 may have got it.` */
	get doubt(): string | undefined {
		if (this.inDoubt.length === 0) return undefined;
		const isToPeople = this.inDoubt.every(({ to }) => to !== undefined);
		return `${nameAll(this.inDoubt)} may have ${isToPeople ? 'got it' : `been ${this.done}`}.`;
	}

	/** `9 of 20 were sent, 1 failed (+5511900200001), 10 were not tried: <again>` */
	private count({ cost = '', withDoubt = false } = {}): string {
		const { again, done, rows, sent } = this;
		const parts: Array<[words: string, some: Row[], who?: string]> = [
			[`may have been ${done}`, withDoubt ? this.inDoubt : []],
			['failed', this.refused, ` (${nameAll(this.refused)})`],
			['was skipped', this.of('skipped', 'withheld')],
			['was only shown', this.of('dryRun')],
			['was not tried', this.of('notStarted')],
		];
		const said = parts
			.filter(([, { length }]) => length > 0)
			.map(([words, some, who = '']) => `${show(some.length)} ${inNumber(words, some)}${who}`);
		const first = `${show(sent.length)} of ${show(rows.length)} ${inNumber('was', sent)} ${done}${cost}`;
		return [first, ...said].join(', ') + (again ? `: ${again}` : '');
	}
}

/** An item in the data of an error, and of an entry in n8n's log. */
const toData = ({ item, to, kind: outcome, ...row }: Row) => ({
	...{ item, to, outcome },
	...('messageId' in row && { messageId: row.messageId }),
	...('error' in row && { message: row.error.message, hint: row.hint }),
});

/** Names people by their numbers, and an item without one by its place, as n8n writes it. */
function nameAll(rows: Named[]): string {
	const more = rows.length - maxNamed;
	const names = [
		...rows.slice(0, maxNamed).map(nameOf),
		...(more > 0 ? [`${show(more)} more`] : []),
	];
	return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
}

/** A number begins with +; anything else is quoted, as it was entered. */
function nameOf({ item, to }: Named): string {
	if (to === undefined) return `[item ${item}]`;
	return to.startsWith('+') ? to : `'${asLine(to, 40)}'`;
}

/** Returns a message without the value that ends it, the same for all such failures: `'To' is too long` */
const reasonOf = ({ error }: Failed): string => error.message.replace(valueAtEnd, '');

const valueAtEnd = /: ('[^]*')$/;

/** `+5511900200001: 'Text' is empty; '12' and '13': 'To' is too short for Brazil (+55), e.g. '12'.` */
function nameReasons(reasons: Map<string, Array<Row<Failed>>>): string {
	const said = [...reasons.values()].map((rows) => {
		const { message } = rows[0]!.error;
		const what = rows.length > 1 ? message.replace(valueAtEnd, ', e.g. $1') : message;
		return `${nameAll(rows)}: ${what}`;
	});
	const more = said.splice(maxNamed).length;
	if (more > 0) said.push(`${show(more)} more reasons are in the data of this error`);
	return asSentence(said.join('; '));
}

const inNumber = (words: string, { length }: Row[]): string =>
	length === 1 ? words : words.replace(/^was/, 'were');

const show = (count: number): string => count.toLocaleString('en-US');

/** Returns the output of an item that was not refused. */
const outputOf = (fate: Fate) =>
	(fate as { output: Array<{ segments?: unknown; wouldSend?: boolean }> }).output[0] ?? {};

/** ` (1,312 SMS segments)` */
function costOf(fates: Fate[]): string {
	const sum = fates.reduce((sum, fate) => sum + (Number(outputOf(fate).segments) || 0), 0);
	return sum === 0 ? '' : ` (${show(sum)} SMS ${sum === 1 ? 'segment' : 'segments'})`;
}
