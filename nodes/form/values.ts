import type { Owner } from '../gateway/owner';
import { toText } from '../text/toText';

/** Whatever an expression gives, read as the kind of value that a field holds. */

export const isNothing = (value: unknown): value is undefined | null =>
	value === undefined || value === null;

/** @throws NodeOperationError when the value is an object, a list or no number at all */
export function asText(item: Owner, value: unknown, displayName: string): string {
	const text = isNothing(value) ? '' : toText(value);
	const other = kindOtherThanText(value, text);
	if (other === undefined) return text;
	throw item.invalid(
		`'${displayName}' is ${other}, not a text`,
		'Let the expression name one of its fields, e.g. {{ $json.customer.name }}.',
	);
}

function kindOtherThanText(value: unknown, text: string): string | undefined {
	if (Array.isArray(value)) return 'a list';
	if (text.startsWith('[object ')) return 'an object';
	return typeof value === 'number' && !Number.isFinite(value) ? text : undefined;
}

/** @throws NodeOperationError when the value is not a number from `least` */
export function asNumber(item: Owner, value: unknown, displayName: string, least: number): number {
	const isEntered = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
	const number = isEntered ? Number(value) : NaN;
	if (Number.isFinite(number) && number >= least) return number;
	throw item.invalid(`'${displayName}' is not a number from ${least}`, `Enter ${least} or more.`);
}

/** @throws NodeOperationError when the value is neither true nor false */
export function asFlag(item: Owner, value: unknown, displayName: string): boolean {
	const word = toText(value).trim().toLowerCase();
	if (word === 'true' || word === 'false') return word === 'true';
	throw item.invalid(
		`'${displayName}' is neither true nor false`,
		'Let the expression give true or false.',
	);
}

/** @throws NodeOperationError when the value is none of them */
export function asChoice<T extends string>(
	item: Owner,
	entered: string,
	displayName: string,
	values: readonly T[],
): T {
	const value = values.find((candidate) => candidate === entered);
	if (value !== undefined) return value;
	throw item.invalid(
		entered === ''
			? `'${displayName}' is empty`
			: `'${displayName}' is not one of its choices: '${item.quote(entered)}'`,
		`Let the expression give ${values.join(' or ')}.`,
	);
}
