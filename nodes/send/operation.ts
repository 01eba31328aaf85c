import type { INodeProperties, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { inCredential, inServiceDetails } from '../account/credentialField';
import { valuesOf, type Fields, type FieldValues } from '../form/field';
import type { Deduplication } from '../form/fields/deduplication';
import type { Withheld } from '../form/fields/sendTime';
import type { Item } from '../form/item';
import type { Channel } from '../service/endpoints/campaigns';
import type { Outcome, AnswerBody } from '../service/outcome';
import type { GatewayRequest } from '../service/request';
import type { Hints, Uncertainty } from '../service/requestError';

export interface Described {
	/** The name that workflows store: it never changes. */
	value: string;
	name: string;
	/** A short sentence for the node creator, resource included. */
	action: string;
	/** A text for people, and for AI agents that pick a tool. */
	description: string;
	/** The execution waits for a person's answer. Takes one item, whose request has a question. */
	waits?: Waits;
	/** Items with the same request and account share it: `judge` applies to all of them. */
	isShared?: true;
	/** Its own hints about a request that failed: they win over those that all operations have. */
	hints?: Hints;
	/**
	 * Returns what is known of a dry run's item before its values are read; undefined where it is none.
	 *
	 * @throws NodeOperationError when 'Dry Run' is neither on nor off
	 */
	dryRun?(item: Item): IDataObject | undefined;
	/** Returns the number that an item is about, as entered if it can't be read. Never throws. */
	destination?(item: Item): string | undefined;
}

/** What a run does besides where the execution waits. */
export interface Waits {
	/** @throws NodeOperationError when the execution cannot wait */
	checkCanWait(context: IExecuteFunctions, operation: Operation): void;
	/** Returns the output of a call that must not ask, since there are others at once; undefined if it may. */
	refuseParallelCall(context: IExecuteFunctions): IDataObject | undefined;
	/** Completes the output of an item that asked nobody. */
	addFeedback(context: IExecuteFunctions, json: IDataObject): void;
}

export interface Question {
	/** Makes the execution wait for the answer. @param sent the output of the send @param sentAt in ms since 1970 */
	waitForAnswer(sent: IDataObject, sentAt: number): Promise<void>;
}

/** A request without an answer is repeated, or its error has the words for not knowing what became of it. */
type Repeatable =
	{ idempotent: true; uncertainty?: undefined } | { idempotent: false; uncertainty: Uncertainty };

export type Operation = (Described & Repeatable) & {
	fields: INodeProperties[];
	options?: INodeProperties[];
	/** Reads an item's values. @throws NodeOperationError when one of them cannot be sent */
	request(item: Item): ItemRequest | Promise<ItemRequest>;
};

type Definition<F extends Fields, O extends Fields> = (Described & Repeatable) & {
	/** The fields, in the order of the form. */
	fields: F;
	options?: O;
	/** Reads all values, those of the output too: nothing may fail after a send. */
	request(values: FieldValues<F & O>, item: Item): ItemRequest | Promise<ItemRequest>;
};

/** Makes an operation of its definition: dropdown, visibility of fields and retry policy follow from it. */
export function operation<F extends Fields, O extends Fields = Record<never, never>>(
	definition: Definition<F, O>,
): Operation {
	const { fields, options } = definition;
	const values = valuesOf({ ...fields, ...options } as F & O);
	return {
		...definition,
		fields: Object.values(fields),
		options: options && Object.values(options),
		request: (item) => definition.request(values(item), item),
	};
}

/** The request of an item: a message, or anything else that the service is asked for. */
export interface ItemRequest extends GatewayRequest {
	message?: Message;
	/** Returns the request to make once this one was accepted, whose outcome is that of both. */
	next?(body: AnswerBody | undefined): GatewayRequest;
	/** Refines what the outcome means to this item. */
	judgeItem?(outcome: Outcome): Outcome;
	/** Never throws, whatever the answer contains. */
	output(body: AnswerBody | undefined): IDataObject | IDataObject[];
	/** Returns what a dry run shows of it. */
	preview?(): IDataObject;
}

/** Whether a request may be one of many at a time. Files fill the memory, and answers of reads may take megabytes. */
export const isWide = ({ message, pause, readBody }: ItemRequest): boolean =>
	message !== undefined && !readBody && !pause;

/** What becomes of a request whose turn it is: it is sent, or may not leave then. */
type Due = { kind: 'due'; request: ItemRequest } | Withheld;

/** The message that a request sends. */
export interface Message {
	/** The number that it goes to: messages to one person keep their input order. */
	recipient: string;
	channel: Channel;
	/** Only an SMS has segments. */
	segments?: number;
	/** An expression that leaves a gap in the text, since it gives nothing. */
	gap?: string;
	/** Messages with the same key are sent once. */
	deduplication?: Deduplication;
	/** Once the message may have been sent, the execution waits for the answer. */
	question?: Question;
	/** What it says, the same at each try, whenever it leaves: a tool's call is known by it. Default: the body. */
	contents?: unknown;
	/** The time that was entered for it, in ms since 1970, also if that has passed. */
	scheduledAt?: number;
	/** The time zones of the hours in which it may be sent. */
	zones?: readonly string[];
	/**
	 * Returns what is sent at an instant (ms since 1970), or in words why nothing is. Call it when it is the
	 * message's turn, and before each attempt. Default: its request is the same at any time.
	 *
	 * @throws NodeOperationError when the message is refused then
	 */
	requestAt?(now: number): Due;
}

export interface Resource {
	/** The name that workflows store: it never changes. */
	value: string;
	name: string;
	description: string;
	operations: Operation[];
	defaultOperation: string;
}

/** Returns the hints about a request that failed, one sentence each. The operation's own win. */
export const hintsFor = ({ hints }: { hints?: Hints }): Hints => ({ ...commonHints, ...hints });

/** Returns hints about what the service has not found. @param names of the fields that say what it looked for */
export const hintsToCheck = (...names: string[]): Hints => {
	const check = `Check ${names.map((name) => `'${name}'`).join(' and ')}.`;
	return { campaignNotFound: check, notFound: check };
};

/** The hints of the operations that get one campaign by its ID. */
export const campaignHints: Hints = {
	...hintsToCheck('Channel', 'Campaign ID'),
	campaignNotFound: `Check 'Channel' and 'Campaign ID': the ID, not the name. If this happens with every campaign, check 'Campaign ID Parameter' ${inServiceDetails}.`,
};

const commonHints: Hints = {
	validation: `Correct the value that the service names: in a field, in the options, or ${inCredential}.`,
	tooManyRequests:
		"Set 'Requests per Second' in the credential, lower 'Max Concurrency', or raise 'Max Retries' in 'Service Details'.",
	unavailable:
		"'Max Retries' in 'Service Details' of the credential sets how often the request is repeated.",
	unreadable: 'Run the node that produces the file again.',
	noAnswer: "'Timeout' in 'Service Details' of the credential sets how long to wait.",
};
