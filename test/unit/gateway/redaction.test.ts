import { spellingsOf } from '../../../nodes/gateway/redaction';

test('a secret is found as it is, in JSON, in a URL and in Base64', () => {
	const secret = 'ÿ>/"key';
	const base64 = Buffer.from(secret).toString('base64').slice(0, 10);
	const spellings = spellingsOf(secret);
	expect(spellings).toEqual(
		expect.arrayContaining([
			secret,
			'ÿ>/\\"key',
			'ÿ>\\/\\"key',
			'%C3%BF%3E%2F%22key',
			'%c3%bf%3e%2f%22key',
			base64,
			base64.replaceAll('+', '-').replaceAll('/', '_'),
		]),
	);
	expect(base64).toMatch(/[+/]/);
	for (const before of ['', 'x', 'xx']) {
		for (const encoding of ['base64', 'base64url'] as const) {
			const text = Buffer.from(`${before}${secret}:and more`).toString(encoding);
			expect(spellings.some((spelling) => text.includes(spelling))).toBe(true);
		}
	}
});

test.each([
	['abcde', ['abcde']],
	['abcdef', ['abcdef', 'YWJjZGVm']],
])('of %s, Base64 of fewer than eight signs is left out', (secret, spellings) => {
	expect(spellingsOf(secret)).toEqual(spellings);
});
