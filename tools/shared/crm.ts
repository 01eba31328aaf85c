import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Arrival {
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/** A system that had the account's webhook before the triggers, such as a CRM. */
export interface Crm {
	url: string;
	/** The deliveries, in order of arrival. */
	received: Arrival[];
	/** Default: 202, `{"taken":true}`. */
	answer: (response: ServerResponse, arrival: Arrival) => void;
	close(): Promise<void>;
}

/** Listens on 127.0.0.1. */
export async function startCrm(): Promise<Crm> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const arrival = { headers: request.headers, body: Buffer.concat(chunks) };
			crm.received.push(arrival);
			crm.answer(response, arrival);
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const crm: Crm = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?key=hush`,
		received: [],
		answer: (response) =>
			response.writeHead(202, { 'content-type': 'application/json' }).end('{"taken":true}'),
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
	return crm;
}
