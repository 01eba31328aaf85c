import { firstObject, type AnswerBody } from '../answerBody';
import type { GatewayRequest } from '../request';

/** The setting of the account's single webhook (interface §2.8). */
export interface Webhook {
	url: string;
	enabled: boolean;
}

const path = '/webhook/';

/** Interface §4.12. */
export const readWebhook = (): GatewayRequest => ({ method: 'GET', path });

/** Interface §4.11. What is `enabled` when it is read, is `enable` when it is set. */
export const setWebhook = ({ url, enabled }: Webhook): GatewayRequest => ({
	method: 'POST',
	path,
	body: { enable: enabled, url },
});

/** Whether an answer is one of §4.12 at all. */
export function tellsWebhook(body: AnswerBody | undefined): boolean {
	const answer = firstObject(body);
	return 'enabled' in answer || 'url' in answer;
}

/**
 * The webhook in an answer of §4.12: null where none is set, undefined where that is not told, which
 * must not pass for none. Nor must what is on pass for what is off: `enabled` may be null, too.
 */
export function webhookIn(body: AnswerBody | undefined): Webhook | null | undefined {
	const { url, enabled } = firstObject(body);
	if (url !== null && typeof url !== 'string') return undefined;
	return url ? { url, enabled: enabled !== false } : null;
}
