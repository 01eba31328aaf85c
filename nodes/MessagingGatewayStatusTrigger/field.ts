import type { INodeProperties, IPollFunctions } from 'n8n-workflow';

import type { Field } from '../form/field';
import { unset, isNothing, Entered, isEmpty, type Collection, type Reader } from '../form/item';
import { ownerOfNode, plainOrVars } from '../n8n/errors';
import { asLine } from '../text/quote';

/**
 * Returns a field whose value is the entries of a list, or of a text with separators, without duplicates
 * in upper or lower case. Left empty, it means all; an expression that fails to give any must not.
 */
export const list = (
	property: INodeProperties,
	separators: RegExp,
	what: string,
	collection?: Collection,
): Field<string[]> => ({
	...property,
	read(reader) {
		const raw = reader.raw(this, collection);
		const entries = [raw].flat(Infinity).filter((entry) => entry !== unset && !isNothing(entry));
		const refuse = (problem: string) =>
			reader.invalid(
				`'${property.displayName}' ${problem}`,
				`Enter ${what} with commas, or leave the field empty for all.`,
			);
		if (entries.some((entry) => typeof entry === 'object')) throw refuse('contains an object');
		const texts = entries.flatMap((entry) => String(entry).split(separators));
		const named = texts.map((each) => each.trim()).filter((each) => each !== '');
		const unique = new Map(named.map((each) => [each.toLowerCase(), each]));
		const path = collection ? [collection, property.name] : [property.name];
		const isLost = unique.size === 0 && reader.isFromExpression(...path);
		if (isLost) throw refuse('has an expression that returned nothing');
		return [...unique.values()];
	},
});

/** Returns the reader of a trigger's fields. A field that is empty has its default. */
export function readerOf(context: IPollFunctions): Reader {
	const entered = new Entered(context);
	const owner = ownerOfNode(entered.node);
	return {
		...owner,
		raw({ displayName, name, default: normal }, collection) {
			const path = collection ? `${collection}.${name}` : name;
			try {
				const raw = context.getNodeParameter(path, normal);
				return isEmpty(raw) ? unset : raw;
			} catch (error) {
				const why = asLine((error as Error).message);
				throw owner.invalid(`'${displayName}' cannot be evaluated: ${why}`, plainOrVars);
			}
		},
		isFromExpression: (...path) => entered.hasExpression(...path),
		parts: () => [], // nothing of a poll is sent
	};
}
