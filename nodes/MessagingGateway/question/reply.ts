import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../gateway/answerBody';
import type { Form } from './question';

/** The form field with the answer. */
export const replyField = 'answer';

/** Values of the buttons of an approval. */
export const approval = { approve: 'approve', disapprove: 'disapprove' } as const;

/** In characters, as browsers count them. */
export const longestText = 5_000;

/** Characters without anything to see; U+2800 is a braille pattern without dots. */
const unseen = /[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export const isVisible = (text: string): boolean => text.replace(unseen, '') !== '';

export type Flaw = 'missing' | 'tooLong';

/** An answer in the words of the page. */
export const inWords = (form: Form, { approved, choice, text }: IDataObject): string =>
	form.type === 'approval'
		? ((approved ? form.approve : form.disapprove) ?? '')
		: String(choice ?? text);

/** @param body of the request as n8n has parsed it */
export function readReply(form: Form, body: unknown): IDataObject | Flaw {
	const entered = isObject(body) && Object.hasOwn(body, replyField) ? body[replyField] : undefined;
	if (typeof entered !== 'string') return 'missing';
	if (form.type === 'approval') {
		if (entered === approval.approve) return { approved: true };
		const isDisapproval = entered === approval.disapprove && form.disapprove !== undefined;
		return isDisapproval ? { approved: false } : 'missing';
	}
	if (form.type === 'choice') {
		const choice = form.labels.find((_, index) => String(index) === entered); // as the page sends it
		return choice === undefined ? 'missing' : { choice };
	}
	const text = entered.replace(/\r\n?/g, '\n').trim(); // browsers send CRLF
	if (!isVisible(text)) return 'missing';
	return text.length > longestText ? 'tooLong' : { text };
}
