import fc from 'fast-check';
import { lookup } from 'mime-types';

import { mimeTypeOfUrl, readMediaMimeType } from '../../../nodes/MessagingGateway/fields/mimeType';
import { makeItem } from '../support/item';

test.each([
	['https://example.com/photo.jpg', 'image/jpeg'],
	['https://example.com/a/photo.JPG?size=2#top', 'image/jpeg'],
	['https://example.com/a.b/clip.mp4', 'video/mp4'],
	['https://example.com/receipt.pdf', 'application/pdf'],
	['https://example.com/voice.opus', 'audio/ogg'],
	['https://example.com/photo', undefined],
	['https://example.com/photo.jpg/', undefined],
	['https://example.com/?file=photo.jpg', undefined],
	['https://photo.jpg', undefined],
	['https://example.com/x.unknown', undefined],
	['https://example.com/x.constructor', undefined],
	['photo.jpg', undefined],
	['', undefined],
])('%s is %s', (url, mimeType) => {
	expect(mimeTypeOfUrl(url)).toBe(mimeType);
});

const extensions =
	'3gp aac avi bmp csv doc docx gif heic jpeg jpg m4a mov mp3 mp4 mpeg oga ogg opus pdf png ppt pptx svg txt wav webm webp xls xlsx zip';

test.each(extensions.split(' '))('.%s is what the registries say', (extension) => {
	expect(mimeTypeOfUrl(`https://example.com/file.${extension}`)).toBe(lookup(extension));
});

const read = async (mimeType: string, url: string) =>
	readMediaMimeType(await makeItem({ options: { mimeType } }), url);

test('the option comes first, then the extension', async () => {
	expect(await read('image/webp', 'https://example.com/photo.jpg')).toBe('image/webp');
	expect(await read(' ', 'https://example.com/photo.jpg')).toBe('image/jpeg');
});

test('when neither tells, the error names both fields', async () => {
	await expect(read('', 'https://example.com/photo')).rejects.toMatchObject({
		message: "The MIME type cannot be told from 'Media URL'",
		description: expect.stringContaining("'MIME Type'"),
	});
});

test.each(['jpeg', 'my image/jpeg', 'image/', '/jpeg', 'image / jpeg', 'image/\njpeg'])(
	'%j is no MIME type',
	async (mimeType) => {
		await expect(read(mimeType, 'https://example.com/photo.jpg')).rejects.toMatchObject({
			message: `'MIME Type' is not a MIME type: '${mimeType}'`,
		});
	},
);

test('any address has a MIME type or none', () => {
	fc.assert(
		fc.property(fc.oneof(fc.webUrl(), fc.string()), (url) => {
			expect(mimeTypeOfUrl(url) ?? 'none/').toMatch(/^[a-z]+\/|^none\/$/);
		}),
	);
});
