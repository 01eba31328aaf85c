import type { IDataObject } from 'n8n-workflow';

import type { Redact } from '../text/quote';
import { messageIdNames, type AnswerBody } from './outcome';

/** Cleans an answer, names and values in place, except message IDs: messages are found by them. */
export function cleanBody(body: AnswerBody, clean: Redact): AnswerBody {
	if (typeof body !== 'object') return shownValue(body, clean);
	if (isClean(body, clean)) return body;
	const pending: unknown[] = [body]; // no recursion: it may be very deep
	while (pending.length > 0) {
		const parent = pending.pop() as IDataObject;
		for (const [name, value] of Object.entries(parent)) {
			if (typeof value === 'object' && value !== null) pending.push(value);
			const shownName = clean(name);
			if (shownName !== name) delete parent[name];
			parent[shownName] = messageIdNames.includes(name) ? value : shownValue(value, clean);
		}
	}
	return body;
}

function isClean(body: AnswerBody, clean: Redact): boolean {
	try {
		const text = JSON.stringify(body).replace(/\\(.)/g, '$1'); // its texts as they are
		return clean(text) === text;
	} catch {
		return false; // too deep
	}
}

/** Cleans a value. A number becomes text if it contains a key that consists of digits. */
function shownValue<T>(value: T, clean: Redact): T | string {
	if (typeof value !== 'string' && typeof value !== 'number') return value;
	const shown = clean(String(value));
	return shown === String(value) ? value : shown;
}
