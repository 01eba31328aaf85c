import { lookup } from 'mime-types';

import { mimeTypeOption } from '../../../../nodes/form/fields/file';
import {
	mediaMimeType,
	mimeTypeOfUrl,
} from '../../../../nodes/MessagingGateway/operations/message/sendMedia';
import { makeItem } from '../../../../tools/shared/item';

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

test('each extension is what the registries say', () => {
	const types = extensions.split(' ').map((extension) => [extension, lookup(extension)]);
	for (const [extension, type] of types)
		expect(mimeTypeOfUrl(`https://example.com/file.${extension}`)).toBe(type);
});

const read = async (mimeType: string, url: string, mediaType = 'image') => {
	const item = await makeItem({ options: { mimeType } });
	const entered = mimeTypeOption('', '').read(item);
	return mediaMimeType(item, entered || mimeTypeOfUrl(url), mediaType, true);
};

test('the option comes first, then the extension', async () => {
	expect(await read('image/webp', 'https://example.com/photo.jpg')).toBe('image/webp');
	expect(await read(' ', 'https://example.com/photo.jpg')).toBe('image/jpeg');
});

test('if both are unknown, the error names both fields', async () => {
	await expect(read('', 'https://example.com/photo')).rejects.toMatchObject({
		message: "'Media URL' does not end in a known file extension",
		description: expect.stringContaining("'MIME Type'"),
	});
});

test.each(['jpeg', 'my image/jpeg', 'image/', '/jpeg', 'image / jpeg', 'image/\njpeg'])(
	'%j is no MIME type',
	async (mimeType) => {
		await expect(read(mimeType, 'https://example.com/photo.jpg')).rejects.toMatchObject({
			message: `'MIME Type' is not a MIME type: '${mimeType.replace('\n', ' ')}'`,
		});
	},
);

test.each([
	['image', 'IMAGE/JPEG'],
	['Image', 'image/svg+xml; charset=utf-8'],
	['image', 'application/octet-stream'],
	['audio', 'Audio/ogg; codecs=opus'],
	['audio', 'application/ogg'],
	['video', 'video/mp4'],
	['video', 'application/mp4'],
	['document', 'application/pdf'],
	['document', 'image/jpeg'],
	['sticker', 'image/webp'],
	['ptv', 'video/mp4'],
	['constructor', 'video/mp4'],
])('%s may be %s', async (mediaType, mimeType) => {
	expect(await read(mimeType, 'https://example.com/a', mediaType)).toBe(mimeType);
});

test.each([
	['image', 'application/pdf', 'https://example.com/receipt.PDF?x'],
	['image', 'video/mp4'],
	['image', 'imagelike/png'],
	['IMAGE', 'Application/PDF'],
	['audio', 'image/png'],
	['audio', 'application/oggs'],
	['video', 'audio/mp4'],
	['video', 'text/html'],
])('%s is not %s', async (mediaType, mimeType, url = '') => {
	await expect(read(url ? '' : mimeType, url, mediaType)).rejects.toMatchObject({
		message: `'Media Type' is '${mediaType}', but the media is ${mimeType}`,
		description: expect.stringContaining("'MIME Type' in the options"),
	});
});
