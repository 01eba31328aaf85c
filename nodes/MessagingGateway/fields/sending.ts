import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Uncertainty } from '../../shared/explain';
import { firstObject, messageIdOf, type AnswerBody } from '../../shared/answer';
import type { Item } from '../item/item';
import { additionalBodyFieldsOption } from './additionalBodyFields';
import { deduplicationKeyOption } from './deduplicationKey';
import { scheduleAtOption } from './scheduleAt';
import { keepNumberAsEnteredOption } from './to';

/** What the three sends have in common. */

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/**
 * Options that every send has.
 *
 * @param place what the additional fields are merged into
 */
export const sendingOptions = (place = 'the body of the request'): INodeProperties[] => [
	additionalBodyFieldsOption(place),
	deduplicationKeyOption,
	keepNumberAsEnteredOption,
	scheduleAtOption,
];

export const uncertainty: Uncertainty = {
	mayHave: 'The message may have been sent',
	check:
		"Look it up at your messaging service, or by its number in the messages of 'Campaign: Get', and count it as sent until you know that it was not. A 'Deduplication Key' keeps a message from going out twice.",
};

/** One shape for the answers of all sends (interface §2.5), or the service's own body. */
export function readSendOutput(item: Item, message: { channel: 'chatApp' | 'sms'; to: string }) {
	const simplify = item.parameter<boolean>('simplify', true);
	return (body: AnswerBody | undefined): IDataObject | IDataObject[] => {
		if (!simplify) return body ?? {};
		const { status, statusmessage } = firstObject(body);
		return {
			messageId: messageIdOf(body) ?? null,
			status: statusmessage ?? status ?? null,
			...message,
		};
	};
}
