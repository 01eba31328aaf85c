import { firstObject, refuseIf, type AnswerBody } from '../outcome';
import type { GatewayRequest } from '../request';

/** The account's single webhook (interface §2.8). */
export interface Webhook {
	url: string;
	enabled: boolean;
}

const webhookPath = '/webhook/';

/** Interface §4.12. */
export const readWebhook = (): GatewayRequest => ({ method: 'GET', path: webhookPath });

/** Interface §4.11, where `enabled` is called `enable`. */
export const setWebhook = ({ url, enabled }: Webhook): GatewayRequest => ({
	method: 'POST',
	path: webhookPath,
	body: { enable: enabled, url },
});

/**
 * Returns the webhook in an answer of §4.12: null if none is set, undefined if the answer does not say. It
 * counts as enabled unless it is certainly not: `enabled` may be null.
 */
export function webhookIn(body: AnswerBody | undefined): Webhook | null | undefined {
	const { url, enabled } = firstObject(body);
	if (url !== null && typeof url !== 'string') return undefined;
	return url ? { url, enabled: enabled !== false } : null;
}

/** Refuses an unrelated answer. Taken for 'no webhook', it would let a webhook be overwritten. */
export const requireWebhook = refuseIf((body) =>
	webhookIn(body) === undefined ? { kind: 'unusable' } : undefined,
);
