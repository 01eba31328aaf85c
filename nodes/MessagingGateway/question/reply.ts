import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../gateway/answerBody';
import { isVisible } from './looks';
import type { Form } from './question';

/** The form field with the answer. */
export const replyField = 'answer';

/** Values of the buttons of an approval. */
export const approval = { approve: 'approve', disapprove: 'disapprove' } as const;

/** In characters, as browsers count them. */
export const longestText = 5_000;

export type Flaw = 'missing' | 'tooLong';

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
