import type { IDataObject, INode } from 'n8n-workflow';

import type { AnswerBody } from '../gateway/outcome';
import type { Client } from '../gateway/client';
import type { Channel } from '../gateway/endpoints/campaigns';
import type { Hints, NodeError } from '../gateway/errors';
import type { Owner } from '../gateway/node';
import type { GatewayRequest } from '../gateway/request';

/**
 * One event of the trigger: what a poll reads, what counts as a change, and what comes out.
 */
export interface StatusEvent<K extends SourceSnapshot = SourceSnapshot> {
	/** Stored in workflows: never changes. */
	value: string;
	name: string;
	description: string;
	/** How its fields can help when a request was not accepted. */
	hints?: Hints;
	/** Whether it reads the chat-app instance, whichever account asks. */
	isOfInstance(settings: Settings): boolean;

	/**
	 * What a poll reads.
	 *
	 * @throws NodeOperationError when a parameter cannot be used
	 */
	sources(poll: Poll): Source[];

	/** The records of an answer. An incomplete one is an error: later, its missing records would seem new. */
	records(body: AnswerBody | undefined, source: Source, poll: Poll): StatusRecord[] | NodeError;

	/** @param before what the last successful poll kept; undefined the first time: no changes then */
	compare(
		before: K | undefined,
		records: StatusRecord[],
		poll: Poll,
	): Promise<{
		/** Undefined while there is nothing to compare with. */
		kept: K | undefined;
		changes: Change[];
	}>;

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
}

/** One request of a poll. */
export interface Source {
	/** The key of what is kept of it. */
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
export type SourceSnapshot = IDataObject;
