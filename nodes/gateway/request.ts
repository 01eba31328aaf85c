import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { Outcome } from './outcome';

/**
 * What the body of a success looks like: an object, the answer to a send (interface §2.5: an
 * object, for SMS in an array, that names the message), a list, or, where the interface shows
 * none, anything including nothing.
 */
export type Expected = 'object' | 'sent' | 'list' | 'notShown';

/** A body that flows: opened anew for each attempt, closed after it. */
export interface StreamBody {
	/** Bytes, announced as `content-length`. */
	length: number;
	/** `errored` is set once it has broken by itself, before it was read to its end. */
	open(): Promise<object & { destroy(): unknown; errored?: Error | null }>;
}

/** One request to the service, in terms of interface §4. */
export interface GatewayRequest {
	method: IHttpRequestMethods;
	/** Below the base URL, e.g. `/v1/sms/enviar`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	stream?: StreamBody;
	/** Default: `object`. */
	expected?: Expected;
	/** What an answer means to this request, where that is more than it says by itself. */
	judge?(outcome: Outcome): Outcome;
}
