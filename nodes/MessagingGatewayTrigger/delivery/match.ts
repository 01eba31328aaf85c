import type { IDataObject } from 'n8n-workflow';

import { toText } from '../../text/toText';
import { recognise } from './shape';

/** A field that a delivery must have, and its value as text. */
export interface Condition {
	/** Names separated by dots, positions in lists as numbers: `data.messages[0].status`. */
	field: string;
	value: string;
}

/**
 * Whether a delivery meets all conditions, with its own field names or those of `_gateway`. Ignores
 * conditions without a field.
 */
export function matches(delivery: IDataObject, conditions: Condition[]): boolean {
	const recognised = recognise(delivery);
	const sources = [{ ...delivery, _gateway: recognised }, recognised];
	return conditions.every(({ field, value }) => {
		const name = toText(field).trim();
		const wanted = toText(value).trim();
		const found = sources.flatMap((source) => [
			step(source, name), // a name may itself contain dots and brackets
			namesIn(name).reduce<unknown>(step, source),
		]);
		return name === '' || found.some((each) => isText(each) && String(each).trim() === wanted);
	});
}

/** `data.messages[0].to` → `data`, `messages`, `0`, `to`. */
const namesIn = (path: string): string[] =>
	path
		.replace(/\[\s*(\d+)\s*\]/g, '.$1')
		.replace(/^\./, '')
		.split('.')
		.map((name) => name.trim());

function step(value: unknown, key: string): unknown {
	const isParent = typeof value === 'object' && value !== null;
	return isParent && Object.hasOwn(value, key) ? (value as IDataObject)[key] : undefined;
}

const isText = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
