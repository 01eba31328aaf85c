import type { IDataObject, IHttpRequestOptions, RequestHelperFunctions } from 'n8n-workflow';

import type { FlowingAnswer } from '../gateway/judge/answer';
import { firstBytes } from '../gateway/client';
import { within } from '../gateway/pacing/time';

/**
 * Posts to an address that is not the service's. Follows no redirect; any status is an answer.
 *
 * @param timeoutMs from connecting to the end of what is read
 * @param longest in bytes; the rest of the answer, which may never end, is cut off
 * @throws what n8n's request helper throws, or an Error with the code `ETIMEDOUT`
 */
export async function post(
	{ helpers }: { helpers: Pick<RequestHelperFunctions, 'httpRequest'> },
	request: Pick<IHttpRequestOptions, 'url' | 'headers' | 'body' | 'skipSslCertificateValidation'>,
	timeoutMs: number,
	longest: number,
): Promise<{ status: number; headers: IDataObject; body: Buffer }> {
	return await within(timeoutMs, undefined, async (abortSignal) => {
		const answer: FlowingAnswer = await helpers.httpRequest({
			...request,
			method: 'POST',
			encoding: 'stream', // so that its length can be limited
			timeout: timeoutMs,
			abortSignal,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		});
		const { statusCode: status, headers, body } = answer;
		return { status, headers, body: await firstBytes(body as AsyncIterable<Uint8Array>, longest) };
	});
}
