import { lookup } from 'mime-types';
import type { IDataObject } from 'n8n-workflow';

import { mimeTypeOfName } from '../../../../nodes/form/fields/file';
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

test('a set MIME type wins over a page for sharing, which is refused without one', async () => {
	for (const path of [
		'drive.google.com/file/d/1/photo.jpg',
		'www.dropbox.com/s/1/photo.jpg?dl=0',
	]) {
		const mediaUrl = `https://${path}`;
		await expect(read('', { mediaUrl })).rejects.toThrow('opens a page for sharing');
		expect(await read('image/png', { mediaUrl })).toBe('image/png');
	}
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
