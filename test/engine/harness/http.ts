import { parse } from 'node:querystring';
import { createGunzip } from 'node:zlib';
import { parseIncomingMessage } from '@n8n/backend-network';
import express, { type Request, type Response } from 'express';
import { jsonParse } from 'n8n-workflow';
import readRawBody from 'raw-body';

/** With what n8n adds to a request. */
export type WebhookRequest = Request & {
	rawBody?: Buffer;
	contentType?: string;
	encoding?: BufferEncoding;
	readRawBody(): Promise<void>;
};

/**
 * An Express as n8n sets it up.
 *
 * @param proxyHops N8N_PROXY_HOPS: how many proxies in front may name the client in `X-Forwarded-For`
 */
export const asN8n = (
	handle: (request: WebhookRequest, response: Response) => void,
	proxyHops = 0,
) =>
	express()
		.disable('x-powered-by')
		.set('query parser', 'extended')
		.set('trust proxy', proxyHops)
		.use((message, response) => {
			parseIncomingMessage(message);
			const request: WebhookRequest = Object.assign(message, {
				async readRawBody() {
					const isZipped = message.headers['content-encoding'] === 'gzip';
					const stream = isZipped ? message.pipe(createGunzip()) : message;
					const length = isZipped ? undefined : message.headers['content-length'];
					request.rawBody ??= await readRawBody(stream, { length, limit: '16mb' });
				},
			});
			handle(request, response);
		});

const PARSED_FROM_VERSION_2 = /^(application\/json|text\/plain|application\/x-www-form-urlencoded)/;

/**
 * n8n's body parser. From type version 2 on, n8n leaves other content types unread; with any version
 * their `body`, like that of an empty request, stays undefined. False: n8n answers 422.
 */
export async function readBody(request: WebhookRequest, typeVersion: number): Promise<boolean> {
	const { contentType = '' } = request;
	if (contentType.startsWith('multipart/') || /[/+]xml$/.test(contentType)) {
		throw new Error(`${contentType} is not modelled; test it in the host`);
	}
	if (typeVersion > 1 && !PARSED_FROM_VERSION_2.test(contentType)) return true;
	await request.readRawBody();
	const text = request.rawBody!.toString(request.encoding).replace(/^\ufeff/, '');
	if (text === '') return true;
	try {
		if (contentType === 'application/json') request.body = jsonParse(text);
		else if (contentType === 'text/plain') request.body = text;
		else if (contentType === 'application/x-www-form-urlencoded') request.body = parse(text);
		return true;
	} catch {
		return false;
	}
}
