import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
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
	if (/[/+]xml$/.test(contentType)) {
		throw new Error(`${contentType} is not modelled; test it in the host`);
	}
	if (contentType === 'multipart/form-data') {
		await readMultipart(request);
		return true;
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

/** The parts of a form as formidable gives them to n8n: those with a content type as temporary files. */
async function readMultipart(request: WebhookRequest): Promise<void> {
	const rawBody = await readRawBody(request); // n8n keeps none of a form
	const [, boundary] = /boundary="?([^";]+)/.exec(request.headers['content-type']!)!;
	const data: Record<string, unknown[]> = {};
	const files = Object.create(null) as Record<string, unknown[]>; // as formidable: any name will do
	for (const part of rawBody.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
		const [head, ...rest] = part.slice(2, -2).split('\r\n\r\n');
		const content = Buffer.from(rest.join('\r\n\r\n'), 'latin1');
		const [, name = ''] = /\bname="?([^";\r]*)/.exec(head!) ?? [];
		const [, mimetype] = /content-type: *([^\r]+)/i.exec(head!) ?? [];
		const [, originalFilename = null] = /filename="([^"]*)"/.exec(head!) ?? [];
		if (!mimetype) {
			(data[name] ??= []).push(content.toString());
			continue;
		}
		const newFilename = randomUUID();
		const filepath = path.join(tmpdir(), newFilename);
		await writeFile(filepath, content);
		const destroy = () => rmSync(filepath, { force: true });
		(files[name] ??= []).push({
			...{ filepath, newFilename, originalFilename, mimetype, size: content.length, destroy },
		});
	}
	const single = (values: Record<string, unknown[]>) =>
		Object.fromEntries(
			Object.entries(values).map(([name, list]) => [name, list.length > 1 ? list : list[0]]),
		);
	request.body = { data: single(data), files: single(files) };
}
