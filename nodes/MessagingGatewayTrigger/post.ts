import type { IHttpRequestOptions, RequestHelperFunctions } from 'n8n-workflow';

import type { FlowingAnswer } from '../gateway/judge/answer';
import { within } from '../gateway/pacing/time';

/**
 * Posts to an address that is not the service's. Follows no redirect; any status is an answer.
 *
 * @param timeoutMs from connecting to the end of what is read
 * @param read takes what it wants of the answer, which may never end
 * @throws what n8n's request helper throws, or an Error with the code `ETIMEDOUT`
 */
export async function post<T>(
	{ helpers }: { helpers: Pick<RequestHelperFunctions, 'httpRequest'> },
	request: Pick<IHttpRequestOptions, 'url' | 'headers' | 'body' | 'skipSslCertificateValidation'>,
	timeoutMs: number,
	read: (answer: FlowingAnswer) => Promise<T>,
): Promise<T> {
	return await within(timeoutMs, undefined, async (abortSignal) => {
		const answer = await helpers.httpRequest({
			...request,
			method: 'POST',
			encoding: 'stream', // so that its length can be limited
			timeout: timeoutMs,
			abortSignal,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		});
		return await read(answer as FlowingAnswer);
	});
}
