import type { IDataObject } from 'n8n-workflow';

/** Any JSON value that is a usable answer. */
export type AnswerBody = IDataObject | IDataObject[];

/** The answer's object; the SMS answer wraps it in an array (interface §2.5). */
export function firstObject(body: AnswerBody | undefined): IDataObject {
	return (Array.isArray(body) ? body[0] : body) ?? {};
}

/** Interface §2.5: `messageId`, or `message_id` in the audio answer. */
export const messageIdNames = ['messageId', 'message_id'];

export function messageIdOf(body: AnswerBody | undefined): string | undefined {
	const answer = firstObject(body);
	return messageIdNames
		.map((name) => answer[name])
		.filter((id) => typeof id === 'string' || typeof id === 'number')
		.map(String)
		.find((id) => id.trim() !== '');
}

/** The objects of a list; anything else in it is left out. */
export function objectList(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
