import fc from 'fast-check';

import { isSecret } from '../../../nodes/MessagingGatewayTrigger/delivery/verify';

const secret = 'a'.repeat(64);

test('only the secret itself passes', () => {
	expect(isSecret(secret, secret)).toBe(true);
	fc.assert(
		fc.property(
			fc.oneof(
				fc.string(),
				fc.string().map((end) => secret + end),
				fc.anything(),
			),
			(given) => {
				expect(isSecret(given, secret)).toBe(given === secret);
			},
		),
	);
});
