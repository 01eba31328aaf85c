import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { GatewayRequest } from '../gateway/request';
import type { Hints, Uncertainty } from '../gateway/errors';
import type { AnswerBody, Outcome } from '../gateway/outcome';
import type { Channel } from '../gateway/endpoints/campaigns';
import type { Deduplication } from '../form/fields/deduplication';
import { describeNumber } from '../form/fields/to';
import { valuesOf, type Field, type Fields, type Values } from '../form/field';
import type { Item } from '../form/item';
import type { Question } from './question/question';

type Described = {
	/** Stored in workflows: never changes. */
	value: string;
	name: string;
	/** Short sentence for the node creator, resource included. */
	action: string;
	/** For people, and for AI agents that pick a tool. */
	description: string;
	/** The execution waits for a person's answer. Takes one item, whose request has a question. */
	waits?: true;
	/** Items with the same request and account share it: `judge` applies to all of them. */
	isShared?: true;
	/** What its fields can do about a request that failed, besides what all operations advise. */
	hints?: Hints;
} & Repeatable;

/** Whether a request without an answer is repeated, or what its error says instead. */
type Repeatable =
	{ idempotent: true; uncertainty?: undefined } | { idempotent: false; uncertainty: Uncertainty };

/** What the form and the runner need of a definition. */
export type Operation = Described & {
	fields: INodeProperties[];
	options?: INodeProperties[];
	/**
	 * What is known of a dry run's item before its values are read; undefined: not a dry run.
	 *
	 * @throws NodeOperationError when 'Dry Run' is neither on nor off
	 */
	dryRun?(item: Item): IDataObject | undefined;
	/** The recipient of an item's message, even if it can't be sent; as entered if it can't be read. Never throws. */
	destination?(item: Item): string | undefined;
	/** @throws NodeOperationError when a value of the item cannot be sent */
	request(item: Item): ItemRequest | Promise<ItemRequest>;
};

type Definition<F extends Fields, O extends Fields> = Described & {
	/** In the order of the form. */
	fields: F;
	/** Entries of 'Options' besides those of every operation. */
	options?: O;
	/** Reads all values, those of the output too: nothing may fail after a send. */
	request(values: Values<F & O>, item: Item): ItemRequest | Promise<ItemRequest>;
};

/** A whole operation. Dropdown, visibility of fields and retry policy are derived from it. */
export function operation<F extends Fields, O extends Fields = Record<never, never>>(
	definition: Definition<F, O>,
): Operation {
	const { fields, options } = definition;
	const { dryRun } = (options ?? {}) as { dryRun?: Field<IDataObject | undefined> };
	const values = valuesOf({ ...fields, ...options } as F & O);
	return {
		...(definition as Described),
		fields: Object.values(fields),
		options: options && Object.values(options),
		dryRun: dryRun && ((item) => dryRun.read(item)),
		destination: 'to' in fields ? (item) => describeNumber(item).to || undefined : undefined,
		request: (item) => definition.request(values(item), item),
	};
}

/** The request of an item: a message, or anything else that the service is asked for. */
export interface ItemRequest extends GatewayRequest {
	message?: Message;
	/** Makes several requests, if what is sent depends on an earlier answer. */
	steps?(attempt: (step: GatewayRequest) => Promise<Outcome>): Promise<Outcome>;
	/** Refines what the outcome means to this item. */
	judgeItem?(outcome: Outcome): Outcome;
	/** Never throws, whatever the answer contains. */
	output(body: AnswerBody | undefined): IDataObject | IDataObject[];
}

/** The message that a request sends, and that the items of a list with its number wait for. */
export interface Message {
	/** The destination: messages to one number keep their input order. */
	recipient: string;
	channel: Channel;
	/** Only an SMS has segments. */
	segments?: number;
	/** Messages with the same key are sent once. */
	deduplication?: Deduplication;
	/** Once the message may have been sent, the execution waits for the answer. */
	question?: Question;
	/** Returns what a dry run shows of it. */
	preview?(): IDataObject;
	/**
	 * Returns what it contains as earlier calls of a tool may have sent it, and, last, as this one does: the
	 * same at each try. Default: the body of the request.
	 */
	contents?(): unknown[];
	/**
	 * Returns what to send at an instant (ms since 1970), if that depends on the time, or says in words why
	 * the message may not leave then. Call it when it is the message's turn, and before each attempt.
	 *
	 * @throws NodeOperationError when the message is refused then
	 */
	requestAt?(now: number): ItemRequest | { withheld: string };
}

export interface Resource {
	/** Stored in workflows: never changes. */
	value: string;
	name: string;
	/** What its operations are for. */
	description: string;
	/** In the order of the dropdown. */
	operations: Operation[];
	defaultOperation: string;
}
