import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parseIncomingMessage } from '@n8n/backend-network';
import { jsonParse } from 'n8n-workflow';

/** What n8n and its nodes use of an Express request, on Node's own. */
export function asExpressRequest(message: IncomingMessage, proxyHops: number) {
	const { pathname, search } = new URL(message.url!, 'http://localhost');
	const forwarded = [message.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
	const addresses = [
		message.socket.remoteAddress!,
		...forwarded
			.map((address) => address.trim())
			.filter(Boolean)
			.reverse(),
	];
	const request = Object.assign(message, {
		path: pathname,
		originalUrl: message.url!,
		query: parse(search.slice(1)),
		params: {},
		ip: addresses[Math.min(proxyHops, addresses.length - 1)],
		body: undefined as unknown,
		rawBody: undefined as Buffer | undefined,
		contentType: undefined as string | undefined,
		encoding: undefined as BufferEncoding | undefined,
		readRawBody: async () => {
			request.rawBody ??= await readBytes(message);
		},
	});
	parseIncomingMessage(message);
	return request;
}

export type WebhookRequest = ReturnType<typeof asExpressRequest>;

/** N8N_PAYLOAD_SIZE_MAX as it comes. */
const PAYLOAD_SIZE_MAX = 16 * 1024 * 1024;

/** @throws Error with status 413 where there are too many, as `raw-body` does, or zlib's */
async function readBytes(message: IncomingMessage): Promise<Buffer> {
	const isZipped = message.headers['content-encoding'] === 'gzip';
	const chunks: Buffer[] = [];
	let length = 0;
	// A pipeline, which ends when the client goes.
	for await (const chunk of isZipped ? pipeline(message, createGunzip(), () => {}) : message) {
		length += (chunk as Buffer).length;
		if (length <= PAYLOAD_SIZE_MAX) chunks.push(chunk as Buffer);
	}
	if (length > PAYLOAD_SIZE_MAX) {
		throw Object.assign(new Error('request entity too large'), { status: 413 });
	}
	return Buffer.concat(chunks);
}

/** What n8n and its nodes use of an Express response, on Node's own. */
export function asExpressResponse(response: ServerResponse) {
	const express = Object.assign(response, {
		status(code: number) {
			response.statusCode = code;
			return express;
		},
		json(body: unknown) {
			response.setHeader('content-type', 'application/json; charset=utf-8');
			express.send(JSON.stringify(body));
		},
		send(body: unknown) {
			if (typeof body !== 'string') return express.json(body);
			if (!response.hasHeader('content-type')) {
				response.setHeader('content-type', 'text/html; charset=utf-8');
			}
			response.end(body);
		},
	});
	return express;
}

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
