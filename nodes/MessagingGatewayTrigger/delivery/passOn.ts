import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { codeOf } from '../../gateway/judge/failure';
import { within } from '../../gateway/pacing/deadline';
import type { FlowingAnswer } from '../../gateway/wholeAnswer';
import { hostOf } from '../url';

/** What the service is answered. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

export interface PassedOn {
	answer: Answer;
	/** For the workflow: who got it, and what became of it. */
	forwarded: { host?: string } & ({ status: number } | { problem: string });
}

/** In ms, from the connection to the end of the answer. */
const timeoutMs = 10_000;

/** Bytes of an answer that the service gets. */
const longestAnswer = 64 * 1024;

/** Names the registrations that have passed a delivery on, by digests of their tokens. */
export const trailHeader = 'x-messaging-gateway-passed-on-by';

/** Passes a delivery on as it came, and takes the answer. Never throws. @param by for the trail */
export async function passOn(
	context: IWebhookFunctions,
	url: string,
	by: string,
): Promise<PassedOn> {
	const headers = context.getHeaderData() as IDataObject;
	const trail = trailOf(headers);
	if (trail.includes(by)) return failed(508, 'The delivery has already passed this node', hostOf(url));

	const { rawBody } = context.getRequestObject();
	if (!rawBody) return failed(415, 'A form with files cannot be passed on', hostOf(url));
	try {
		const answer = await within(timeoutMs, undefined, async (abortSignal) => {
			const flowing = (await context.helpers.httpRequest({
				method: 'POST',
				url,
				headers: { ...ownHeaders(headers), [trailHeader]: [...trail, by].join() },
				// n8n makes a form of its own of bytes that are called one.
				body: isForm(headers) ? rawBody.toString() : rawBody,
				encoding: 'stream', // read here, so that it has an end
				timeout: timeoutMs,
				abortSignal,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
			})) as FlowingAnswer;
			return await readAnswer(flowing, url);
		});
		return { answer, forwarded: { host: hostOf(url), status: answer.status } };
	} catch (error) {
		const code = codeOf(error as Error);
		if (code === 'ETIMEDOUT') return failed(504, 'No answer within 10 seconds', hostOf(url));
		return failed(502, code ? `No answer (${code})` : 'No answer', hostOf(url));
	}
}

/** What is said where nobody has answered. */
export const failed = (status: number, problem: string, host?: string): PassedOn => ({
	answer: { status, headers: {}, body: Buffer.alloc(0) },
	forwarded: { ...(host && { host }), problem },
});

const trailOf = (headers: IDataObject): string[] =>
	String(headers[trailHeader] ?? '')
		.split(',')
		.map((each) => each.trim())
		.filter((each) => each !== '');

const isForm = (headers: IDataObject): boolean =>
	headers['content-type'] === 'application/x-www-form-urlencoded';

/** Of the connection to this n8n, or of how the body came: n8n has unpacked it. */
const ofConnection =
	/^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|content-encoding|accept-encoding)$/;

/** What proxies in front of this n8n add, and this n8n. */
const ofProxies =
	/^(forwarded|via|x-forwarded-.*|x-original-.*|x-(real|client|cluster-client)-ip|true-client-ip|cf-.*|cdn-loop|fly-.*|x-(amzn|azure|envoy|arr|vercel|messaging-gateway)-.*)$/;

/** The service's own headers. */
function ownHeaders(headers: IDataObject): IDataObject {
	const named = String(headers.connection ?? '')
		.toLowerCase()
		.split(/\s*,\s*/);
	const isOwn = (name: string) =>
		![ofConnection, ofProxies].some((each) => each.test(name)) && !named.includes(name);
	return Object.fromEntries(Object.entries(headers).filter(([name]) => isOwn(name)));
}

async function readAnswer(
	{ statusCode, headers, body }: FlowingAnswer,
	url: string,
): Promise<Answer> {
	const { 'content-type': type, 'retry-after': retryAfter, location } = headers;
	const isUrl = typeof location === 'string' && URL.canParse(location, url);
	const kept = {
		...(type && { 'content-type': String(type) }),
		...(retryAfter && { 'retry-after': String(retryAfter) }),
		...(isUrl && { location: new URL(location, url).href }),
	};
	return { status: statusCode, headers: kept, body: await firstBytes(body) };
}

/** Leaving the loop closes the connection. */
async function firstBytes(body: unknown): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		chunks.push(chunk);
		length += chunk.length;
		if (length >= longestAnswer) break;
	}
	return Buffer.concat(chunks).subarray(0, longestAnswer);
}
