import type { components, operations } from '../nodes/gateway/interface';

type Schemas = components['schemas'];

export type OperationId = keyof operations;
export type Channel = 'chatApp' | 'sms';
/** Those that the sandbox moves messages through; a campaign that is put there may have any other. */
export type MessageStatus = 'queued' | 'sent' | 'delivered' | 'error' | (string & {});
export type ValidationDetail = Schemas['ValidationErrorDetail'];
export type WebhookConfiguration = Schemas['WebhookConfiguration'];

/** The names that the interface leaves open; defaults in `document.ts`. */
export interface Names {
	/** Stands in `/v2/<name>/…` and in the field `<name>_mode`. */
	chatAppName: string;
	campaignIdParameter: string;
	keyStatusParameter: string;
	audioScheduleField: string;
}

/** Everything the node's credential asks for, pointing at this sandbox. */
export interface SandboxCredential extends Names {
	baseUrl: string;
	apiKey: string;
	instanceToken: string;
	authentication: 'apiKeyHeader' | 'bearer';
	allowUnauthorizedCerts: boolean;
}

/** Stands in recorded bodies for an `audio_base64` of more than 100 kB. */
export interface AudioSummary {
	/** Characters of Base64 text. */
	length: number;
	/** Bytes of audio. */
	bytes: number;
	/** Of the audio, not of its Base64 text; hexadecimal. */
	sha256: string;
}

export interface RecordedRequest {
	/** `null`: no such operation. */
	operationId: OperationId | null;
	method: string;
	/** As on the wire, without the query. */
	path: string;
	query: Record<string, unknown>;
	/** Names in lower case, secrets as sent. */
	headers: Record<string, string | string[] | undefined>;
	/** Parsed JSON; text that is not JSON stays text; large audio is an {@link AudioSummary}. */
	body: unknown;
	/** When its headers arrived, in milliseconds since 1970, with fractions. */
	at: number;
	/** When its answer was given, likewise; `null` before that. */
	answeredAt: number | null;
	/** Whether it is what the OpenAPI document describes. Credentials are not checked here. */
	valid: boolean;
	violations: ValidationDetail[];
	/** HTTP status of the answer; `null` before it and when the connection was reset. */
	status: number | null;
	/** Body of the answer, where the sandbox keeps them. */
	answer?: unknown;
}

export interface RequestFilter {
	operation?: OperationId | OperationId[];
	to?: string;
	valid?: boolean;
}

/** One message really accepted: a row of the ledger. */
export interface AcceptedMessage {
	channel: Channel;
	operationId: OperationId;
	to: string;
	/** The SMS text or the media's caption; empty for audio. */
	text: string;
	/** The request body, as recorded. */
	body: unknown;
	messageId: string;
	campaignId: string;
	/** Milliseconds since 1970, with fractions. */
	at: number;
}

export type AcceptedFilter = Partial<
	Pick<AcceptedMessage, 'channel' | 'operationId' | 'to' | 'text' | 'messageId'>
>;

/** Each kind can be combined with `delayMs` and, where it says no, with `accept: true`. */
export type Fault = { delayMs?: number; accept?: boolean } & (
	| { status: number; body?: unknown; headers?: Record<string, string> }
	| { refuse: string; status?: number }
	| { delayMs: number }
	| { reset: 'beforeAccept' | 'afterAccept' }
	| { html: true; status?: number }
	| { truncate: true }
	| { tooMany: true; retryAfter?: number | string }
);

export interface FaultRule {
	operation?: OperationId | OperationId[];
	/** Destination number of a send. */
	to?: string;
	/** Matching requests let through first. */
	skip?: number;
	/** Matching requests hit at most. */
	times?: number;
	/** Part of the matching requests to hit, 0 to 1, evenly spread: 0.25 hits every fourth. */
	share?: number;
	/** Lets so many of the matching requests through per second, and as many at once after a pause. */
	perSecond?: number;
	fault: Fault;
}

/** A campaign as it is put into the sandbox. */
export interface CampaignSetting {
	channel: Channel;
	campaignId: string;
	/** Default: the id. */
	nome?: string;
	/** Those that are queued or sent move on with the others. */
	messages: Array<{ messageId: string; to: string; status: MessageStatus }>;
}

/** An API key as it is put into the sandbox. */
export interface ApiKeySetting {
	id: string;
	name: string;
	channel: string;
	status: string;
	key: string;
}

/** Outcome of one delivery to the webhook. */
export interface Delivery {
	url: string;
	event: unknown;
	/** HTTP status of the answer; `null` without one. */
	status: number | null;
	/** Body of the answer, or why there was none. */
	body: string;
	at: number;
}

export interface DeliveryOptions {
	headers?: Record<string, string>;
	/** Sent as it is, in place of the event as JSON. */
	body?: string;
	/** Delivered there instead of to the configured webhook. */
	url?: string;
}
