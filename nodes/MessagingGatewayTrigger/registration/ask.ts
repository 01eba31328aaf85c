import type { IHookFunctions, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';

import { firstBytes, post } from '../post';
import { addressOf } from '../url';

/** The address that the asking n8n believes to be its own. */
const askHeader = 'x-messaging-gateway-trigger';

const timeoutMs = 5_000;

/** In bytes: more than n8n's own answers have. */
const longestAnswer = 4 * 1024;

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
	const { status } = (await ask(context, url, ownAddress)) ?? {};
	if (status === undefined) return 'silence';
	if (status === misdirected) return 'self';
	if ([404, 410].includes(status)) return 'nobody';
	return [502, 503, 504].includes(status) ? 'silence' : 'somebody';
}

/** What answers there, with the body of a 404; undefined if nothing does. Sends no secret, never throws. */
export async function ask(
	context: IHookFunctions | ITriggerFunctions,
	url: string,
	ownAddress: string,
): Promise<{ status: number; body: Buffer } | undefined> {
	try {
		const request = {
			url: addressOf(url),
			headers: { [askHeader]: ownAddress },
			skipSslCertificateValidation: true, // the request contains nothing confidential
		};
		return await post(context, request, timeoutMs, async ({ statusCode: status, body }) => {
			const nothing = Buffer.alloc(0);
			if (status === 404) {
				return { status, body: await firstBytes(body, longestAnswer).catch(() => nothing) };
			}
			(body as { destroy?(): void } | undefined)?.destroy?.(); // it may never end
			return { status, body: nothing };
		});
	} catch {
		return undefined;
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
