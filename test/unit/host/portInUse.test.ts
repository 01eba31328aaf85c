import { createServer, type AddressInfo } from 'node:net';
import { portInUse } from '../../../tools/shared/portInUse';

it.each(['127.0.0.1', '::'])('names who listens on a port of %s', async (host) => {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	const { port } = server.address() as AddressInfo;
	const { message } = portInUse(port, 'Stop it.');
	expect(message).toBe(`Port ${port} is in use by node (process ${process.pid}). Stop it.`);
	await new Promise((resolve) => server.close(resolve));
});

it('names nobody where the system does not tell', () => {
	expect(portInUse(1, 'Stop it.').message).toBe('Port 1 is in use. Stop it.');
});
