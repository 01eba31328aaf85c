import { createServer } from 'node:net';
import { freePort } from '../../../host/freePort';

const portsGivenToConnections = 32_768; // and higher, on Linux; on macOS and Windows from 49,152

it('is none that the system gives to a connection meanwhile', async () => {
	expect(await freePort()).toBeLessThan(portsGivenToConnections);
});

it('is given to one caller only', async () => {
	const ports = await Promise.all(Array.from({ length: 9 }, async () => await freePort()));
	expect(new Set(ports).size).toBe(9);
});

it('is the wanted one, but where somebody listens on it', async () => {
	const wanted = await freePort();
	expect(await freePort(wanted)).toBe(wanted);

	const server = createServer();
	await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
	expect(await freePort(wanted)).not.toBe(wanted);
	await new Promise((resolve) => server.close(resolve));
});
