import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { GatewayRequest } from '../gateway/request';
import type { Uncertainty } from '../gateway/errors';
import type { AnswerBody } from '../gateway/answerBody';
import type { Outcome, Reason } from '../gateway/outcome';
import type { dryRunOption } from '../form/fields/dryRun';
import { valuesOf, type Fields, type Values } from '../form/field';
import type { Item } from '../form/item';
import type { Question } from './question/question';

type Described = {
	/** Stored in workflows: never changes. */
	value: string;
	name: string;
	/** Short sentence for the node creator, resource included. */
	action: string;
	/** For a person and for an AI agent that picks a tool. */
	description: string;
	/** Makes an answer of a refusal that is one, instead of an error. */
	refusalAsAnswer?(reason: Reason): IDataObject | undefined;
	/** The execution waits for a person's answer: so it takes one item, whose request has a question. */
	waits?: true;
} & Repeatable;

/** Whether a request without an answer is repeated, or what its error tells. */
type Repeatable =
	{ idempotent: true; uncertainty?: undefined } | { idempotent: false; uncertainty: Uncertainty };

/** Derived from a definition: what the form and the runner need of it. */
export type Operation = Described & {
	fields: INodeProperties[];
	options?: INodeProperties[];
	/**
	 * What is known, before its values are read, of an item that is only to be tried: nothing of it may
	 * leave. Undefined for one that is to be carried out.
	 *
	 * @throws NodeOperationError when that cannot be told
	 */
	dryRun?(item: Item): IDataObject | undefined;
	/** @throws NodeOperationError when a value of the item cannot be sent */
	request(item: Item): ItemRequest | Promise<ItemRequest>;
};

type Definition<F extends Fields, O extends Fields> = Described & {
	/** In the order of the form. */
	fields: F;
	/** Entries of the collection 'Options', beside those that every operation has. */
	options?: O;
	/** Reads every value that is needed, also for the output: nothing may go wrong after a send. */
	request(values: Values<F & O>, item: Item): ItemRequest | Promise<ItemRequest>;
};

/**
 * One operation of the node, whole: its label, its fields, and how an item becomes a request and
 * the answer output. Dropdown, visibility of fields and retry policy are derived from it.
 */
export const operation = <F extends Fields, O extends Fields = Record<never, never>>(
	definition: Definition<F, O>,
): Operation => ({
	...(definition as Described),
	fields: Object.values(definition.fields),
	options: definition.options && Object.values(definition.options),
	dryRun: (definition.options as { dryRun?: typeof dryRunOption } | undefined)?.dryRun?.read,
	request: (item) =>
		definition.request(
			valuesOf({ ...definition.fields, ...definition.options } as F & O, item),
			item,
		),
});

export interface ItemRequest extends GatewayRequest {
	/** Digits of the destination: messages to one number keep their input order. */
	recipient?: string;
	/** Names the message: it is sent once. Empty or absent where the user wants no such guard. */
	deduplicationKey?: string;
	/** What a dry run tells of it. */
	preview?: IDataObject;
	/** What the message asks: once it may have been sent, the execution waits for the answer. */
	question?: Question;
	/**
	 * What may leave at an instant, in ms since 1970, where that depends on it: asked when it is the
	 * message's turn, and again as each attempt leaves. Default: the request as it is, at any time.
	 *
	 * @throws NodeOperationError where nothing may, and that is to be told as an error
	 */
	at?(now: number): ItemRequest | Withheld;
	/** Makes more than one request of it, where what is sent depends on an answer. */
	steps?(attempt: (step: GatewayRequest) => Promise<Outcome>): Promise<Outcome>;
	/**
	 * Where it is there, the items of a run that ask the same of the same account share one request.
	 * Says what its answer means to this item, as `judge` does for all of them.
	 */
	share?(outcome: Outcome): Outcome;
	/** Makes output of the answer; never throws, whatever the answer holds. */
	output(body: AnswerBody | undefined): IDataObject | IDataObject[];
}

/** A message that does not leave, without being in doubt: what comes out of its item instead. */
export interface Withheld {
	withheld: IDataObject;
}

export interface Resource {
	/** Stored in workflows: never changes. */
	value: string;
	name: string;
	/** In the order of the dropdown. */
	operations: Operation[];
	defaultOperation: string;
}
