import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { GatewayRequest } from '../gateway/request';
import type { Uncertainty } from '../gateway/errors';
import type { AnswerBody } from '../gateway/answerBody';
import type { Outcome, Reason } from '../gateway/outcome';
import type { Item } from '../form/item';
import type { Question } from './question/question';

/**
 * One operation of the node, whole: its label, its fields, and how an item becomes a request and
 * the answer output. Dropdown, visibility of fields and retry policy are derived from it.
 */
export type Operation = {
	/** Stored in workflows: never changes. */
	value: string;
	name: string;
	/** Short sentence for the node creator, resource included. */
	action: string;
	/** For a person and for an AI agent that picks a tool. */
	description: string;
	fields: INodeProperties[];
	/** Entries of the collection 'Options', beside those that every operation has. */
	options?: INodeProperties[];
	/**
	 * Reads every value of the item that is needed, also those for the output: once a message is
	 * sent, nothing about its item may go wrong.
	 *
	 * @throws NodeOperationError when a value of the item cannot be sent
	 */
	request(item: Item): ItemRequest | Promise<ItemRequest>;
	/** Makes an answer of a refusal that is one, instead of an error. */
	refusalAsAnswer?(reason: Reason): IDataObject | undefined;
	/** The execution waits for a person's answer: so it takes one item, whose request has a question. */
	waits?: true;
} & Repeatable;

/** Whether a request without an answer is repeated, or what its error tells. */
type Repeatable =
	{ idempotent: true; uncertainty?: undefined } | { idempotent: false; uncertainty: Uncertainty };

export interface ItemRequest extends GatewayRequest {
	/** Digits of the destination: messages to one number keep their input order. */
	recipient?: string;
	/** Names the message: it is sent once. Empty or absent where the user wants no such guard. */
	deduplicationKey?: string;
	/** What the message asks: once it may have been sent, the execution waits for the answer. */
	question?: Question;
	/** Makes more than one request of it, where what is sent depends on an answer. */
	steps?(attempt: (step: GatewayRequest) => Promise<Outcome>): Promise<Outcome>;
	/** Makes output of the answer; never throws, whatever the answer holds. */
	output(body: AnswerBody | undefined): IDataObject | IDataObject[];
}

export interface Resource {
	/** Stored in workflows: never changes. */
	value: string;
	name: string;
	/** In the order of the dropdown. */
	operations: Operation[];
	defaultOperation: string;
}
