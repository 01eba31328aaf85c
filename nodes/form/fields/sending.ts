import type { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import type { Uncertainty } from '../../gateway/errors';
import type { AnswerBody } from '../../gateway/answerBody';
import { sentMessage } from '../../gateway/endpoints/messages';
import type { GatewayRequest } from '../../gateway/request';
import type { Item } from '../item';
import { additionalBodyFieldsOption } from './additionalBodyFields';
import { deduplicationOptions } from './deduplicationKey';
import { doNotContactWorkflow } from './doNotContact';
import { dryRunOption } from './dryRun';
import { formatIso, scheduleAtOption } from './scheduleAt';
import { sendBetweenOption, type SendBetween } from './sendBetween';
import { sendTime, type Timed } from './sendTime';
import { keepNumberAsEnteredOption, previewOf, type Destination } from './to';

/** What the three sends have in common. */

/**
 * Options that every send has.
 *
 * @param place what the additional fields are merged into
 */
export const sendingOptions = (place = 'the body of the request') => ({
	additionalBodyFields: additionalBodyFieldsOption(place),
	...deduplicationOptions,
	doNotContactWorkflow,
	dryRun: dryRunOption,
	keepNumberAsEntered: keepNumberAsEnteredOption,
	scheduleAt: scheduleAtOption,
	sendBetween: sendBetweenOption,
});

export const uncertainty: Uncertainty = {
	mayHave: 'The message may have been sent',
	check:
		"Check it at your messaging service, or by its number with 'Message: Get Status', and treat it as sent until you know that it was not. A 'Deduplication Key' keeps a message from being sent twice.",
};

interface Message {
	channel: 'chatApp' | 'sms';
	/** As it is sent. */
	to: string;
	/** Of an SMS: what its text costs. */
	segments?: number;
	encoding?: string;
	/** ISO 8601; where the hours in which it may leave have moved it. */
	scheduledAt?: string;
}

/** What tells one send from another. */
interface Send<R extends GatewayRequest> extends Pick<Timed, 'readings'> {
	destination: Destination;
	message: Omit<Message, 'to' | 'scheduledAt'>;
	/** The field of the body that has the time. */
	scheduleField: string;
	/** Makes the request, with a time or to be carried out at once. Throws nothing that depends on the time. */
	request(scheduleAt?: DateTime<true>): R;
}

/** What every send reads beside its own values. */
interface Values {
	readonly additionalBodyFields: IDataObject;
	readonly deduplicationKey: string;
	readonly scheduleAt: DateTime<true> | undefined;
	readonly sendBetween: SendBetween | undefined;
	readonly simplify: boolean;
}

/**
 * A send, whole: every value is read before its request leaves.
 *
 * @throws NodeOperationError when a value cannot be used
 */
export function everySend<R extends GatewayRequest>(item: Item, values: Values, send: Send<R>) {
	const { deduplicationKey, simplify: isSimple, scheduleAt, sendBetween } = values;
	const { destination, readings } = send;
	const { to, recipient } = destination;
	const { channel, ...length } = send.message;
	const message = { channel, to, ...length };
	const requestFor = (time: DateTime<true> | undefined, more: Partial<Message> = {}) => ({
		...send.request(time),
		recipient,
		deduplicationKey,
		preview: { ...previewOf(destination), ...message, sendAt: time && formatIso(time) },
		output: (body: AnswerBody | undefined): IDataObject | IDataObject[] =>
			isSimple ? simplify(body, { ...message, ...more }) : (body ?? {}),
	});
	const request = requestFor(scheduleAt);
	if (!sendBetween) return request;

	rejectSecondTime(item, values.additionalBodyFields, send.scheduleField);
	const timed = { ...sendBetween, scheduleAt, readings };
	const at = (now: number) => {
		const decided = sendTime(item, timed, now);
		if (decided.kind === 'asItIs') return request;
		if (decided.kind === 'skipped') return { withheld: { skipped: true, reason: decided.reason } };
		return requestFor(decided.scheduleAt, { scheduledAt: formatIso(decided.scheduleAt) });
	};
	return { ...request, at };
}

/** A time of the user's own would take the place of the one that keeps to the hours. */
function rejectSecondTime(item: Item, additional: IDataObject, scheduleField: string): void {
	if (!Object.hasOwn(additional, scheduleField)) return;
	throw item.invalid(
		`'Additional Body Fields' must not contain '${scheduleField}' together with 'Send Between'`,
		"Enter the time in 'Schedule At' in the options instead.",
	);
}

/** The shape that is the same for all sends. */
export const simplify = (body: AnswerBody | undefined, message: Message): IDataObject => ({
	...sentMessage(body),
	...message,
});
