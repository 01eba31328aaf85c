import { NodeOperationError, type INode, type IDataObject, type NodeHint } from 'n8n-workflow';

import type { NodeError } from '../n8n/errors';
import type { Uncertainty } from '../service/requestError';
import { groupBy } from '../text/collections';
import { asLine } from '../text/quote';
import { sentencesOf, firstThreeSentences, asSentence } from '../text/sentences';
import type { Fate, Failed } from './job';

/** An item as outputs, errors and the log name it. */
export type NamedItem = { item: number; to?: string };

type ItemResult<F extends Fate = Fate> = F & NamedItem;

/** A sentence names at most so many people or reasons. */
const maxNamed = 3;

/** An entry of n8n's log has at most so many items. */
const maxLogged = 100;

/** Counts what became of a run's items and says it, in errors, in n8n's log and above the output. */
export class Tally {
	readonly failed: Array<ItemResult<Failed>>;
	/** Items that may have been sent: none of an operation that may be repeated. */
	private readonly inDoubt: ItemResult[];
	private readonly refused: Array<ItemResult<Failed>>;
	private readonly sent: ItemResult[];
	private readonly done: string;
	/** The end of a sentence that says what another run would do. */
	nextRun: string | undefined;

	constructor(
		private readonly rows: ItemResult[],
		private readonly uncertainty: Uncertainty | undefined,
	) {
		this.done = uncertainty?.done ?? 'done';
		this.sent = this.select('accepted', 'asked');
		this.failed = rows.filter((row) => 'error' in row);
		this.inDoubt = uncertainty ? this.select('unknown') : [];
		this.refused = this.failed.filter(({ kind }) => kind === 'refused' || !uncertainty);
	}

	select(...kinds: Array<Fate['kind']>): ItemResult[] {
		return this.rows.filter(({ kind }) => kinds.includes(kind));
	}

	/** Makes the error of a list of which nothing is sent. */
	errorOfList(node: INode): NodeError {
		const { done } = this;
		const refused = this.failed.filter(({ endsRun }) => endsRun);
		const { error, hint, item } = refused[0]!;
		const isMore = this.select('accepted', 'unknown').length > 0;
		const nothing = `Nothing ${isMore ? 'more ' : ''}was ${done}`;
		const isSame = refused.every((row) => row.error.message === error.message);
		const isRest = this.select('notStarted').length > 0;
		// All items fail for one reason outside of them, so the list needs no correction.
		if (isSame && !isRest) {
			return this.explain(error, this.doubt, !hint.includes(nothing) && `${nothing}.`, hint);
		}
		const message = `${nothing}: ${formatShare(refused, this.rows)} items can't be ${done}`;
		const reasons = groupBy(refused, reasonOf);
		return this.explain(
			new NodeOperationError(node, message, { itemIndex: item }),
			this.doubt,
			listReasons(reasons),
			isMore ? `${this.count()}.` : reasons.size === 1 && sentencesOf(hint)[0],
			isRest &&
				`Correct ${refused.length === 1 ? 'it' : 'them'}, or set 'On Error' in this node's settings to 'Continue (using error output)', so that the rest is ${done}.`,
		);
	}

	/**
	 * Says in an error what became of a run that had begun.
	 *
	 * @param decisive the failure that it is the error of; undefined: the execution was canceled
	 */
	explainRun(error: NodeError, decisive?: ItemResult<Failed>): NodeError {
		const reasons = groupBy(this.refused, reasonOf);
		if (decisive) reasons.delete(reasonOf(decisive));
		const check = this.doubt && this.uncertainty?.check;
		const other = reasons.size > 0 && listReasons(reasons);
		return this.explain(error, this.doubt, `${this.count()}.`, check, other, decisive?.hint);
	}

	/** Gives an error at most three sentences, and what became of each item as its data. */
	explain(error: NodeError, ...sentences: Array<string | false | undefined>): NodeError {
		error.description = firstThreeSentences(...sentences);
		error.context.data = { items: this.rows.map(toErrorData) };
		return error;
	}

	/** Makes entries for n8n's log, with the items in doubt first. */
	get log(): Array<[text: string, data: IDataObject]> {
		const logged = [...this.select('unknown'), ...this.select('accepted')].map(toErrorData);
		const counts = `The execution was stopped: ${this.count({ withDoubt: true })}.`;
		const parts = Math.max(1, Math.ceil(logged.length / maxLogged));
		return Array.from({ length: parts }, () => {
			const items = logged.splice(0, maxLogged);
			const named = items.map(({ messageId, outcome, ...row }) =>
				asLine(`${nameItem(row)}: ${messageId ?? (outcome === 'unknown' ? 'in doubt' : outcome)}`),
			);
			return [named.length > 0 ? `${counts} ${named.join(', ')}.` : counts, { items }];
		});
	}

	/**
	 * Returns the text that n8n shows above the output.
	 *
	 * @param warning about what was entered @param credential the name of the one in use
	 */
	hintWith(isDryRun: boolean, warning: string, credential?: string): Omit<NodeHint, 'location'> {
		const { done, rows } = this;
		const sent = isDryRun ? rows.filter((row) => firstOutputOf(row).wouldSend) : this.sent;
		const rest = rows.length - sent.length;
		const isTest = rows.some((row) => firstOutputOf(row).testMode);
		const lead = isTest ? `Test Mode is on in the credential '${credential}'` : 'Dry run';
		const extent = extentOf(sent);
		const others = rest > 0 ? `, ${formatCount(rest)} would not` : '';
		const counts = isDryRun
			? `${lead}: nothing was ${done}. ${formatShare(sent, rows)} would be ${done}${extent}${others}`
			: this.count({ extent, withDoubt: true });
		const reasons = isDryRun ? "'explanation'" : "'error' or 'reason'";
		const message = rest > 0 ? `${counts}: see ${reasons} of each.` : `${counts}.`;
		const check = this.inDoubt.length > 0 ? ` ${this.uncertainty!.check}` : '';
		return { message: message + check + warning, type: rest > 0 || warning ? 'warning' : 'info' };
	}

	/** Names the items in doubt: `+5511900200001 may have got it.` */
	get doubt(): string | undefined {
		if (this.inDoubt.length === 0) return undefined;
		const isToPeople = this.inDoubt.every(({ to }) => to !== undefined);
		return `${startSentence(listNames(this.inDoubt))} may have ${isToPeople ? 'got it' : `been ${this.done}`}.`;
	}

	/** Says the counts: `9 of 20 were sent, 1 failed (+5511900200001), 10 were not tried: <nextRun>` */
	private count({ extent = '', withDoubt = false } = {}): string {
		const { nextRun, done, rows, sent } = this;
		const parts: Array<[words: string, some: ItemResult[], who?: string]> = [
			[`may have been ${done}`, withDoubt ? this.inDoubt : []],
			['failed', this.refused, ` (${listNames(this.refused)})`],
			['was skipped', this.select('skipped', 'withheld')],
			['was only shown', this.select('dryRun')],
			['was not tried', this.select('notStarted')],
		];
		const said = parts
			.filter(([, { length }]) => length > 0)
			.map(
				([words, some, who = '']) => `${formatCount(some.length)} ${inflect(words, some)}${who}`,
			);
		const first = `${formatShare(sent, rows)} ${inflect('was', sent)} ${done}${extent}`;
		return [first, ...said].join(', ') + (nextRun ? `: ${nextRun}` : '');
	}
}

/** Returns an item as it stands in the data of an error, and of an entry in n8n's log. */
const toErrorData = ({ item, to, kind: outcome, ...row }: ItemResult) => ({
	...{ item, to, outcome },
	...('output' in row && { messageId: row.output[0]?.messageId ?? undefined }),
	...('error' in row && { message: row.error.message, hint: row.hint }),
});

/** Names people by their numbers, and an item without one by its place: `row 1` is the first one. */
function listNames(rows: NamedItem[]): string {
	const names = rows.slice(0, maxNamed).map(nameItem);
	const more = rows.length - maxNamed;
	if (more > 0) names.push(`${formatCount(more)} more`);
	return new Intl.ListFormat('en-GB').format(names); // not the American comma before `and`
}

/** Names an item by its number, or by its place and what was entered as its number: `row 8 'abc'` */
function nameItem({ item, to }: NamedItem): string {
	if (to === undefined) return `row ${item + 1}`;
	return to.startsWith('+') ? to : `row ${item + 1} '${asLine(to, 40)}'`;
}

/** Returns a message without the value that ends it, the same for all such failures: `'To' is too long` */
const reasonOf = ({ error }: Failed): string => error.message.replace(valueAtEnd, '');

const valueAtEnd = /: ('[^]*')$/;

/** Lists errors: `+5511900200001: 'Text' is empty; row 2 '12' and row 3 '13': 'To' is too short for Brazil (+55): '12' in row 2.` */
function listReasons(reasons: Map<string, Array<ItemResult<Failed>>>): string {
	const said = [...reasons.values()].map((rows) => {
		const { item, error } = rows[0]!;
		const place = rows.length > 1 ? ` in row ${item + 1}` : '';
		return `${listNames(rows)}: ${error.message.replace(valueAtEnd, `$&${place}`)}`;
	});
	const more = said.splice(maxNamed).length;
	if (more > 0) said.push(`${formatCount(more)} more reasons are in the data of this error`);
	return asSentence(startSentence(said.join('; ')));
}

/** Says which texts lack something: ` 1 of 20 texts has a gap: {{ $json.body.nome }} gave nothing.` */
export function describeGaps(gaps: string[], texts: unknown[]): string {
	const codes = [...new Set(gaps)].slice(0, maxNamed).join(', ');
	return ` ${formatShare(gaps, texts)} texts ${gaps.length === 1 ? 'has' : 'have'} a gap: ${codes} gave nothing.`;
}

const startSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const inflect = (words: string, { length }: ItemResult[]): string =>
	length === 1 ? words : words.replace(/^was/, 'were');

const formatCount = (count: number): string => count.toLocaleString('en-US');

const formatShare = (some: unknown[], all: unknown[]): string =>
	`${formatCount(some.length)} of ${formatCount(all.length)}`;

const firstOutputOf = (fate: Fate): IDataObject => ('output' in fate && fate.output[0]) || {};

/** Returns how much was sent, and to whom if some got several: ` (1,312 SMS segments), to 940 numbers` */
function extentOf(fates: Fate[]): string {
	const outputs = fates.map(firstOutputOf);
	const sum = outputs.reduce((sum, { segments }) => sum + (Number(segments) || 0), 0);
	const cost = sum === 0 ? '' : ` (${formatCount(sum)} SMS ${sum === 1 ? 'segment' : 'segments'})`;
	const { size } = new Set(outputs.map(({ to }) => to));
	const isFewer = size < fates.length;
	return isFewer ? `${cost}, to ${formatCount(size)} ${size === 1 ? 'number' : 'numbers'}` : cost;
}
