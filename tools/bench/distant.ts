import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

/** An https address of a local service, as if far away: connecting takes a round trip, too. */
export interface Distant {
	url: string;
	close(): void;
}

export async function startDistant(httpUrl: string, roundTripMs: number): Promise<Distant> {
	const pem = readFileSync(path.join(__dirname, '../sandbox/localhost.pem'));
	const service = createTlsServer({ key: pem, cert: pem }, (near) => {
		const far = connect(Number(new URL(httpUrl).port), '127.0.0.1');
		forward(near, far, 0);
		forward(far, near, 0);
	});
	const servicePort = await listen(service);
	const network = createServer((near) => {
		const far = connect(servicePort, '127.0.0.1');
		setTimeout(() => forward(near, far, roundTripMs / 2), roundTripMs);
		forward(far, near, roundTripMs / 2);
	});
	const url = `https://127.0.0.1:${await listen(network)}`;
	return { url, close: () => [network, service].forEach((server) => server.close()) };
}

function forward(from: Socket, to: Socket, delayMs: number): void {
	from.on('data', (chunk) => setTimeout(() => to.write(chunk), delayMs));
	from.on('end', () => setTimeout(() => to.end(), delayMs));
	from.on('error', () => to.destroy());
}

const listen = async (server: Server) =>
	await new Promise<number>((resolve) => {
		server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
	});
