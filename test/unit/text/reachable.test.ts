import { isPublicHost, isReachable } from '../../../nodes/gateway/addresses';

const hostOf = (host: string) => new URL(`http://${host}/`).hostname;

test.each([
	...['n8n.example.com', 'example.com.', '192.0.2.7', '172.15.0.1', '172.32.0.1', '100.128.0.1'],
	...['[2001:db8::1]', 'localhost.example.com', 'n8n.local.example.com'],
	...['svc.example.com', 'crm.svc.com', '198.20.0.1', '192.0.1.1'],
])('%s is public', (host) => expect(isPublicHost(hostOf(host))).toBe(true));

test.each([
	...['localhost', 'LOCALHOST', 'localhost.', 'n8n', 'n8n.local', 'n8n.local.', 'app.localhost'],
	'box.lan',
	...['crm', 'crm.', 'crm.shop.svc', 'crm.shop.svc.', 'crm.shop.svc.cluster.local', 'crm.corp'],
	...['crm.intranet', 'crm.private', 'crm.home', 'crm.localdomain', 'crm.test'],
	...['192.0.0.9', '198.18.0.1', '[64:ff9b::a00:1]'],
	...['host.docker.internal', 'pi.home.arpa'],
	...['127.0.0.1', '127.1', '2130706433', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255'],
	...['192.168.1.1', '169.254.169.254', '100.64.0.1'],
	...['[::]', '[::1]', '[::ffff:10.0.0.1]', '[fd00::1]', '[fe80::1]'],
])('%s is not', (host) => expect(isPublicHost(hostOf(host))).toBe(false));

test.each([
	['https://n8n.example.com/webhook/x', 'https://api.example.com', true],
	['http://n8n.example.com/webhook/x', 'https://api.example.com', false],
	['https://localhost:5678/webhook/x', 'https://api.example.com', false],
	['http://localhost:5678/webhook/x', 'https://api.example.com', false],
	['https://10.0.0.1/webhook/x', 'http://203.0.113.7', false],
	['http://localhost:5678/webhook/x', 'http://127.0.0.1:8787', true],
	['http://n8n:5678/webhook/x', 'https://gateway.internal', true],
])('%s from %s: %s', (webhook, service, expected) => {
	expect(isReachable(webhook, service)).toBe(expected);
});
