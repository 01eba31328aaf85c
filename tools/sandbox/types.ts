import type { components, operations } from '../../nodes/service/interface';

type Schemas = components['schemas'];

export type OperationId = keyof operations;
export type Channel = 'chatApp' | 'sms';
/** The sandbox has queued, sent, delivered and error; a campaign that a test adds may have others. */
export type MessageStatus = Schemas['MessageStatus'];
export type ValidationDetail = Schemas['ValidationErrorDetail'];
export type WebhookConfiguration = Schemas['WebhookConfiguration'];

/** The names that the interface leaves open; defaults in `document.ts`. */
export interface Names {
	/** Used in `/v2/<name>/…` and in the field `<name>_mode`. */
	chatAppName: string;
	campaignIdParameter: string;
	keyStatusParameter: string;
	audioScheduleField: string;
}

/** The fields of the node's credential for this sandbox. */
export interface SandboxCredential extends Names {
	baseUrl: string;
	apiKey: string;
	/** Whether n8n gives the token and the name to a run. */
	chatApp: boolean;
	instanceToken: string;
	/** Whether n8n gives the rest to a run, with what a test changes. */
	serviceDetails: boolean;
	sendKeyAs: 'apiKeyHeader' | 'bearer';
	/** The country of numbers without +; the seeds are Brazilian. */
	defaultCountryCode: string;
	allowUnauthorizedCerts: boolean;
	/** None: nobody is blocked here, and tests need not wait. */
	chatAppPause: string;
}

/** Replaces an `audio_base64` of more than 100 kB in recorded bodies. */
export interface AudioSummary {
	/** Characters of Base64. */
	length: number;
	bytes: number;
	/** The hash of the audio, in hexadecimal. */
	sha256: string;
}

export interface RecordedRequest {
	/** `null`: no such operation. */
	operationId: OperationId | null;
	method: string;
	/** The path as on the wire, without the query. */
	path: string;
	query: Record<string, unknown>;
	/** Names in lower case; secrets included. */
	headers: Record<string, string | string[] | undefined>;
	/** Parsed if it is JSON; large audio is an {@link AudioSummary}. */
	body: unknown;
	/** When its headers arrived, in ms since 1970, with fractions. */
	at: number;
	/** When it was answered, likewise; `null` before that. */
	answeredAt: number | null;
	/** Whether it conforms to the OpenAPI document. Credentials do not count. */
	valid: boolean;
	violations: ValidationDetail[];
	/** HTTP status of the answer; `null` without one. */
	status: number | null;
	/** Body of the answer, see `keepAnswers`. */
	answer?: unknown;
}

export interface RequestFilter {
	operation?: OperationId | OperationId[];
	to?: string;
	valid?: boolean;
}

/** An accepted message: a row of the ledger. */
export interface AcceptedMessage {
	channel: Channel;
	operationId: OperationId;
	/** The phone: with its +. */
	to: string;
	/** The SMS text or the media's caption; empty for audio. */
	text: string;
	/** The request body, as recorded. */
	body: unknown;
	messageId: string;
	campaignId: string;
	/** The moment, in ms since 1970, with fractions. */
	at: number;
	/** The moment when a scheduled one leaves, in ms since 1970. */
	dueAt?: number;
	/** The value of the request's header X-Sent-By. */
	sender?: string;
	/** Whether the client never got the answer. */
	answerLost?: boolean;
}

/** A message that was not accepted. */
export interface RefusedMessage extends Pick<
	AcceptedMessage,
	'channel' | 'operationId' | 'to' | 'text' | 'body' | 'at' | 'sender'
> {
	/** The reason in the answer. */
	reason: string;
}

export type AcceptedFilter = Partial<
	Pick<AcceptedMessage, 'channel' | 'operationId' | 'to' | 'text' | 'messageId'>
>;

/** Any kind may have `delayMs`; one that refuses may accept the message all the same. */
export type Fault = { delayMs?: number; accept?: boolean } & (
	| { status: number; body?: unknown; headers?: Record<string, string> }
	| { refuse: string; status?: number }
	| { delayMs: number }
	| { reset: 'beforeAccept' | 'afterAccept' }
	| { html: true; status?: number }
	| { tooMany: true; retryAfter?: number | string }
);

export interface FaultRule {
	operation?: OperationId | OperationId[];
	/** Destination number of a send. */
	to?: string;
	/** Matching requests that pass first. */
	skip?: number;
	/** Most matching requests to hit. */
	times?: number;
	/** Share of the matching requests to hit: 0.25 hits every fourth. */
	share?: number;
	/** Matching requests that pass per second, and at once after a pause. */
	perSecond?: number;
	fault: Fault;
}

export type Message = Schemas['CampaignMessage'];

/** Its statistics are made of its messages. */
export type Campaign = Omit<Schemas['Campaign'], 'statistics'> & { channel: Channel };

/** The default name is the ID. */
export type CampaignSetting = Omit<Campaign, 'nome'> & { nome?: string };

export interface ApiKeySetting {
	id: string;
	name: string;
	channel: string;
	status: string;
	key: string;
}

/** The fate of the next message: `lost` is accepted, but its answer does not arrive. */
export type NextMessage = 'accepted' | 'refused' | 'lost';

/** The content of the page of messages. */
export interface Overview {
	/** Whether the chat app is connected. */
	connected: boolean;
	/** Whether there is a webhook to deliver to. */
	hasWebhook: boolean;
	nextMessage: NextMessage;
	answersSlowly: boolean;
	/** The process of the n8n that `npm start` has started. */
	n8nPid?: number;
	/** The latest of both kinds, oldest first. */
	messages: Array<AcceptedRow | RefusedMessage>;
	/** The demo's reminders by sender: one whose requests have no header X-Sent-By is ''. */
	totals: Record<string, Totals>;
}

/** A message on the page. One without a status was in a campaign that was deleted. */
export interface AcceptedRow extends AcceptedMessage {
	status?: MessageStatus;
	/** The segments of an SMS: what a service charges for. */
	segments?: number;
}

export interface Totals {
	/** Reminders in the rounds that were begun. */
	planned: number;
	/** Those accepted at least once. */
	arrived: number;
	/** Those accepted more than once. */
	twice: number;
}

/** The outcome of a delivery to the webhook. */
export interface Delivery {
	url: string;
	event: unknown;
	/** HTTP status of the answer; `null` without one. */
	status: number | null;
	/** Body of the answer, or why there is none. */
	body: string;
	at: number;
}

export interface DeliveryOptions {
	headers?: Record<string, string>;
	/** Sent instead of the event as JSON. */
	body?: string;
	/** The address to deliver to, instead of the configured webhook. */
	url?: string;
}
