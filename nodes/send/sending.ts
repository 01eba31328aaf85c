import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { DateTime } from 'luxon';

import { plainField, type Field } from '../form/field';
import { deduplicationOption, type Deduplication } from '../form/fields/deduplication';
import { scheduleAtField, formatIso, formatInstant } from '../form/fields/scheduleAt';
import { sendBetweenOption, sendTime, type SendBetween } from '../form/fields/sendBetween';
import {
	describeNumber,
	keepNumberAsEnteredOption,
	previewOf,
	type Destination,
} from '../form/fields/to';
import { isNothing, type Item } from '../form/item';
import { switchOption, option } from '../form/option';
import { text } from '../form/textField';
import { notice } from '../n8n/properties';
import { sentMessage, addAnswer } from '../service/endpoints/messages';
import type { AnswerBody } from '../service/outcome';
import type { GatewayRequest } from '../service/request';
import type { Uncertainty } from '../service/requestError';
import { parseExactly, isObject } from '../text/json';
import type { SmsLength } from '../text/sms';
import { toText } from '../text/text';
import type { Message, ItemRequest } from './operation';

const dryRun = switchOption({
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description:
		'Whether to send nothing and only show what would be sent, what it would cost, and what would be refused',
});

/** The fields of a message's text: an operation has one of them. */
const textNames = ['text', 'message', 'caption'];

/** Matches where a text may lack something: `Hello , your order`. Only there are its parts evaluated. */
const possibleGap = /^[\s.,;:!?]|\s$| [\s.,;:!?)]|\(\)|""/;

/** Returns the expressions of an item's text that give nothing. @param shape of the texts to look at */
function emptyExpressions(item: Item, shape?: RegExp): string[] {
	const name = textNames.find((each) => item.isFromExpression(each));
	if (name === undefined) return [];
	const value = item.raw({ name });
	const isGap = isNothing(value); // a caption may be
	if (!isGap && shape?.test(toText(value)) === false) return [];
	const missing = item.parts(name).filter(({ isMissing }) => isGap || isMissing);
	return missing.map(({ code }) => code);
}

/** Gives what is known of a dry run's item: its number, and expressions that give nothing. Undefined: send it. */
export const dryRunOption: Field<IDataObject | undefined> = {
	...dryRun,
	read(item: Item) {
		const testMode = item.account.testMode || undefined;
		if (!dryRun.read(item) && !testMode) return undefined;
		const missing = emptyExpressions(item);
		const shown = missing.length > 0 ? missing : undefined;
		return { ...describeNumber(item), emptyExpressions: shown, testMode };
	},
};

/**
 * Makes the option for fields that this node does not have. A value that breaks out of the JSON around it
 * can add fields, but not replace the node's own: the form says what is checked, counted and sent.
 *
 * @param ownFields returns the fields of an item's request that the node sets itself
 * @param place what the fields are merged into
 */
function extraFieldsOption(ownFields: (item: Item) => string[], place: string) {
	const property: INodeProperties = {
		displayName: 'Extra Fields (JSON)',
		name: 'extraFields',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "sender": "ACME" }',
		hint: 'To use values of the item, switch to Expression: {{ { sender: $json.name } }}',
		description: `JSON object to merge into ${place}, for fields that this node does not have`,
	};
	const unfilled = text(property); // names what n8n fills in only in an expression
	const field = plainField(property, (entered, item: Item): IDataObject => {
		const isText = typeof entered === 'string';
		const isLeft = isText && /\{\{ ?\$/.test(entered) && !item.isFromExpression(property.name);
		const fields = isText
			? parseExactly(isLeft ? unfilled.parse(entered, item) : entered)
			: entered;
		if (!isObject(fields)) {
			throw item.invalid(
				"'Extra Fields (JSON)' is not a JSON object",
				'Enter an object, e.g. { "sender": "ACME" }, or use an expression that returns one, e.g. {{ { sender: $json.name } }}.',
			);
		}
		const name = ownFields(item).find((own) => Object.hasOwn(fields, own));
		if (name === undefined) return fields;
		throw item.invalid(
			`'Extra Fields (JSON)' must not contain '${item.quote(name)}'`,
			`This node sets it from its own fields. If a value of the item contains it, use an expression that returns an object, e.g. {{ { sender: $json.name } }}.`,
		);
	});
	return option(field, {});
}

/**
 * Returns the options of every send.
 *
 * @param ownFields returns the fields of an item's request that the node sets itself
 * @param place what extra fields are merged into
 */
export const sendingOptions = (
	ownFields: (item: Item) => string[],
	place = 'the body of the request',
) => ({
	deduplication: deduplicationOption,
	dryRun: dryRunOption,
	extraFields: extraFieldsOption(ownFields, place),
	keepNumberAsEntered: keepNumberAsEnteredOption,
	sendBetween: sendBetweenOption,
});

/** The notice says which way the message goes, and how far apart those of a list leave. */
export const paceNotice = notice(
	'paceNotice',
	"Goes through the chat app connected to your service, not as MMS. A list leaves one message every 1 to 3 seconds ('Pause Between Messages' in the credential).",
);

/** The notice of an AI agent's tool, where alone n8n shows it: a model that got no answer calls again. */
const toolNotice = {
	...notice(
		'toolNotice',
		"An AI agent may call this tool twice. Add 'Deduplication' to the options, with a key that n8n knows, such as an order number: then each message goes out once. A key that the model makes up is another one each time.",
	),
	displayOptions: { show: { '@tool': [true] } },
};

/** The last fields in the form of every send. */
export const sendingFields = { scheduleAt: scheduleAtField, toolNotice };

const ofSend = { mayHave: 'The message may have been sent', does: 'sends', done: 'sent' };
const lookUp =
	"Check the message at your messaging service, or with 'Message: Get Status', which also lists earlier ones to that number";

/** A question's execution waits for the answer, whether it was sent or not. */
export const questionUncertainty: Uncertainty = { ...ofSend, check: `${lookUp}.` };

const treatAsSent = `${lookUp}, and treat it as sent until you know that it was not`;

/** An agent is not told to send it again: it would not wait until it knows. */
export const uncertainty: Uncertainty = {
	...ofSend,
	check: `${treatAsSent}: then send it with another key.`,
	checkOfAgent: `${treatAsSent}.`,
};

/** A request to send a message. A dry run shows what its `preview` has, besides what it shows of all. */
type SendRequest = GatewayRequest & { preview?(): IDataObject };

/** The parts in which the sends differ. Without a time, the message is sent now. */
interface Send extends Pick<Message, 'channel' | 'question'> {
	to: Destination;
	/** The field of the body that has its time. *Extra Fields* may set it where the node does not. */
	timeName?: string;
	/** Only an SMS has one. */
	length?: Pick<SmsLength, 'segments' | 'encoding'>;
	/** Returns what identifies its file, which the body of its request leaves out. */
	file?(): string;
	/** Makes the request that identifies the message, the same at each try. It is sent, unless there is another one. */
	request(time?: DateTime<true>): SendRequest;
	/** Refuses a message that can leave no more. @param now ms since 1970 @throws NodeOperationError */
	checkTime?(now: number): void;
	/** Makes the request that is sent instead. @param now when it leaves, in ms since 1970 */
	requestAtTurn?(time: DateTime<true> | undefined, now: number): SendRequest;
}

/** The values of every send. A question has one of them: it leaves now or not at all. */
interface SendValues {
	readonly deduplication?: Deduplication;
	readonly scheduleAt?: DateTime<true>;
	readonly sendBetween: SendBetween | undefined;
	readonly extraFields?: IDataObject;
}

/**
 * Makes a request whose output has one shape for all sends, followed by what else the service answered.
 *
 * @throws NodeOperationError when a value is invalid: all are read before the request is sent
 */
export function makeSendRequest(item: Item, values: SendValues, send: Send): ItemRequest {
	const { deduplication, extraFields = {}, scheduleAt, sendBetween } = values;
	const { channel, to, length, question, file, timeName = '' } = send;
	const { recipient } = to;
	if ((scheduleAt ?? sendBetween) && Object.hasOwn(extraFields, timeName)) {
		throw item.invalid(
			`'Extra Fields (JSON)' must not contain '${item.quote(timeName)}'`,
			"To send a time in your service's own format, leave 'Schedule At' and 'Send Between' empty.",
		);
	}

	/** Completes a request with what all sends have. */
	const complete = (request: SendRequest, time?: DateTime<true>) => {
		const shown = request.preview;
		const preview = () => ({
			...{ channel, ...length, ...shown?.(), ...previewOf(to) },
			sendAt: time && formatIso(time),
			...(Object.keys(extraFields).length > 0 && { extraFields }),
		});
		const output = (body: AnswerBody | undefined) => {
			const sentAt = body && { sentAt: formatInstant(Date.now(), item.timezone) };
			const scheduledAt = time && { scheduledAt: formatIso(time) };
			const sent = { channel, to: recipient };
			const fields = Object.assign(sentMessage(body), sent, sentAt, scheduledAt, length);
			return addAnswer(fields, body, reservedNames);
		};
		const { segments } = length ?? {};
		const message: Message = { recipient, channel, segments, deduplication, question, preview };
		// A spread takes twenty times as long, and a run does this for each item.
		return Object.assign(request, { message, output });
	};

	// Interface §2.2 to §2.4 do not show what becomes of a time that has passed.
	const timeLeft = (now: number) =>
		scheduleAt && scheduleAt.toMillis() > now ? scheduleAt : undefined;
	const now = Date.now();
	send.checkTime?.(now);
	const left = timeLeft(now);
	const request = complete(send.request(left), left);

	/** Identifies the message, also to a call that follows one from before its time had passed. */
	const earlier = scheduleAt === left ? [] : [send.request(scheduleAt)];
	const contents = () => [...earlier, request].map(({ body }) => [body, file?.()]);

	/** Decides when the message is sent, if it may leave now. */
	const decideTime = (at: number) =>
		sendBetween ? sendTime(item, sendBetween, timeLeft(at), at) : { scheduleAt: timeLeft(at) };

	/** Makes what is sent, or says why nothing is. */
	const requestAt = (at: number) => {
		const decided = decideTime(at);
		if ('withheld' in decided) return decided;
		send.checkTime?.(at);
		const time = decided.scheduleAt;
		return complete(send.requestAtTurn?.(time, at) ?? send.request(time), time);
	};

	const isFixed = !scheduleAt && !sendBetween && !send.checkTime && !send.requestAtTurn;
	const [gap] = emptyExpressions(item, possibleGap);
	const shownGap = gap && item.quote(gap);
	Object.assign(request.message, { contents, gap: shownGap }, !isFixed && { requestAt });
	return request;
}

/**
 * The names that have a meaning in an output, also where a message has none of them: it is not scheduled,
 * say. Where the first item has an `error`, n8n's 'Retry On Fail' would send the whole list again.
 */
const reservedNames = new Set([
	...['channel', 'to', 'sentAt', 'scheduledAt', 'segments', 'encoding'],
	...['dryRun', 'error', 'skipped'],
]);
