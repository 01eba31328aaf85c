import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { resolve } from 'node:path';
import { createSecureContext, TLSSocket, type TLSSocketOptions } from 'node:tls';
import { listen } from './http';

const pem = readFileSync(resolve(__dirname, '../../../tools/sandbox/localhost.pem'));

export interface TlsServer {
	/** By name, so that it is sent to the server. */
	url: string;
	/** What was decrypted. */
	received(): string;
	close(): Promise<void>;
}

const listenTls = async (onConnection: (socket: Socket) => void, received = () => '') => {
	const { port, close } = await listen(onConnection);
	return { url: `https://localhost:${port}`, received, close };
};

/** A server that does so with the beginning of a handshake. */
export const serveHello = async (onHello: (socket: Socket) => void): Promise<TlsServer> =>
	await listenTls((socket) => socket.once('data', () => onHello(socket)));

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
	return await listenTls(
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
