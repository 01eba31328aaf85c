import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';

import type { Account } from '../gateway/account';
import type { AnswerBody } from '../gateway/answerBody';
import type { Client } from '../gateway/client';
import type { Channel } from '../gateway/endpoints/campaigns';
import type { Advice } from '../gateway/errors';
import type { Reason } from '../gateway/outcome';
import type { Owner } from '../gateway/owner';
import type { GatewayRequest } from '../gateway/request';

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
	/** What its fields can do about a request that was not accepted. */
	advice?: Advice;

	/**
	 * What a poll reads.
	 *
	 * @throws NodeOperationError when a parameter cannot be used
	 */
	sources(poll: Poll): Source[];

	/** Makes an answer of a refusal that is one, instead of an error. */
	refusalAsAnswer?(reason: Reason): AnswerBody | undefined;

	/**
	 * The records of an answer, or what it lacks: such a poll has failed, else all would be new at the
	 * next one.
	 */
	records(body: AnswerBody | undefined, source: Source): StatusRecord[] | Lack;

	/**
	 * What has changed.
	 *
	 * @param before what the last poll that succeeded has kept of this source; undefined for the first
	 * one, which finds no changes
	 */
	compare(
		before: Kept | undefined,
		records: StatusRecord[],
		poll: Poll,
	): Comparison<Kept> | Promise<Comparison<Kept>>;

	/** A change as it might be, for 'Fetch Test Event'; undefined where there is none to be shown. */
	sample(records: StatusRecord[], poll: Poll): Change | undefined;

	output(change: Change, settings: Settings): IDataObject;
}

/** What the parameters say. */
export interface Settings {
	channel: Channel;
	/** As they were entered, or what an expression gave. */
	campaignIds: unknown;
	/** Likewise; nothing means all. */
	statuses: unknown;
	simplify: boolean;
}

/** What one poll is about. */
export interface Poll extends Owner, Account {
	node: INode;
	event: StatusEvent;
	settings: Settings;
	client: Client;
	/** A digest that tells accounts apart, or API keys of one account. */
	accountDigest: string;
	/** A digest that tells chat-app instances apart, whichever API key they are read with. */
	instanceDigest: string;
}

/** One request of a poll. */
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

/** What is kept of a source between two polls, as JSON in n8n's static data. */
export type Memory = string | IDataObject;

export interface Comparison<Kept extends Memory = Memory> {
	/** Undefined where there is nothing to compare with yet. */
	memory: Kept | undefined;
	changes: Change[];
}
