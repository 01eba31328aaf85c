/** n8n's protection against server-side requests blocks a service in the own network, too. */
import { OutboundHttp } from '@n8n/backend-network';
import { Container } from '@n8n/di';

import { useGateway } from './support';

const gateway = useGateway();
/** N8N_SSRF_PROTECTION_ENABLED, as n8n keeps it. */
const { ssrfConfig } = Container.get(OutboundHttp) as unknown as {
	ssrfConfig: { enabled: boolean };
};
beforeEach(() => void (ssrfConfig.enabled = true));
afterEach(() => void (ssrfConfig.enabled = false));

test.each(['127.0.0.1', 'localhost'])('the error about %s names the settings', async (host) => {
	const baseUrl = gateway.sandbox.credential.baseUrl.replace('127.0.0.1', host);
	const { error } = await gateway.run('sendSms', { credential: { baseUrl } });
	expect(error?.message).toBe(
		"n8n's protection against server-side requests (N8N_SSRF_PROTECTION_ENABLED) blocked the request",
	);
	expect(error?.description).toMatch(
		/N8N_SSRF_ALLOWED_HOSTNAMES.*N8N_SSRF_ALLOWED_IP_RANGES, e\.g\. 10\.0\.0\.7\/32\. Then restart n8n\.$/,
	);
	expect(gateway.sandbox.requests()).toEqual([]);
});
