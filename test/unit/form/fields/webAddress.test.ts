import { text as textField } from '../../../../nodes/form/field';
import { webAddress } from '../../../../nodes/form/fields/webAddress';
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
