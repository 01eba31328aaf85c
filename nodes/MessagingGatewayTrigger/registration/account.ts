import {
	connectWith,
	credentialType,
	type Context,
	type GatewayRequest,
} from '../../gateway/client';
import { toNodeApiError } from '../../gateway/errors';
import { firstObject, type AnswerBody } from '../../gateway/answerBody';
import type { Outcome } from '../../gateway/outcome';
import type { Webhook } from '../../gateway/triggerToken';

import { showHostsOnly } from '../url';

const timeoutMs = 10_000;

/** The account that a trigger's credential belongs to, and its webhook. */
export interface Account {
	apiKey: unknown;
	/** Origin of the service. */
	origin: string;
	/** Interface §4.12; undefined: there is none. @throws NodeApiError when the service does not tell */
	read(): Promise<Webhook | undefined>;
	/** Interface §4.11. @throws NodeApiError when the service does not accept it */
	write(webhook: Webhook): Promise<void>;
}

/**
 * Nothing here is tried again: n8n repeats an activation by itself, and so does the watch.
 *
 * @throws UserError when the credential's base URL is not an address
 */
export async function openAccount(context: Context): Promise<Account> {
	const credential = await context.getCredentials(credentialType);
	const client = connectWith(context, credential, { hide: showHostsOnly });

	const fail = (outcome: Exclude<Outcome, { kind: 'accepted' }>) =>
		toNodeApiError(context.getNode(), client, outcome);
	const request = async (details: Pick<GatewayRequest, 'method' | 'body'>): Promise<AnswerBody> => {
		const outcome = await client.attempt({ path: '/webhook/', ...details }, timeoutMs);
		if (outcome.kind !== 'accepted') throw fail(outcome);
		return outcome.body ?? {};
	};

	return {
		apiKey: credential.apiKey,
		origin: client.origin,

		async read() {
			const answer = firstObject(await request({ method: 'GET' }));
			const { url, enabled } = answer;
			// Something else's answer must not pass for 'no webhook': that would be overwritten.
			if (url !== null && typeof url !== 'string') {
				throw fail({ kind: 'unknown', reason: { kind: 'unusable' } });
			}
			// Nor what is on for what is off: `enabled` may be null, too.
			return url ? { url, enabled: enabled !== false } : undefined;
		},

		async write({ url, enabled }) {
			await request({ method: 'POST', body: { enable: enabled, url } });
		},
	};
}
