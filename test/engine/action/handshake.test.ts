/** A TLS handshake that does not end: nothing was sent, and its key stays free. */
import { serveHello, serveTls } from '../../unit/support/tls';
import { deduplication } from '../harness';
import { jsonOf, to, useGateway } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

it.each([
	['closed', async () => await serveHello((socket) => socket.end())],
	['reset', async () => await serveHello((socket) => socket.resetAndDestroy())],
	[
		'no common cipher',
		async () => await serveTls({ maxVersion: 'TLSv1.2', ciphers: 'CAMELLIA128-SHA:@SECLEVEL=0' }),
	],
])('%s', async (_, serve) => {
	const server = await serve();
	const send = async (credential = {}) =>
		await gateway.run('sendSms', {
			onError: 'continueRegularOutput',
			credential,
			options: { deduplicationKey: '={{ $json.to }}' },
		});
	const failed = await send({ baseUrl: server.url, allowUnauthorizedCerts: true });
	expect(jsonOf(failed)).toMatchObject([
		{ error: { outcome: 'refused', message: expect.stringContaining('Could not connect') } },
	]);
	await server.close();
	await send();
	expect(gateway.sandbox.timesAccepted({ to })).toBe(1);
});
