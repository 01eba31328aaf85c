import type { IDataObject } from 'n8n-workflow';

import type { Uncertainty } from '../../gateway/errors';
import type { AnswerBody } from '../../gateway/answerBody';
import { sentMessage } from '../../gateway/endpoints/messages';
import type { Item } from '../item';
import { additionalBodyFieldsOption } from './additionalBodyFields';
import { deduplicationOptions, readDeduplicationKey } from './deduplicationKey';
import { scheduleAtOption } from './scheduleAt';
import { simplifyField } from './simplify';
import { keepNumberAsEnteredOption, type Destination } from './to';

/** What the three sends have in common. */

/**
 * Options that every send has.
 *
 * @param place what the additional fields are merged into
 */
export const sendingOptions = (place = 'the body of the request') => [
	additionalBodyFieldsOption(place),
	...deduplicationOptions,
	keepNumberAsEnteredOption,
	scheduleAtOption,
];

export const uncertainty: Uncertainty = {
	mayHave: 'The message may have been sent',
	check:
		"Look it up at your messaging service, or by its number in the messages of 'Campaign: Get', and count it as sent until you know that it was not. A 'Deduplication Key' keeps a message from going out twice.",
};

interface Message {
	channel: 'chatApp' | 'sms';
	/** As it is sent. */
	to: string;
	/** Of an SMS: what its text costs. */
	segments?: number;
	encoding?: string;
}

/**
 * What a send asks for beside its request; every value is read before its request leaves.
 *
 * @param more what the channel's output tells besides
 */
export const asSend = (
	item: Item,
	channel: Message['channel'],
	{ to, recipient }: Destination,
	more: Pick<Message, 'segments' | 'encoding'> = {},
) => ({
	recipient,
	deduplicationKey: readDeduplicationKey(item),
	output: readSendOutput(item, { channel, to, ...more }),
});

/** One shape for the answers of all sends (interface §2.5), or the service's own body. */
export function readSendOutput(item: Item, message: Message) {
	const isSimple = simplifyField.read(item);
	return (body: AnswerBody | undefined): IDataObject | IDataObject[] =>
		isSimple ? simplify(body, message) : (body ?? {});
}

/** The shape that is the same for all sends. */
export const simplify = (body: AnswerBody | undefined, message: Message): IDataObject => ({
	...sentMessage(body),
	...message,
});
