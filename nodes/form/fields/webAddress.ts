import { isReachable } from '../../text/host';
import { refine, type PlainField } from '../field';
import type { Item } from '../item';
import { emptyField, rejectEmptyPart } from '../textField';

/** Matches a second address after the first one, unless it is part of that, as in `?url=https://…`. */
const secondAddress = /(?<=[\s\w,;|])(?<!%[\da-f]{2})https?:\/\/|\swww\./i;

/** Matches line breaks and what nobody sees, other than the joiners of emoji and of some scripts. */
const unusable = /[\p{Cc}\p{Zl}\p{Zp}]|(?!\p{Join_Control})\p{Cf}/u;

/** Matches what people leave in the path and the query of an address, and a service may refuse there. */
const unencoded = /[\p{Zs}\p{Join_Control}"<>[\]^`{|}]|%(?![\da-f]{2})/giu;

/** Returns the field of an address that the service opens. @param publicHint what to enter instead of a private one */
export function webAddress(
	of: PlainField<string>,
	hint: string,
	publicHint: string,
): PlainField<string> {
	return refine(of, (entered, item: Item) => {
		const text = entered.replace(/^[<"']([^<>"']+)[>"']$/, '$1'); // RFC 3986, appendix C
		if (text === '') throw emptyField(of, item, hint);
		const isAddress = /^https?:\/\/[^/\\]/i.test(text) && URL.canParse(text);
		if (!isAddress || secondAddress.test(text) || unusable.test(text)) {
			throw item.invalid(
				`'${of.displayName}' is not a web address: '${item.quote(text)}'`,
				`${hint} Enter one address only.`,
			);
		}
		// `https://example.com/.pdf`
		const parts = /\w\/+[/.]/.test(text) ? item.parts(of.name) : [];
		const message = `A part of '${of.displayName}' has no value`;
		rejectEmptyPart(message, parts, item, 'Without it, the address is wrong.');
		const { hostname } = new URL(text);
		const [origin] = /^[^:]+:\/\/[^/?#]+/.exec(text)!;
		if (isReachable({ hostname }, item.account.origin)) {
			return origin + text.slice(origin.length).replace(unencoded, encodeURIComponent);
		}
		throw item.invalid(
			`The service could not open '${of.displayName}', which is in a private network: '${item.quote(text)}'`,
			publicHint,
		);
	});
}
