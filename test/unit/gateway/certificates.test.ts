/** Real TLS servers whose certificates cannot be accepted, or that have none. */
import { once } from 'node:events';
import { createServer as createPlainServer, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { testCredential } from '../../../nodes/gateway/checkCredential';
import { toNodeApiError } from '../../../nodes/gateway/errors';
import { judgeFailure } from '../../../nodes/gateway/judge/failure';
import type { NotAccepted } from '../../../nodes/gateway/outcome';
import { credential, node } from '../../../tools/shared/context';
import { send } from '../support/http';
import { makeCertificate, type Certificate } from '../support/certificate';

const open: Server[] = [];
afterEach(() => open.splice(0).forEach((server) => server.close()));

async function listen(server: Server): Promise<number> {
	open.push(server);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

const serve = async ({ cert, key }: Certificate) =>
	await listen(createServer({ cert, key }, (_, response) => response.end('{}')));

/** How n8n's own request ends. @param ca that n8n's machine trusts */
const failureOf = async (url: string, ca?: string): Promise<unknown> =>
	await send({ ...credential, baseUrl: url }, { url, agentOptions: { ca } } as never).catch(
		(error: unknown) => error,
	);

/** What a node says, and what the credential's test says. */
async function said(url: string, ca?: string) {
	const error = await failureOf(url, ca);
	const outcome = judgeFailure(error, String) as NotAccepted;
	expect(outcome).toMatchObject({ kind: 'refused', forNow: true });
	const { description } = toNodeApiError(node, { origin: new URL(url).origin }, outcome);
	const helpers = {
		request: async () => {
			throw error;
		},
	};
	const data = { ...credential, baseUrl: url };
	const tested = { id: '1', name: 'a', type: 'b', data };
	const { message } = await testCredential.call({ helpers } as never, tested);
	return { description, message };
}

const authority = makeCertificate({ name: 'Own CA' });
const issued = makeCertificate({ issuer: authority });

test.each<[string, Certificate, string | undefined, RegExp, boolean]>([
	[
		'has expired',
		makeCertificate({ from: -2, to: -1 }),
		undefined,
		/\(CERT_HAS_EXPIRED\) has expired\. Ask .* operator to renew it\. .*clock/,
		false,
	],
	[
		'is not valid yet',
		makeCertificate({ from: 1, to: 2 }),
		undefined,
		/\(CERT_NOT_YET_VALID\) is not valid yet\. Set the clock/,
		false,
	],
	['is self-signed', makeCertificate(), undefined, /\(DEPTH_ZERO\w+\) is self-signed/, true],
	['comes from an unknown authority', issued, undefined, /NODE_EXTRA_CA_CERTS/, false],
])('a certificate that %s', async (_, certificate, ca, cure, offersToIgnore) => {
	const texts = await said(`https://localhost:${await serve(certificate)}`, ca);
	for (const text of Object.values(texts)) {
		expect(text).toMatch(cure);
		expect(text!.includes('Ignore SSL Issues')).toBe(offersToIgnore);
	}
});

test('a certificate for another name: it is told', async () => {
	const other = makeCertificate({ name: 'api.other.example' });
	const port = await serve(other);
	const { description, message } = await said(`https://localhost:${port}`, other.cert);
	expect(description).toBe(
		"The service's certificate (ERR_TLS_CERT_ALTNAME_INVALID) is for another name. Enter the name that it is for as 'Base URL' in the Messaging Gateway credential. It is for api.other.example.",
	);
	expect(message).toMatch(/is for another name\. .* It is for api\.other\.example\.$/);
	expect(`${description} ${message}`).not.toContain('Ignore SSL');
});

test('an expired certificate of another name is an expired one', async () => {
	const other = makeCertificate({ name: 'api.other.example', from: -2, to: -1 });
	const { message } = await said(`https://localhost:${await serve(other)}`, other.cert);
	expect(message).toContain('has expired');
});

test('https to a server that does not speak it', async () => {
	const port = await listen(createPlainServer((_, response) => response.end('{}')));
	const { description, message } = await said(`https://localhost:${port}`);
	const cure = 'This server does not speak https: enter http:// instead in';
	expect(description).toBe(`${cure} 'Base URL' in the Messaging Gateway credential.`);
	expect(message).toBe(
		`Could not connect to the service at https://localhost:${port}. ${cure} 'Base URL'.`,
	);
});
