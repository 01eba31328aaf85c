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

/** A web address with all encoded that a URI cannot hold, such as spaces, accents and brackets. */
export function asUri(webAddress: string): string {
	const [, server, path = '', hash = ''] = /^(\w+:\/\/[^/]*)([^#]*)(#?.*)$/.exec(
		new URL(webAddress).href,
	)!;
	return server + encodeRest(path) + hash.slice(0, 1) + encodeRest(hash.slice(1));
}

const encodeRest = (text: string): string =>
	text.replace(/%(?![\da-f]{2})|[^\w.~:/?@!$&'()*+,;=%-]/gi, encodeURIComponent);
