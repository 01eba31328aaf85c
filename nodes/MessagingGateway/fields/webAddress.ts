import type { Item } from '../item/item';

/**
 * A text that is a web address.
 *
 * @param howTo what to enter instead
 * @throws NodeOperationError when it is none
 */
export function asWebAddress(
	item: Item,
	text: string,
	{ displayName, howTo }: { displayName: string; howTo: string },
): string {
	if (/^https?:/i.test(text) && URL.canParse(text)) return text;
	throw item.invalid(`'${displayName}' is not a web address: '${text}'`, howTo);
}
