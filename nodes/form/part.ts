import { visibleIn, toText } from '../text/values';

/** One `{{ … }}` of an entered text, e.g. `{{ $json.id }}` of `{{ $json.id }}-sent`. */
export class Part {
	private evaluated: [unknown] | undefined;

	/** @param mayBeEmpty whether the whole text leaves that open @param evaluate evaluates code in `{{ }}` */
	constructor(
		readonly code: string,
		private readonly mayBeEmpty: boolean,
		private readonly evaluate: (code: string) => unknown,
	) {}

	/** Evaluated once: that takes n8n half a millisecond. */
	get value(): unknown {
		return (this.evaluated ??= [this.evaluate(this.code)])[0];
	}

	/** Whether nothing of it is seen in a text with more in it: n8n leaves out null, undefined and NaN. */
	get isEmpty(): boolean {
		if (!this.mayBeEmpty) return false;
		const { value } = this;
		return Number.isNaN(value) || visibleIn(toText(value ?? '')) === '';
	}

	/** Whether it is empty because it says so itself, as `{{ $json.name ?? '' }}` does. */
	get isLeftOut(): boolean {
		return this.isEmpty && this.value === '' && emptyChoice.test(this.code);
	}

	/** Whether it returns nothing although it should. */
	get isMissing(): boolean {
		return this.isEmpty && !this.isLeftOut;
	}

	/**
	 * Returns a trace of a value that is missing or of the wrong kind. A word that is written in the
	 * expression, or in the data that it reads, is none.
	 */
	get trace(): string | undefined {
		const traces = toText(this.value).replace(encodedNaN, ' ').match(allTraces);
		if (!traces) return undefined;
		const literals = this.code.match(literal) ?? [];
		const data = (this.code.match(reference) ?? []).map((code) => this.read(code));
		const known = new Set([...literals, ...data].join('\n').toLowerCase().match(knownTraces));
		return traces.find((found) => !known.has(found.toLowerCase()));
	}

	/** Returns data as JSON, or nothing for a function and what cannot be read. */
	private read(code: string): string {
		try {
			return JSON.stringify(this.evaluate(`{{ ${code} }}`) ?? '') ?? '';
		} catch {
			return '';
		}
	}
}

/**
 * Returns the parts of an entered text. Few have to be evaluated to know whether they are empty: what is
 * around an empty one touches in the text that all became, as in `order--7` from `order-{{ … }}-7`.
 */
export function partsOf(entered: string, became: string, evaluate: (code: string) => unknown) {
	const end = entered.lastIndexOf('}}') + 2; // cut there, each match ends soon
	const pieces = entered.slice(0, end).split(/(\{\{[^]*?\}\})/);
	pieces.push(pieces.pop()! + entered.slice(end));
	const whole = visibleIn(became.replaceAll('\\', '')); // n8n takes some off before braces
	const parts: Part[] = [];
	for (let at = 1; at < pieces.length; at += 2) {
		const around = visibleIn((pieces[at - 1]! + pieces[at + 1]!).replaceAll('\\', ''));
		const mayBeEmpty =
			(pieces.length > 3 || around !== '') && // the value of the only one says all
			(at > 1 || whole.startsWith(around)) &&
			(at < pieces.length - 2 || whole.endsWith(around)) &&
			whole.includes(around);
		parts.push(new Part(pieces[at]!, mayBeEmpty, evaluate));
	}
	return parts;
}

/** Returns what shows in a text that an expression did not work, or was not evaluated. */
export function findTrace(text: string, getParts: () => Part[]): string | undefined {
	const [unfilled] = placeholder.exec(text) ?? [];
	const [bare] = bareExpression.exec(text) ?? [];
	if (unfilled !== undefined || (bare === undefined && text.search(allTraces) === -1))
		return unfilled;
	const parts = getParts();
	const isData = bare === undefined || parts.some(({ value }) => toText(value).includes(bare));
	return isData ? parts.map(({ trace }) => trace).find(Boolean) : bare;
}

/** Matches a template that was not filled in. Numbers in braces are for the service to fill in. */
const placeholder = /\{\{(?![\d\s,.]+\}\})[^{}]+\}\}/;

/** Matches an expression without braces, which n8n leaves as it is. */
const bareExpression =
	/\$(?:json|node|input|execution|workflow|\('[^']+'\)|\("[^"]+"\))(?=[.[])[\w.[\]'"]+/;

/** Matches what JavaScript writes for such a value, or for a date: a stored execution has its ISO text. */
const allTraces =
	/undefined|null|NaN|Invalid Date(?:Time)?|\[object \w+\]|\[native code\]|\w{3} \w{3} \d\d -?\d{4,6} [\d:]{8} GMT[+-]\d{4}/g;

/** Matches {@link allTraces} in data, from which an expression may have made other letters. */
const knownTraces = new RegExp(allTraces, 'gi');

/** Matches NaN as part of Base64. */
const encodedNaN = /(?<=[\w+/])NaN(?=[\w+/])/g;

/** Matches an empty text as one of the choices of an expression: `?? ''`, `|| ''`, `? '-sent' : ''` */
const emptyChoice = /(?:\?\?|\|\||:)\s*(?:''|""|``)|\?\s*(?:''|""|``)\s*:|\$if\w*\(.*,\s*(?:''|"")/;

const literal = /'[^']*'|"[^"]*"|`[^`]*`/g;

/** Matches what reads data, without the functions that are applied to it: `$('A').first().json.name` */
const reference =
	/\$fromAI\([^)]*\)|\$\w*(?:\((?:'[^']*'|"[^"]*")\))?(?:\??\.(?:all|first|last|itemMatching)\(\d*\)|\??\.\w+(?![\w(])|(?:\?\.)?\[[^\]]*\])*(?![\w(])/gi;
