import fc from 'fast-check';

import { isMasked, maskSecret, secretParameter } from '../../../nodes/shared/webhookUrl';

const secret = 'ab12'.repeat(16);

test.each([
	[`https://n8n.example/webhook/1?token=${secret}`, 'https://n8n.example/webhook/1?token=***'],
	[`https://n8n.example/?a=1&token=b&token=${secret}`, 'https://n8n.example/?a=1&token=***'],
	['https://other.example/hook?token=abc', 'https://other.example/hook?token=abc'], // not ours
	['https://n8n.example/webhook/1', 'https://n8n.example/webhook/1'],
	['https://n8n.example?x=%20', 'https://n8n.example?x=%20'],
	['not an address?token=abc', 'not an address?token=abc'],
	['', ''],
])('%s → %s', (url, masked) => {
	expect(maskSecret(url)).toBe(masked);
	expect(isMasked(masked)).toBe(url !== masked);
});

test('no secret stays in an address', () => {
	const secrets = fc.stringMatching(/^[a-f0-9]{64}$/);
	fc.assert(
		fc.property(fc.webUrl({ withQueryParameters: true }), secrets, (address, value) => {
			const url = new URL(address);
			url.searchParams.append(secretParameter, value);
			expect(maskSecret(url.href)).not.toContain(value);
		}),
	);
});
