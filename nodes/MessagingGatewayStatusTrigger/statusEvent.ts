import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';

import type { AnswerBody } from '../gateway/outcome';
import type { Client } from '../gateway/client';
import type { Channel } from '../gateway/endpoints/campaigns';
import type { Hints } from '../gateway/errors';
import type { Owner, Problem } from '../gateway/node';
import type { Limiter } from '../gateway/pacing/limiter';
import type { GatewayRequest } from '../gateway/request';

/**
 * One event of the trigger: its form, what a poll reads, what counts as a change, and what comes out.
 * The dropdown, the visibility of fields, the stored state and errors are derived from it.
 */
export interface StatusEvent<K extends Kept = Kept> {
	/** Stored in workflows: never changes. */
	value: string;
	name: string;
	description: string;
	/** Fields that two events share are the same objects. */
	fields: INodeProperties[];
	/** Entries of the collection 'Options'. */
	options?: INodeProperties[];
	/** How its fields can help when a request was not accepted. */
	hints?: Hints;

	/**
	 * What a poll reads.
	 *
	 * @throws NodeOperationError when a parameter cannot be used
	 */
	sources(poll: Poll): Source[];

	/** The records of an answer. An incomplete one fails: later, its missing records would seem new. */
	records(body: AnswerBody | undefined, source: Source): StatusRecord[] | Problem;

	/**
	 * @param before what the last successful poll kept; undefined the first time: no changes then
	 * @param room for what is new
	 */
	compare(
		before: K | undefined,
		records: StatusRecord[],
		poll: Poll,
		room: Room,
	): Comparison<K> | Promise<Comparison<K>>;

	/** A possible change, for 'Fetch Test Event'. */
	sample(records: StatusRecord[], poll: Poll): Change | undefined;

	output(change: Change, settings: Settings): IDataObject;
}

/** The values of the parameters. */
export interface Settings {
	channel: Channel;
	/** Empty: every campaign. */
	campaignIds: string[];
	/** As stored, in small letters; empty: all. */
	statuses: string[];
	simplify: boolean;
}

export interface Poll extends Owner {
	node: INode;
	event: StatusEvent;
	settings: Settings;
	client: Client;
	/** When the node may ask the account. */
	limiter: Limiter;
	/** A digest that differs between chat-app instances, whichever API key reads them. */
	instance: string;
	/** The same for accounts: by the credential, as another API key may be the same account's. */
	account: string;
}

/** Takes so many characters of the room for what a poll finds; false if there is none for them. */
export type Room = (characters: number) => boolean;

/** One request of a poll. */
export interface Source {
	/** What is kept of it is stored under this key. */
	key: string;
	/** For people, e.g. `Campaign 3f2a9c1e`. */
	name: string;
	request: GatewayRequest;
}

/** Something that has a state: a message, a campaign, an instance. */
export interface StatusRecord {
	/** Unique within its source. */
	id: string;
	state: string;
	/** For the output. */
	fields: IDataObject;
}

/** A record with its previous state; null for a new one. */
export type Change = StatusRecord & { from: string | null };

/** What is kept of a source between polls, as JSON in n8n's static data. */
export type Kept = IDataObject;

export interface Comparison<K extends Kept = Kept> {
	/** Undefined while there is nothing to compare with. */
	kept: K | undefined;
	changes: Change[];
	/** There was no room for all that is new. The rest is new once there is. */
	isCutShort?: boolean;
}
