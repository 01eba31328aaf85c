import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../gateway/outcome';
import { buttonsOf, type Form } from './question';

/** The form field with the answer. */
export const replyField = 'answer';

/** In characters, as browsers count them. */
export const longestText = 5_000;

/** Characters without anything to see; U+2800 is a braille pattern without dots. */
const unseen = /[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export const isVisible = (text: string): boolean => text.replace(unseen, '') !== '';

export type Flaw = 'missing' | 'tooLong';

/** An answer in the words of the page. */
export const inWords = (form: Form, { approved, choice, text }: IDataObject): string =>
	buttonsOf(form)?.find(({ reply }) => reply.approved === approved && reply.choice === choice)
		?.label ?? String(text);

/** @param body of the request as n8n has parsed it */
export function readReply(form: Form, body: unknown): IDataObject | Flaw {
	const entered = isObject(body) && Object.hasOwn(body, replyField) ? body[replyField] : undefined;
	if (typeof entered !== 'string') return 'missing';
	const buttons = buttonsOf(form);
	if (buttons) return buttons.find(({ value }) => value === entered)?.reply ?? 'missing';
	const text = entered.replace(/\r\n?/g, '\n').trim(); // browsers send CRLF
	if (!isVisible(text)) return 'missing';
	return text.length > longestText ? 'tooLong' : { text };
}
