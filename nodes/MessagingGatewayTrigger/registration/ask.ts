import type { IHookFunctions, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';

import { within } from '../../gateway/pacing/deadline';
import { addressOf } from '../url';

/** Says which address of the webhook whoever asks believes to be its own. */
const askHeader = 'x-messaging-gateway-trigger';

const timeoutMs = 5_000;

/**
 * Who answers at an address that this node was registered at, without its secret:
 *
 * - self: this n8n, which has that address, too.
 * - nobody: a server that does not have the webhook, as an n8n where it is not registered.
 * - silence: no server, or a proxy without one.
 * - somebody: another n8n with this node, or whatever else stands there.
 */
export type Answer = 'self' | 'nobody' | 'silence' | 'somebody';

/** Asks there; never throws. @param ownAddress n8n's address of this node's webhook */
export async function ask(
	context: IHookFunctions | ITriggerFunctions,
	url: string,
	ownAddress: string,
): Promise<Answer> {
	try {
		const { statusCode, body } = await within(timeoutMs, undefined, async (abortSignal) => {
			return (await context.helpers.httpRequest({
				method: 'POST',
				url: addressOf(url),
				headers: { [askHeader]: ownAddress },
				encoding: 'stream', // whatever it says is not read
				timeout: timeoutMs,
				abortSignal,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				skipSslCertificateValidation: true, // nothing is told that could be overheard
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

/** Whether this n8n was asked by itself, and so answers `misdirected`. */
export function isAskedByItself(context: IWebhookFunctions): boolean {
	const asker = context.getHeaderData()[askHeader];
	const own = context.getNodeWebhookUrl('default');
	return typeof asker === 'string' && own !== undefined && asker === addressOf(own);
}

/** HTTP 421: no delivery was meant. */
export const misdirected = 421;
