import type { IHttpRequestMethods, IDataObject } from 'n8n-workflow';

import type { Pause } from '../text/pause';
import type { Outcome } from './outcome';

/**
 * The body of a success: an object, the answer to a send (interface §2.5), a list, or, where the
 * interface shows none, anything including nothing.
 */
export type Expected = 'object' | 'sent' | 'list' | 'notShown';

export type Judge = (outcome: Outcome) => Outcome;

/** One request to the service, in terms of interface §4. */
export interface GatewayRequest {
	method: IHttpRequestMethods;
	/** Below the base URL, e.g. `/v1/sms/enviar`. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Reads the whole body as JSON, a file included, anew for each attempt: it fills the memory. */
	readBody?(): Promise<Buffer>;
	/** Whether the body takes megabytes: of a list, such requests leave one at a time. */
	isLarge?: boolean;
	/** The pause after a request through the account's own chat-app instance: they leave one at a time. */
	pause?: Pause;
	/** Default: `object`. */
	expected?: Expected;
	judge?: Judge;
}
