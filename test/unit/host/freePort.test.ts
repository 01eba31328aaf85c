import { createServer } from 'node:net';
import { freePort } from '../../../tools/host/freePort';

const portsGivenToConnections = 32_768; // and higher, on Linux; on macOS and Windows from 49,152

/** As another process has it: with a state of its own. */
function anotherFreePort(): typeof freePort {
	let another = freePort;
	jest.isolateModules(() => {
		another = jest.requireActual<{ freePort: typeof freePort }>(
			'../../../tools/host/freePort',
		).freePort;
	});
	return another;
}

const several = async (count: number, port: typeof freePort) =>
	await Promise.all(Array.from({ length: count }, async () => await port()));

it('is none that the system gives to a connection meanwhile', async () => {
	expect(await freePort()).toBeLessThan(portsGivenToConnections);
});

it('is given to one caller only, of any process, however many each asks for', async () => {
	const ports = [...(await several(150, freePort)), ...(await several(150, anotherFreePort()))];
	expect(new Set(ports).size).toBe(300);
});

it('is the wanted one, but where somebody listens on it', async () => {
	const wanted = await freePort();
	expect(await freePort(wanted)).toBe(wanted);

	const server = createServer();
	await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
	expect(await freePort(wanted)).not.toBe(wanted);
	await new Promise((resolve) => server.close(resolve));
});

it('leaves out a port that somebody listens on', async () => {
	const before = await freePort();
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(before + 1, '127.0.0.1', resolve));
	expect(await freePort()).toBe(before + 2);
	await new Promise((resolve) => server.close(resolve));
});
