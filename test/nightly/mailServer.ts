import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A mail server for the tests of a file: what it was given, and how n8n's credential reaches it. */
export function useMailServer(): { received: string[]; access: object } {
	const mail = { received: [] as string[], access: {} };
	let server: Server;
	beforeAll(async () => {
		server = createServer((socket) => {
			let isText = false;
			let text = '';
			socket.on('error', () => {});
			socket.write('220 localhost\r\n');
			socket.on('data', (data) => {
				for (const line of data.toString().split('\r\n')) {
					if (isText && line === '.') mail.received.push(text);
					if (isText && line !== '.') text += `${line}\n`;
					else if (line === 'DATA') socket.write('354 go on\r\n');
					else if (line !== '') socket.write('250 ok\r\n');
					isText = line === 'DATA' || (isText && line !== '.');
				}
			});
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		mail.access = {
			host: '127.0.0.1',
			port,
			secure: false,
			disableStartTls: true,
			user: '',
			password: '',
		};
	});
	beforeEach(() => {
		mail.received = [];
	});
	afterAll(() => server?.close());
	return mail;
}
