import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { firstBytes, post } from '../post';
import { addressOf } from '../identity';

const timeoutMs = 5_000;

/** In bytes: more than n8n's own answers have. */
const longestAnswer = 4 * 1024;

/** What answers at a trigger's address, with the body of a 404; undefined if nothing does. Sends no secret, never throws. */
export async function ask(
	context: IHookFunctions | ITriggerFunctions,
	url: string,
): Promise<{ status: number; body: Buffer } | undefined> {
	try {
		const request = {
			url: addressOf(url),
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
