import fc from 'fast-check';

import { maskTokens } from '../../../nodes/gateway/redaction';
import {
	formatToken,
	parseToken,
	tokenOf,
	tokenParameter,
	type Token,
} from '../../../nodes/gateway/triggerToken';

const secret = 'ab1_-'.repeat(9).slice(0, 43);
const sealed = 'x'.repeat(60);

const tokens = fc.record({
	until: fc.option(fc.integer({ min: 1, max: 3e15 }), { nil: undefined }),
	secret: fc.stringMatching(/^[\w-]{43}$/),
	sealed: fc.option(fc.stringMatching(/^[\w-]{38,200}$/), { nil: undefined }),
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
	[{ secret }, `v1.p.${secret}`],
	[{ secret, sealed }, `v1.p.${secret}.${sealed}`],
	[{ secret, until: 1_795_000_000_000 }, `v1.tmwm0nk74.${secret}`],
])('of %j, it is the same in every version', (token, text) => {
	expect(formatToken(token)).toBe(text);
	expect(parseToken(text)).toMatchObject(token);
});

test.each([
	...[`v1.p.${secret}x`, `v1.p.${secret.slice(1)}`, `v1.p.${secret}.`, `v1.p.${secret}..`],
	...[`v1.p.${secret}.a b`, `v1.p.${secret}\n`, ` v1.p.${secret}`, `xv1.p.${secret}`],
	...[`v1.t.${secret}`, `v1.t0.${secret}`, `v1.t${'z'.repeat(11)}.${secret}`, `v1.p1.${secret}`],
	...[`v2.p.${secret}`, `v1.s.${secret}`, `v1p${secret}`, 'off', ''],
	'0'.repeat(64),
	[`v1.p.${secret}`],
	{ p: secret },
	undefined,
])('%j is no token', (value) => expect(parseToken(value)).toBeUndefined());

test.each([
	...[`https://n8n.example/?mgt=v1.p.${secret}&mgt=v1.p.${secret}`],
	...[`https://n8n.example/?token=v1.p.${secret}`, `https://n8n.example/#mgt=v1.p.${secret}`],
	...[`not an address?mgt=v1.p.${secret}`],
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
