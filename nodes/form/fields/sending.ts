import type { IDataObject } from 'n8n-workflow';

import type { Uncertainty } from '../../gateway/errors';
import type { AnswerBody } from '../../gateway/answerBody';
import { sentMessage } from '../../gateway/endpoints/messages';
import { additionalBodyFieldsOption } from './additionalBodyFields';
import { deduplicationOptions } from './deduplicationKey';
import { scheduleAtOption } from './scheduleAt';
import { keepNumberAsEnteredOption } from './to';

/** What the three sends have in common. */

/**
 * Options that every send has.
 *
 * @param place what the additional fields are merged into
 */
export const sendingOptions = (place = 'the body of the request') => ({
	additionalBodyFields: additionalBodyFieldsOption(place),
	...deduplicationOptions,
	keepNumberAsEntered: keepNumberAsEnteredOption,
	scheduleAt: scheduleAtOption,
});

export const uncertainty: Uncertainty = {
	mayHave: 'The message may have been sent',
	check:
		"Look it up at your messaging service, or by its number with 'Message: Get Status', and count it as sent until you know that it was not. A 'Deduplication Key' keeps a message from going out twice.",
};

interface Message {
	channel: 'chatApp' | 'sms';
	/** As it is sent. */
	to: string;
	/** Of an SMS: what its text costs. */
	segments?: number;
	encoding?: string;
}

/** What a send asks for beside its request; every value is read before its request leaves. */
export function everySend(
	values: { readonly deduplicationKey: string; readonly simplify: boolean },
	recipient: string,
	message: Message,
) {
	const { deduplicationKey, simplify: isSimple } = values;
	const output = (body: AnswerBody | undefined): IDataObject | IDataObject[] =>
		isSimple ? simplify(body, message) : (body ?? {});
	return { recipient, deduplicationKey, output };
}

/** The shape that is the same for all sends. */
export const simplify = (body: AnswerBody | undefined, message: Message): IDataObject => ({
	...sentMessage(body),
	...message,
});
