import { text as textField } from '../../../../nodes/form/textField';
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
	...['https://a.b/a\n.jpg', 'https://a.b/\u2028c', 'https://a.b/\u200bc', 'https://a b/c'],
	...['https://a.b/c.jpg www.d.e/f.jpg', 'a photo', 'Photo: https://a.b/c.jpg'],
	...[' ', ',', ', ', ';', '|', '\n', '', '?x=1,'].map(
		(between) => `https://a.b/c.jpg${between}HTTPS://a.b/d.jpg`,
	),
])('%j is none', async (text) => {
	const item = await makeItem();
	expect(() => field.parse(text, item)).toThrow(
		expect.objectContaining({
			message: expect.stringContaining("'Media URL' is not a web address: '"),
			description: 'Enter a web address. Enter one address only.',
		}),
	);
});

test.each([
	['https://a.b/Silva, João 1.jpg?x=a b', 'https://a.b/Silva,%20João%201.jpg?x=a%20b'],
	['https://a.b/\u00a0\u3000c', 'https://a.b/%C2%A0%E3%80%80c'],
	['https://a.b/👩‍👧.png', 'https://a.b/👩%E2%80%8D👧.png'],
	['https://a.b/a^b|c.jpg?x={"y":[1]}#`', 'https://a.b/a%5Eb%7Cc.jpg?x=%7B%22y%22:%5B1%5D%7D#%60'],
	['https://a.b/a%zz%2.jpg?50%', 'https://a.b/a%25zz%252.jpg?50%25'],
	['https://[2606:4700::1]/a[1].jpg', 'https://[2606:4700::1]/a%5B1%5D.jpg'],
])('%j is %s', async (text, encoded) => {
	expect(field.parse(text, await makeItem())).toBe(encoded);
	expect(field.parse(encoded, await makeItem())).toBe(encoded);
});

test.each([
	...['https://a.b/?url=https://c.d/e.jpg', 'https://a.b/w_300,h_200/https://c.d/e.jpg'],
	...['https://a.b/?x=1%2Chttps://c.d/e.jpg', 'https://a.b/a%20b,c.jpg'],
])('%s is one address', async (text) => {
	expect(field.parse(text, await makeItem())).toBe(text);
});
