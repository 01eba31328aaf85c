/** A TLS handshake that does not end: nothing was sent, and its key stays free. */
import { onceBy } from '../../../tools/shared/deduplication';
import { serveHello, serveTls } from '../../unit/support/tls';
import { deduplication } from '../harness';
import { jsonOf, to, useGateway } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

// Those that are certain in every n8n; before n8n-workflow 2.34 the others stay in doubt.
it.each([
	['closed', async () => await serveHello((socket) => socket.end())],
	[
		'no common version',
		async () =>
			await serveTls({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }),
	],
	[
		'a name that is refused',
		async () => await serveTls({ SNICallback: (_name, done) => done(new Error('unknown name')) }),
	],
])('%s', async (_, serve) => {
	const server = await serve();
	const send = async (credential = {}) =>
		await gateway.run('sendSms', {
			onError: 'continueRegularOutput',
			credential,
			options: onceBy('={{ $json.to }}'),
		});
	const failed = await send({ baseUrl: server.url, allowUnauthorizedCerts: true });
	expect(jsonOf(failed)).toMatchObject([
		{ error: { outcome: 'refused', message: expect.stringContaining('Could not connect') } },
	]);
	await server.close();
	await send();
	expect(gateway.sandbox.timesAccepted({ to })).toBe(1);
});
