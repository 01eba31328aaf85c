import type { IDataObject } from 'n8n-workflow';

import type { AnswerBody } from './answerBody';
import { messageIdNames } from './endpoints/messages';
import type { Redact } from '../text/quote';

/**
 * The body of an answer as it may be shown: what must not be seen is taken out of its names and
 * values, in place. A message ID stays as it is, since it is looked up by.
 */
export function asShown<T extends AnswerBody>(body: T, clean: Redact): T {
	const pending: unknown[] = [body]; // no recursion, however deep it is
	while (pending.length > 0) {
		const holder = pending.pop() as IDataObject;
		for (const [name, value] of Object.entries(holder)) {
			if (typeof value === 'object' && value !== null) pending.push(value);
			const shownName = clean(name);
			if (shownName !== name) delete holder[name];
			holder[shownName] = messageIdNames.includes(name) ? value : shownValue(value, clean);
		}
	}
	return body;
}

/** A number that holds a key of digits alone becomes a text. */
function shownValue<T>(value: T, clean: Redact): T | string {
	if (typeof value !== 'string' && typeof value !== 'number') return value;
	const shown = clean(String(value));
	return shown === String(value) ? value : shown;
}
