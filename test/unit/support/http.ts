import 'reflect-metadata';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { OutboundHttp } from '@n8n/backend-network';
import { Container } from '@n8n/di';
import {
	NodeApiError,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type JsonObject,
} from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { node } from './context';

process.env.NO_PROXY = '127.0.0.1,localhost';

/** What `httpRequestWithAuthentication` does: n8n's own requests, failures wrapped as n8n does. */
export async function send(
	credential: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
): Promise<unknown> {
	try {
		const authenticated = await new MessagingGatewayApi().authenticate(credential, options);
		return await Container.get(OutboundHttp).requests().request(authenticated);
	} catch (error) {
		throw new NodeApiError(node, error as JsonObject);
	}
}

/** A TCP server on a free port; `answer` gets the socket and the whole request as text. */
export async function serve(answer: (socket: Socket, request: string) => void): Promise<{
	port: number;
	url: string;
	/** Whole requests, as they came. */
	received: string[];
	close(): Promise<void>;
}> {
	const received: string[] = [];
	const sockets = new Set<Socket>();
	const server: Server = createServer((socket) => {
		sockets.add(socket);
		let request = '';
		socket.on('error', () => {});
		socket.on('data', (chunk) => {
			request += chunk.toString('latin1');
			if (!isWhole(request)) return;
			received.push(request);
			answer(socket, request);
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		port,
		url: `http://127.0.0.1:${port}`,
		received,
		async close() {
			sockets.forEach((socket) => socket.destroy());
			server.close();
			await once(server, 'close');
		},
	};
}

function isWhole(request: string): boolean {
	const [head = '', body] = request.split('\r\n\r\n', 2);
	const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
	return body === undefined ? !/^[A-Z]+ \//.test(request) : body.length >= length;
}

/** One whole HTTP answer, as text. */
export const answerOf = (status: number, body: string, headers: string[] = []): string =>
	[
		`HTTP/1.1 ${status} Any`,
		`Content-Length: ${Buffer.byteLength(body)}`,
		'Connection: close',
		...headers,
		'',
		body,
	].join('\r\n');
