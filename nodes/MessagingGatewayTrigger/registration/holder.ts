import { tokenOf, type Token } from '../../account/triggerToken';
import type { Webhook } from '../../service/endpoints/webhook';
import { addressOf, hostOf } from '../../text/host';
import type { Self } from './self';

/** The holder of the webhook. Its URL alone tells: n8n may move, and workflows may be copied. */
type Holder =
	| 'nobody' // none is set, it is switched off, or it is of a test that is over
	| 'upToDate' // exactly the URL that this node registers
	| 'outdated' // this node's, but with an earlier API key or endpoint
	| 'ownTest' // this node listens for a test event
	| 'copy' // this node's, at another host: of another n8n with the same database
	| 'test' // another trigger listens for a test event
	| 'trigger' // another Messaging Gateway Trigger, in this n8n or another one
	| 'foreign'; // anything else

/** The account's webhook, as one node sees it. */
export interface WebhookView {
	webhook: Webhook | undefined;
	/** The token in its URL, if a trigger has registered it. */
	token: Token | undefined;
	holder: Holder;
	/** Whether it is in force for somebody else, and so stays as it is. */
	isOthers: boolean;
	/** Whether this node has registered it for the same purpose, production or test. */
	isOwn: boolean;
}

/** The longest test, in ms: n8n's limit of two minutes, and half a minute for n8n to clean up. */
export const testLimitMs = 150_000;

export function viewOf(webhook: Webhook | undefined, self: Self): WebhookView {
	const token = tokenOf(webhook?.url ?? '');
	const holder = holderOf(webhook, token, self);
	return {
		webhook,
		token,
		holder,
		isOthers: ['copy', 'test', 'trigger', 'foreign'].includes(holder),
		isOwn: (self.isTest ? ['ownTest'] : ['upToDate', 'outdated']).includes(holder),
	};
}

function holderOf(webhook: Webhook | undefined, token: Token | undefined, self: Self): Holder {
	if (!webhook?.enabled) return 'nobody';
	const { url } = webhook;
	const { address, isTest, publication, workflowId } = self;
	// A service may have dropped the query, or the API key may be another one since.
	const isHere = addressOf(url) === address && (!token || token.workflowId === workflowId);
	// Elsewhere only the secret identifies a node: a copied workflow has the same webhook id.
	const isOwn = isHere || (token !== undefined && self.isOwnSecret(token));
	// When n8n starts, nobody listens any more, and it may have had another host until now.
	const isStart = publication.published?.isStarting;
	if (token?.until !== undefined && (hasEnded(token.until) || (isOwn && isStart))) return 'nobody';
	if (token ? token.until !== undefined : isHere && isTest) return isOwn ? 'ownTest' : 'test';
	if (!isOwn) return token ? 'trigger' : 'foreign';
	const production = publication.published?.address ?? address; // a test may have another host
	if (!isStart && hostOf(url) !== hostOf(production)) return 'copy';
	return url === self.urlAt(production) ? 'upToDate' : 'outdated';
}

/** Whether a test is over. An end beyond the limit comes from a clock that was ahead. */
export function hasEnded(until: number): boolean {
	const now = Date.now();
	return until <= now || until > now + testLimitMs;
}
