import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { AnswerBody } from '../gateway/answerBody';
import type { Client, GatewayRequest } from '../gateway/client';
import type { Reason } from '../gateway/outcome';
import type { Owner } from '../gateway/owner';
import type { Settings } from './settings';

/**
 * One event of the trigger, whole: its label, its fields, what it reads, what tells one record from
 * another, what counts as a change, and what comes out. Dropdown, visibility of fields, state and
 * errors are derived from it.
 */
export interface StatusEvent<Kept extends Memory = Memory> {
	/** Stored in workflows: never changes. */
	value: string;
	name: string;
	description: string;
	/** Fields that two events share are the same objects. */
	fields: INodeProperties[];
	/** Entries of the collection 'Options'. */
	options?: INodeProperties[];

	/**
	 * What a look reads.
	 *
	 * @throws NodeOperationError when a parameter cannot be used
	 */
	sources(look: Look): Source[];

	/** Makes an answer of a refusal that is one, instead of an error. */
	refusalAsAnswer?(reason: Reason): AnswerBody | undefined;

	/**
	 * The records of an answer, or what it lacks: such a look has failed, else all would be new at the
	 * next one.
	 */
	records(body: AnswerBody | undefined, source: Source): StatusRecord[] | Lack;

	/**
	 * What has changed.
	 *
	 * @param before what the last look that succeeded has kept of this source; undefined for the first
	 * one, which finds no changes
	 */
	compare(
		before: Kept | undefined,
		records: StatusRecord[],
		look: Look,
	): Comparison<Kept> | Promise<Comparison<Kept>>;

	/** A change as it might be, for 'Fetch Test Event'; undefined where there is none to be shown. */
	sample(records: StatusRecord[], look: Look): Change | undefined;

	output(change: Change, settings: Settings): IDataObject;
}

/** What is kept of a source between two looks, as JSON in n8n's static data. */
export type Memory = string | IDataObject;

/** One request of a look. */
export interface Source {
	/** By which its memory is found. */
	key: string;
	/** For a person, e.g. `Campaign 3f2a9c1e`. */
	name: string;
	request: GatewayRequest;
}

/** What is said of an answer without what was asked for. */
export interface Lack {
	message: string;
	description: string;
}

/** Something that has a state: a message, a campaign, an instance, a key. */
export interface StatusRecord {
	/** Tells it from the others of its source. */
	id: string;
	state: string;
	/** What it comes out with. */
	fields: IDataObject;
}

export interface Change {
	/** Null for what was not there before. */
	from: string | null;
	to: string;
	fields: IDataObject;
}

export interface Comparison<Kept extends Memory = Memory> {
	/** Undefined where there is nothing to compare with yet. */
	memory: Kept | undefined;
	changes: Change[];
}

/** What an event may use. */
export interface Look extends Owner {
	settings: Settings;
	client: Client;
	/** A digest that tells accounts apart, or API keys of one account. */
	account: string;
	/** A digest that tells chat-app instances apart, whichever API key they are read with. */
	instance: string;
}
