import { Agent, fetch } from 'undici';
import type { Sandbox } from '../../../tools/sandbox';

const dispatcher = new Agent({
	connect: { rejectUnauthorized: false },
	keepAliveTimeout: 10,
	pipelining: 0,
});

export interface HttpAnswer {
	status: number;
	headers: Record<string, string>;
	body: unknown;
}

/** Calls a sandbox with its own credential. Headers given as `undefined` are left out. */
export async function call(
	sandbox: Sandbox,
	method: string,
	path: string,
	body?: unknown,
	headers: Record<string, string | undefined> = {},
): Promise<HttpAnswer> {
	const { apiKey, instanceToken } = sandbox.credential;
	const all: Record<string, string | undefined> = {
		'x-api-key': apiKey,
		...(path.startsWith('/v2/') && { 'x-instance-token': instanceToken }),
		...(body !== undefined && { 'content-type': 'application/json' }),
		...headers,
	};
	const sent = Object.entries(all).filter(([, value]) => value !== undefined) as string[][];
	const response = await fetch(sandbox.url + path, {
		method,
		headers: Object.fromEntries(sent) as Record<string, string>,
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
		redirect: 'manual',
		dispatcher,
	});
	const text = await response.text();
	return {
		status: response.status,
		headers: Object.fromEntries(response.headers),
		body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
	};
}

/** Bodies of valid sends. */
export const sms = (to = '5511912345678', msg = 'Olá') => ({ to, msg, tiposms: '1' });

export const audio = (to = '5511912345678', content = Buffer.from('audio')) => ({
	to,
	mimetype: 'audio/ogg',
	audio_base64: content.toString('base64'),
	chatapp_mode: 'private',
});
