import { lookup } from 'mime-types';
import type { IDataObject } from 'n8n-workflow';

import { mimeTypeOfBytes, mimeTypeOfName } from '../../../../nodes/form/fields/file';
import { sendMedia } from '../../../../nodes/MessagingGateway/operations/message/sendMedia';
import { makeItemOf } from '../../../../tools/shared/item';

/** What a link is sent as. */
async function read(mimeType: string, more: IDataObject = {}) {
	const item = await makeItemOf(sendMedia, { options: { mimeType }, ...more });
	const { body } = await sendMedia.request(item);
	return (body as { message: IDataObject }).message.mimetype;
}

test.each([
	['a/photo.JPG?size=2#top', 'image/jpeg'],
	['a.b/clip.mp4', 'video/mp4'],
])('%s is %s', async (path, mimeType) => {
	expect(await read('', { mediaUrl: `https://example.com/${path}` })).toBe(mimeType);
});

test.each([
	...['photo', 'photo.jpg/', '?file=photo.jpg', 'x.unknown', 'x.constructor'],
	'https://photo.jpg',
])('%s is of no known kind', async (path) => {
	const mediaUrl = new URL(path, 'https://example.com').href;
	await expect(read('', { mediaUrl })).rejects.toThrow('does not end in a known file extension');
});

const extensions =
	'3gp aac avi bmp csv doc docx gif heic jpeg jpg m4a mov mp3 mp4 mpeg oga ogg opus pdf png ppt pptx svg txt wav webm webp xls xlsx zip';

test('each extension is what the registries say', () => {
	const types = extensions.split(' ').map((extension) => [extension, lookup(extension)]);
	for (const [extension, type] of types) expect(mimeTypeOfName(`file.${extension}`)).toBe(type);
});

test.each(['jpeg', 'my image/jpeg', 'image/', '/jpeg', 'image / jpeg', 'image/\njpeg'])(
	'%j is no MIME type',
	async (mimeType) => {
		await expect(read(mimeType)).rejects.toMatchObject({
			message: `'MIME Type' is not a MIME type: '${mimeType.replace('\n', ' ')}'`,
		});
	},
);

test.each<[string, ...string[]]>([
	['image', 'IMAGE/JPEG', 'image/svg+xml; charset=utf-8', 'application/octet-stream'],
	['Audio', 'Audio/ogg; codecs=opus', 'application/ogg'],
	['video', 'video/mp4', 'application/mp4'],
	['document', 'application/pdf', 'image/jpeg'],
	['sticker', 'image/webp'],
	['constructor', 'video/mp4'],
])('%s may be %s', async (mediaType, ...mimeTypes) => {
	for (const mimeType of mimeTypes) {
		expect(await read(mimeType, { mediaType })).toBe(mimeType);
	}
});

test.each<[string, ...string[]]>([
	['image', 'video/mp4', 'imagelike/png'],
	['IMAGE', 'Application/PDF'],
	['audio', 'image/png', 'application/oggs', 'x-audio/ogg'],
	['video', 'audio/mp4', 'text/html'],
])('%s is not %s', async (mediaType, ...mimeTypes) => {
	for (const mimeType of mimeTypes) {
		await expect(read(mimeType, { mediaType })).rejects.toMatchObject({
			message: `'Media Type' is '${mediaType}', but the media is ${mimeType}`,
			description: expect.stringContaining("'MIME Type' in the options"),
		});
	}
});

const bytes = (text: string) => Buffer.from(text, 'latin1');

test.each([
	['OggS\0\x02', 'audio/ogg'],
	['ID3\x04\0', 'audio/mpeg'],
	['\xff\xfb\x90', 'audio/mpeg'],
	['\xff\xf3\x40', 'audio/mpeg'],
	['\xff\xf1\x50', 'audio/aac'],
	['#!AMR\n', 'audio/amr'],
	['RIFF\x24\n\0\0WAVEfmt ', 'audio/wav'],
	['RIFF\x24\n\0\0WEBPVP8 ', 'image/webp'],
	['\0\0\0\x20ftypM4A \0', 'audio/mp4'],
	['\0\0\0\x20ftypisom', 'video/mp4'],
	['\0\0\n\x20ftypmp42', 'video/mp4'],
	['\0\0\0\x14ftypqt  ', 'video/quicktime'],
	['\0\0\0\x14ftyp3gp5', 'video/3gpp'],
	['\0\0\0\x18ftypheic', 'image/heic'],
	['\0\0\0\x18ftypmif1', 'image/heic'],
	['\xff\xd8\xff\xe0', 'image/jpeg'],
	['\x89PNG\r\n', 'image/png'],
	['GIF89a', 'image/gif'],
	['%PDF-1.7', 'application/pdf'],
])('%j is %s', (start, type) => {
	expect(mimeTypeOfBytes(bytes(`${start}${'x'.repeat(100)}`))).toBe(type);
});

// A text with a byte order mark, other RIFF files, pages, archives, and what only contains a beginning.
test.each(['', 'x', '\xff\xfeH\0', 'RIFF\0\0\0\0ACON', '<html>', 'PK\x03\x04', ' OggS', 'ftypM4A'])(
	'%j does not tell',
	(start) => {
		expect(mimeTypeOfBytes(bytes(start))).toBeUndefined();
	},
);
