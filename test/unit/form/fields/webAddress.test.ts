import fc from 'fast-check';

import { text as textField } from '../../../../nodes/form/field';
import { asUri, webAddress } from '../../../../nodes/form/fields/webAddress';
import { makeItem } from '../../../../tools/shared/item';

const field = webAddress(
	textField({ displayName: 'Media URL', name: 'mediaUrl', type: 'string', default: '' }),
	'Enter a web address.',
	'Enter a public one.',
);

test.each(['https://a.b/c', 'http://a.b', 'HTTPS://a.b'])('%s is a web address', async (text) => {
	expect(field.parse(text, await makeItem())).toBe(text);
});

test.each([
	...['a.b/c', 'ftp://a.b', 'https://', 'file:https:', 'data:,a', 'mailto:a@b.c'],
	...['https:a.b/c', 'https:/a.b/c', 'https:///a.b/c', 'https:\\\\a.b\\c'], // browsers correct these
	...['https://a.b/a\n.jpg', 'https://a.b/\u00a0', 'https://a.b/?x=1 2', 'https://a.b/\u200bc'],
	...[' ', ',', ', ', ';', '|', '\n', '', '?x=1,'].map(
		(between) => `https://a.b/c.jpg${between}HTTPS://a.b/d.jpg`,
	),
])('%j is none', async (text) => {
	const item = await makeItem();
	expect(() => field.parse(text, item)).toThrow(
		expect.objectContaining({
			message: expect.stringContaining("'Media URL' is not a web address: '"),
			description: 'Enter a web address. Enter one address only, with spaces as %20.',
		}),
	);
});

test.each([
	...['https://a.b/?url=https://c.d/e.jpg', 'https://a.b/w_300,h_200/https://c.d/e.jpg'],
	...['https://a.b/?x=1%2Chttps://c.d/e.jpg', 'https://a.b/a%20b,c.jpg'],
])('%s is one address', async (text) => {
	expect(field.parse(text, await makeItem())).toBe(text);
});

test.each([
	['https://ü.example/é ü?q=ç#í', 'https://xn--tda.example/%C3%A9%20%C3%BC?q=%C3%A7#%C3%AD'],
	['https://a.b/{c}|d?e={f}[g]`', 'https://a.b/%7Bc%7D%7Cd?e=%7Bf%7D%5Bg%5D%60'],
	['https://a.b/100%.png', 'https://a.b/100%25.png'],
	['https://a.b/%ag%a', 'https://a.b/%25ag%25a'],
	['https://a.b/%C3%A9?x=%20', 'https://a.b/%C3%A9?x=%20'],
	['https://a.b/#', 'https://a.b/#'],
	['https://a.b?x#y#z', 'https://a.b/?x#y%23z'],
	['https://user:pass@a.b/c', 'https://user:pass@a.b/c'],
])('%s is sent as %s', (address, uri) => {
	expect(asUri(address)).toBe(uri);
});

test('any web address is made of what RFC 3986 has, and stays so', () => {
	fc.assert(
		fc.property(fc.oneof(fc.webPath(), fc.string({ unit: 'binary' })), (rest) => {
			const uri = asUri(`https://a.b/${rest}`);
			expect(uri).toMatch(/^https:\/\/a\.b\/(?:[\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})*(?:#.*)?$/i);
			expect(asUri(uri)).toBe(uri);
		}),
	);
});
