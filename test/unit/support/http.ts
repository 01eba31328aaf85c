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
import { node } from '../../../tools/shared/context';

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

/** An error as n8n-workflow up to 2.33 gives it: a class field wipes the cause out. */
export const loseCause = (error: unknown) =>
	Object.defineProperty(error as Error, 'cause', { value: undefined });

/** The clock of a request's time limit, which runs out when the test says so. */
export function makeClock(): AbortController {
	const clock = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(clock.signal);
	return clock;
}

/** A TCP server on a free port. Closing it cuts off its connections. */
export async function listen(onConnection: (socket: Socket) => void) {
	const sockets = new Set<Socket>();
	const server: Server = createServer((socket) => {
		sockets.add(socket.on('error', () => {}));
		onConnection(socket);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		async close() {
			sockets.forEach((socket) => socket.destroy());
			await once(server.close(), 'close');
		},
	};
}

type Answer = (socket: Socket, request: string) => void;

/** A TCP server on a free port; `answer` gets the socket and the whole request as text. */
export async function serve(answer: Answer): Promise<{
	port: number;
	url: string;
	/** Whole requests, as they came. */
	received: string[];
	close(): Promise<void>;
}> {
	const received: string[] = [];
	const server = await listen((socket) => {
		let request = '';
		socket.on('data', (chunk) => {
			request += chunk.toString('latin1');
			if (!isWhole(request)) return;
			received.push(request);
			answer(socket, request);
		});
	});
	return { ...server, url: `http://127.0.0.1:${server.port}`, received };
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

/** Answers that keep the connection busy, so that a clock for its silence never runs out. */
export const endlessAnswers: Array<[string, Answer]> = [
	['silence', () => {}],
	[
		'a body, byte by byte',
		(socket) => {
			socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
			drip(socket, '{');
		},
	],
	[
		'headers, byte by byte',
		(socket) => (socket.write('HTTP/1.1 200 OK\r\nX: '), drip(socket, 'a')),
	],
	['headers alone', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n')],
	[
		'a change of protocol',
		(socket) =>
			socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
	],
	['one 100 after the other', (socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n')],
];

function drip(socket: Socket, text: string): void {
	const timer = setInterval(() => socket.write(text), 10);
	socket.once('close', () => clearInterval(timer));
}
