import { once } from 'node:events';
import {
	createServer,
	type IncomingHttpHeaders,
	type RequestListener,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Listens on a free port of 127.0.0.1. Closing it cuts off open connections. */
export async function listen(listener: RequestListener) {
	const server = createServer(listener).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

export interface Received {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/** A service that records what it gets. Default answer: `{}`. */
export async function startService(
	answer: (response: ServerResponse, request: Received) => void = (response) => response.end('{}'),
) {
	const received: Received[] = [];
	const server = await listen((request, response) => {
		const { method = '', url: path = '', headers } = request;
		const aborted = () => {};
		void buffer(request).then((body) => {
			received.push({ method, path, headers, body });
			response.setHeader('content-type', 'application/json');
			answer(response, received.at(-1)!);
		}, aborted);
	});
	return { ...server, received };
}
