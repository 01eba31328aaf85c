import fc from 'fast-check';

import { maskSecret, secretParameter } from '../../../nodes/shared/webhookUrl';

test.each([
	['https://n8n.example/webhook/1?token=abc', 'https://n8n.example/webhook/1?token=***'],
	['https://n8n.example/?a=1&token=abc&token=def', 'https://n8n.example/?a=1&token=***'],
	['https://n8n.example/webhook/1', 'https://n8n.example/webhook/1'],
	['https://n8n.example?x=%20', 'https://n8n.example?x=%20'],
	['not an address?token=abc', 'not an address?token=abc'],
	['', ''],
])('%s → %s', (url, masked) => {
	expect(maskSecret(url)).toBe(masked);
});

test('no secret stays in an address', () => {
	const secret = fc.stringMatching(/^[a-f0-9]{32}$/);
	fc.assert(
		fc.property(fc.webUrl({ withQueryParameters: true }), secret, (address, value) => {
			const url = new URL(address);
			url.searchParams.append(secretParameter, value);
			expect(maskSecret(url.href)).not.toContain(value);
		}),
	);
});
