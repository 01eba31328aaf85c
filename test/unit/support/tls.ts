import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { createSecureContext, TLSSocket, type TLSSocketOptions } from 'node:tls';

const pem = readFileSync(resolve(__dirname, '../../../tools/sandbox/localhost.pem'));

export interface TlsServer {
	/** By name, so that it is sent to the server. */
	url: string;
	/** What was decrypted. */
	received(): string;
	close(): Promise<void>;
}

async function listen(onConnection: (socket: Socket) => void, received = () => '') {
	const sockets = new Set<Socket>();
	const server: Server = createServer((socket) => {
		sockets.add(socket.on('error', () => {}));
		onConnection(socket);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		url: `https://localhost:${(server.address() as AddressInfo).port}`,
		received,
		async close() {
			sockets.forEach((socket) => socket.destroy());
			await once(server.close(), 'close');
		},
	};
}

/** A server that does so with the beginning of a handshake. */
export const serveHello = async (onHello: (socket: Socket) => void): Promise<TlsServer> =>
	await listen((socket) => socket.once('data', () => onHello(socket)));

interface TlsOptions extends TLSSocketOptions {
	minVersion?: 'TLSv1' | 'TLSv1.2';
	maxVersion?: 'TLSv1.1' | 'TLSv1.2';
	ciphers?: string;
}

/** A server with TLS; `onRequest` gets the connection below it, too, to break it. */
export async function serveTls(
	{ minVersion, maxVersion, ciphers, ...options }: TlsOptions,
	onRequest: (tls: TLSSocket, tcp: Socket) => void = () => {},
): Promise<TlsServer> {
	const secureContext = createSecureContext({
		key: pem,
		cert: pem,
		minVersion,
		maxVersion,
		ciphers,
	});
	let received = '';
	return await listen(
		(tcp) => {
			const tls = new TLSSocket(tcp, { isServer: true, secureContext, ...options });
			tls.on('error', () => tcp.destroySoon());
			tls.on('data', (chunk) => {
				received += String(chunk);
				if (received.includes('\r\n\r\n')) onRequest(tls, tcp);
			});
		},
		() => received,
	);
}
