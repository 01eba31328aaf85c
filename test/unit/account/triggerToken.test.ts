import fc from 'fast-check';

import { maskTokens } from '../../../nodes/account/redaction';
import {
	formatToken,
	parseToken,
	tokenOf,
	tokenParameter,
	type Token,
} from '../../../nodes/account/triggerToken';

const secret = 'ab1_-'.repeat(9).slice(0, 43);
const workflowId = 'kB2xQf7LpZ0vR9sT';
/** The ID as it stands in a token. */
const workflow = 'a0IyeFFmN0xwWjB2UjlzVA';

const tokens = fc.record({
	until: fc.option(fc.integer({ min: 1, max: 3e15 }), { nil: undefined }),
	workflowId: fc.string({ minLength: 1, maxLength: 36 }),
	secret: fc.stringMatching(/^[\w-]{43}$/),
});

test('a token is read as it was written', () => {
	fc.assert(
		fc.property(tokens, (token: Token) => {
			const text = formatToken(token);
			expect(parseToken(text)).toEqual(token);
			const url = new URL('https://n8n.example.com/webhook/1/webhook');
			url.searchParams.set(tokenParameter, text);
			expect(url.href).toBe(`https://n8n.example.com/webhook/1/webhook?mgt=${text}`);
			expect(tokenOf(url.href)).toEqual(token);
		}),
	);
});

test.each<[Token, string]>([
	[{ workflowId, secret }, `v1.p.${workflow}.${secret}`],
	[{ workflowId, secret, until: 1_795_000_000_000 }, `v1.tmwm0nk74.${workflow}.${secret}`],
])('of %j, it is the same in every version', (token, text) => {
	expect(formatToken(token)).toBe(text);
	expect(parseToken(text)).toMatchObject(token);
});

const whole = `v1.p.${workflow}.${secret}`;
const beginningWith = (start: string) => `${start}.${workflow}.${secret}`;

test.each([
	...[
		`${whole}x`,
		`${whole}.`,
		`${whole}..`,
		`${whole}.a b`,
		`${whole}\n`,
		` ${whole}`,
		`x${whole}`,
	],
	...['v1.t', 'v1.t0', `v1.t${'z'.repeat(11)}`, 'v1.p1', 'v2.p', 'v1.s'].map(beginningWith),
	...[`v1.p.${secret.slice(1)}`, `v1.p.${secret}`, 'off', '', '0'.repeat(64)],
	[whole],
	{ p: secret },
	undefined,
])('%j is no token', (value) => expect(parseToken(value)).toBeUndefined());

test.each([
	...[`https://n8n.example/?mgt=${whole}&mgt=${whole}`, `https://n8n.example/?token=${whole}`],
	...[`https://n8n.example/#mgt=${whole}`, `not an address?mgt=${whole}`],
])('%s has none', (url) => expect(tokenOf(url)).toBeUndefined());

test('the secret of a trigger is masked anywhere in a text', () => {
	const around = fc.constantFrom('', '"', '&amp;', ' ', '\\/', '.', '?mgt=', '://x.example/');
	fc.assert(
		fc.property(tokens, around, around, (token, before, after) => {
			const text = formatToken(token);
			expect(maskTokens(`${before}${text}${after}`)).toBe(`${before}***${after}`);
		}),
	);
	expect(maskTokens('v1.p.short and v1.2.3')).toBe('v1.p.short and v1.2.3');
});
