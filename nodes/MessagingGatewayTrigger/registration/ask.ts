import type { IHookFunctions, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';

import { within } from '../../gateway/pacing/deadline';
import { addressOf } from '../url';

/** The address that the asking n8n believes to be its own. */
const askHeader = 'x-messaging-gateway-trigger';

const timeoutMs = 5_000;

/**
 * Finds out who answers at an address that this node was registered at. Sends no secret, and never
 * throws.
 *
 * - self: this n8n, which also has that address.
 * - nobody: a server without this webhook, such as an n8n where it is not registered.
 * - silence: no server, or a proxy without one.
 * - somebody: another n8n with this node, or something else.
 *
 * @param ownAddress n8n's address of this node's webhook
 */
export async function whoAnswers(
	context: IHookFunctions | ITriggerFunctions,
	url: string,
	ownAddress: string,
): Promise<'self' | 'nobody' | 'silence' | 'somebody'> {
	try {
		const { statusCode, body } = await within(timeoutMs, undefined, async (abortSignal) => {
			return (await context.helpers.httpRequest({
				method: 'POST',
				url: addressOf(url),
				headers: { [askHeader]: ownAddress },
				encoding: 'stream', // so that the body is not read
				timeout: timeoutMs,
				abortSignal,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				skipSslCertificateValidation: true, // the request contains nothing confidential
			})) as { statusCode: number; body?: { destroy?(): void } };
		});
		body?.destroy?.();
		if (statusCode === misdirected) return 'self';
		if ([404, 410].includes(statusCode)) return 'nobody';
		return [502, 503, 504].includes(statusCode) ? 'silence' : 'somebody';
	} catch {
		return 'silence';
	}
}

/** Whether this n8n is asking itself, which it answers with `misdirected`. */
export function isAskedByItself(context: IWebhookFunctions): boolean {
	const asker = context.getHeaderData()[askHeader];
	const own = context.getNodeWebhookUrl('default');
	return typeof asker === 'string' && own !== undefined && asker === addressOf(own);
}

/** HTTP 421: this was no delivery. */
export const misdirected = 421;
