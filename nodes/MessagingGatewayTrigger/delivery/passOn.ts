import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { codeOf } from '../../gateway/judge/failure';
import { digestOf, hostOf, vouchFor } from '../identity';
import { post } from '../post';
import { readCredential, senderHeader, senderOf } from './verify';

/** The displaced webhook, with the rest of the chain sealed in its URL; `secret` if it is a trigger's. */
export interface Target {
	url: string;
	secret?: string;
}

/** What the service gets. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

export interface PassedOn {
	answer: Answer;
	/** For the workflow: who got the delivery, and with what result. */
	forwarded: { host?: string } & ({ status: number } | { problem: string });
}

/** In ms, from connecting to the end of the answer. */
const timeoutMs = 10_000;

/** In bytes; the rest of an answer is cut off. */
const longestAnswer = 64 * 1024;

/** What an n8n answers with 200, whatever it is asked, until its database is ready. It takes nothing. */
const starting = Buffer.from('n8n is starting up. Please wait');

/** Digests of the tokens of the registrations that have passed a delivery on. */
const trailHeader = 'x-messaging-gateway-passed-on-by';

/** Passes a delivery on unchanged, and reads the answer. Never throws. @param given its token here */
export async function passOn(
	context: IWebhookFunctions,
	{ url, secret }: Target,
	given: string,
): Promise<PassedOn> {
	const host = hostOf(url);
	const received = context.getHeaderData() as IDataObject;
	const trail = listIn(received[trailHeader]);
	const by = digestOf(given).slice(0, 16);
	if (trail.includes(by)) return failed(508, 'The delivery has already passed this node', host);

	const { rawBody: body } = context.getRequestObject();
	if (!body) return failed(415, 'A multipart form cannot be passed on', host);
	try {
		const headers = ownHeaders(received);
		if (secret) {
			const sender = await senderOf(context, given);
			// Read each time: that trigger checks it with the API key that the credential has now.
			const { apiKey } = await readCredential(context);
			headers[senderHeader] = `${sender} ${vouchFor(apiKey, secret)(sender, body)}`;
		}
		headers[trailHeader] = [...trail, by].join();
		const request = { url, headers, body };
		const answer = asAnswer(await post(context, request, timeoutMs, longestAnswer), url);
		if (answer.status === 200 && answer.body.equals(starting))
			return failed(503, 'n8n is still starting there', host);
		return { answer, forwarded: { host, status: answer.status } };
	} catch (error) {
		if (isBlocked(error as Error)) return failed(502, blocked, host);
		const code = codeOf(error as Error);
		if (code === 'ETIMEDOUT') return failed(504, 'No answer within 10 seconds', host);
		return failed(502, code ? `No answer (${code})` : 'No answer', host);
	}
}

const blocked =
	'n8n does not allow this address: see N8N_SSRF_ALLOWED_HOSTNAMES and N8N_SSRF_ALLOWED_IP_RANGES';

/** By N8N_SSRF_PROTECTION_ENABLED: n8n's request helper looks the name up, and refuses. */
const isBlocked = ({ name, cause }: Error): boolean =>
	/^SsrfBlocked/.test(name) || (cause instanceof Error && isBlocked(cause));

/** For when there is no answer. */
export const failed = (status: number, problem: string, host?: string): PassedOn => ({
	answer: { status, headers: {}, body: Buffer.alloc(0) },
	forwarded: { ...(host && { host }), problem },
});

const listIn = (header: unknown): string[] =>
	String(header ?? '')
		.split(',')
		.map((each) => each.trim())
		.filter((each) => each !== '');

/** Encodings that n8n decodes. */
const decoded: unknown[] = ['gzip', 'deflate'];

/** About the connection to this n8n. */
const ofConnection =
	/^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-encoding)$/;

/** Added by proxies in front of this n8n, or by this package. */
const ofProxies =
	/^(forwarded|via|x-forwarded-.*|x-original-.*|x-(real|client|cluster-client)-ip|true-client-ip|cf-.*|cdn-loop|fly-.*|x-(amzn|azure|envoy|arr|vercel|messaging-gateway)-.*)$/;

/** The headers that the service itself has sent. */
function ownHeaders(headers: IDataObject): IDataObject {
	const named = listIn(headers.connection).map((name) => name.toLowerCase());
	const isOwn = (name: string) =>
		!(name === 'content-encoding' && decoded.includes(headers[name])) &&
		![ofConnection, ofProxies].some((each) => each.test(name)) &&
		!named.includes(name);
	const own = Object.fromEntries(Object.entries(headers).filter(([name]) => isOwn(name)));
	const type = headers['content-type'];
	// In a list, so that n8n does not take the bytes of a form for its fields. `false` keeps axios from
	// naming a type where there is none.
	return { ...own, 'content-type': type === undefined ? false : [type as string] };
}

function asAnswer({ headers, ...rest }: Awaited<ReturnType<typeof post>>, url: string): Answer {
	const { 'content-type': type, 'retry-after': retryAfter, location } = headers;
	const isUrl = typeof location === 'string' && URL.canParse(location, url);
	const kept = {
		...(type && { 'content-type': String(type) }),
		...(retryAfter && { 'retry-after': String(retryAfter) }),
		...(isUrl && { location: new URL(location, url).href }),
	};
	return { ...rest, headers: kept };
}
