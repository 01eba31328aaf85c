import type { IDataObject, INode } from 'n8n-workflow';

import type { NodeError, Owner } from '../n8n/errors';
import type { Client } from '../service/client';
import type { Channel } from '../service/endpoints/campaigns';
import type { AnswerBody } from '../service/outcome';
import type { GatewayRequest } from '../service/request';
import type { Hints } from '../service/requestError';

/** One event of the trigger: what a poll reads, what counts as a change, and what comes out. */
export interface StatusEvent<K extends SourceSnapshot = SourceSnapshot> {
	/** The name that workflows store. It never changes. */
	value: string;
	name: string;
	description: string;
	hints?: Hints;

	/** @throws NodeOperationError when a parameter cannot be used */
	sources(poll: Poll): Source[];

	/** Reads an answer's records. Incomplete ones are an error: the missing ones would seem new later. */
	records(body: AnswerBody | undefined, source: Source, poll: Poll): StatusRecord[] | NodeError;

	/** @param before the last snapshot; undefined at the first poll, which reports none */
	compare(
		before: K | undefined,
		records: StatusRecord[],
		poll: Poll,
	): Promise<{ kept: K; changes: Change[] }>;

	output(change: Change, settings: Settings): IDataObject;
}

export interface Settings {
	channel: Channel;
	/** An empty list stands for every campaign. */
	campaignIds: string[];
	/** The statuses as stored, in small letters. An empty list stands for all. */
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
	/** The key of its snapshot. */
	key: string;
	/** The name in messages, e.g. `Campaign 3f2a9c1e`. */
	name: string;
	request: GatewayRequest;
}

/** Something that has a state: a message, a campaign, an instance. */
export interface StatusRecord {
	/** Unique within its source. */
	id: string;
	state: string;
	/** The fields that the output is made of. */
	fields: IDataObject;
}

/** A record with its previous state; null for a new one. */
export type Change = StatusRecord & { from: string | null };

/** The part of a source that is kept between polls, as JSON in n8n's static data. */
export type SourceSnapshot = IDataObject;
