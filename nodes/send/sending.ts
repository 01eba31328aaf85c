import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { DateTime } from 'luxon';

import { plainField, type Field, type Fields, type FieldValues } from '../form/field';
import { deduplicationOption, type Deduplication } from '../form/fields/deduplication';
import { scheduleAtField, formatIso, formatInstant } from '../form/fields/scheduleAt';
import { sendBetweenOption, type SendBetween } from '../form/fields/sendBetween';
import { sendingTimesOf, sendTime } from '../form/fields/sendTime';
import {
	describeNumber,
	destinationOf,
	keepNumberAsEnteredOption,
	previewOf,
	type Destination,
} from '../form/fields/to';
import { isNothing, type Item } from '../form/item';
import { switchOption, option } from '../form/option';
import { text } from '../form/textField';
import { notice } from '../n8n/properties';
import type { Channel } from '../service/endpoints/campaigns';
import { sentMessage, addAnswer } from '../service/endpoints/messages';
import type { AnswerBody } from '../service/outcome';
import type { GatewayRequest } from '../service/request';
import type { Uncertainty } from '../service/requestError';
import type { SmsLength } from '../text/sms';
import { parseExactly, isObject, toText } from '../text/values';
import {
	operation,
	type Described,
	type ItemRequest,
	type Message,
	type Operation,
	type Question,
} from './operation';

export const dryRunOption = switchOption({
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description:
		'Whether to send nothing and only show what would be sent, what it would cost, and what would be refused',
});

/** Matches where a text may lack something: `Hello , your order`. Only there are its parts evaluated. */
const possibleGap = /^[\s.,;:!?]|\s$| [\s.,;:!?)]|\(\)|""/;

/** Returns the expressions of a text that give nothing, if any do. @param shape of the texts to look at */
function findEmptyExpressions(item: Item, field?: INodeProperties, shape?: RegExp) {
	if (!field || !item.isFromExpression(field.name)) return undefined;
	const value = item.raw(field);
	const isGap = isNothing(value); // a caption may be
	if (!isGap && shape?.test(toText(value)) === false) return undefined;
	const missing = item.parts(field.name).filter(({ isMissing }) => isGap || isMissing);
	return missing.length > 0 ? missing.map(({ code }) => code) : undefined;
}

/**
 * Makes the option for fields that this node does not have. A value that breaks out of the JSON around it
 * can add fields, but not replace the node's own: the form says what is checked, counted and sent.
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
const uncertainty: Uncertainty = {
	...ofSend,
	check: `${treatAsSent}: then send it with another key.`,
	checkOfAgent: `${treatAsSent}.`,
};

/** A message as its operation makes it of an item's values. Without a time, it is sent now. */
export interface Sending {
	channel: Channel;
	to: Destination;
	/** What it says, from the values: the same at each try, whenever it leaves. */
	contents: unknown[];
	/** Makes the request that leaves at an instant. @param now in ms since 1970 @throws when none may */
	request(time: DateTime<true> | undefined, now: number): GatewayRequest;
	/** Whether that is another one at each instant, or none any more: a link or a limit ends. */
	expires?: boolean;
	/** The field of the body that has its time. *Extra Fields* may set it where the node does not. */
	timeName?: string;
	/** Only an SMS has one. */
	length?: Pick<SmsLength, 'segments' | 'encoding'>;
	question?: Question;
	/** Returns what a dry run shows, besides what it shows of all. */
	preview?(time: DateTime<true> | undefined, now: number): IDataObject;
}

type SendFields = Fields & { scheduleAt?: Field<DateTime<true> | undefined> };

/** A question has no option that repeats it or changes its request. */
type SendOptions = Fields & {
	deduplication?: Field<Deduplication | undefined>;
	extraFields?: Field<IDataObject>;
	sendBetween: Field<SendBetween | undefined>;
};

interface SendDefinition<F extends SendFields, O extends SendOptions> extends Described {
	fields: F;
	options: O;
	/** The field of the message's text. */
	textField?: INodeProperties;
	/** Texts about a message that may have been sent. */
	uncertainty?: Uncertainty;
	/** Reads the values that the message is made of. @throws NodeOperationError when one of them cannot be sent */
	sending(values: FieldValues<F & O>, item: Item): Sending | Promise<Sending>;
}

/** Makes an operation that sends each item's message to one person, by the rules of all sends. */
export function send<F extends SendFields, O extends SendOptions>(
	definition: SendDefinition<F, O>,
): Operation {
	const { sending, textField, ...described } = definition;
	return operation({
		...{ uncertainty, ...described },
		idempotent: false,
		destination: destinationOf,
		dryRun(item) {
			const testMode = item.account.testMode || undefined;
			if (!dryRunOption.read(item) && !testMode) return undefined;
			const missing = findEmptyExpressions(item, textField);
			return { ...describeNumber(item), emptyExpressions: missing, testMode };
		},
		async request(values, item) {
			return makeRequest(item, await sending(values, item), definition);
		},
	});
}

/** Makes the request of a message. Its output has one shape for all sends, followed by what else the service answered. */
function makeRequest(
	item: Item,
	sending: Sending,
	{ fields, options, textField }: Omit<SendDefinition<SendFields, SendOptions>, 'sending'>,
): ItemRequest {
	const { channel, contents, expires, length, question, timeName = '', to } = sending;
	const deduplication = options.deduplication?.read(item);
	const extraFields = options.extraFields?.read(item) ?? {};
	const scheduleAt = fields.scheduleAt?.read(item);
	const sendBetween = options.sendBetween.read(item);
	const [gap] = findEmptyExpressions(item, textField, possibleGap) ?? [];
	if ((scheduleAt ?? sendBetween) && Object.hasOwn(extraFields, timeName)) {
		throw item.invalid(
			`'Extra Fields (JSON)' must not contain '${item.quote(timeName)}'`,
			"To send a time in your service's own format, leave 'Schedule At' and 'Send Between' empty.",
		);
	}
	const scheduledAt = scheduleAt?.toMillis();
	const now = Date.now();
	const due = Math.max(scheduledAt ?? now, now);
	const times = sendBetween && sendingTimesOf(item, sendBetween, to, due);
	// A spread takes twenty times as long, and a run does this for each item.
	const message: Message = Object.assign(
		{ recipient: to.recipient, channel, segments: length?.segments, scheduledAt },
		{ gap: gap && item.quote(gap), deduplication, question, contents },
		{ zones: times?.zones },
	);

	const requestWith = (time: DateTime<true> | undefined, now: number): ItemRequest => {
		const preview = () => ({
			...{ channel, ...length, ...sending.preview?.(time, now), ...previewOf(to) },
			sendAt: time && formatIso(time),
			...(Object.keys(extraFields).length > 0 && { extraFields }),
		});
		const output = (body: AnswerBody | undefined) => {
			const sentAt = body && { sentAt: formatInstant(Date.now(), item.timezone) };
			const scheduled = time && { scheduledAt: formatIso(time) };
			const sent = { channel, to: to.recipient };
			const shown = Object.assign(sentMessage(body), sent, sentAt, scheduled, length);
			return addAnswer(shown, body, reservedNames);
		};
		return Object.assign(sending.request(time, now), { message, output, preview });
	};

	// Interface §2.2 to §2.4 do not show what becomes of a time that has passed.
	const timeLeft = (at: number) =>
		scheduledAt !== undefined && scheduledAt > at ? scheduleAt : undefined;
	if (scheduleAt ?? times ?? expires) {
		message.requestAt = (at) => {
			const decision = sendTime(item, times, timeLeft(at), at);
			if (decision.kind !== 'due') return decision;
			return { kind: 'due', request: requestWith(decision.time, at) };
		};
	}
	return requestWith(timeLeft(now), now);
}

/**
 * The names that have a meaning in an output, also where a message has none of them: it is not scheduled,
 * say. Where the first item has an `error`, n8n's 'Retry On Fail' would send the whole list again.
 */
const reservedNames = new Set([
	...['channel', 'to', 'sentAt', 'scheduledAt', 'segments', 'encoding'],
	...['dryRun', 'error', 'skipped'],
]);
