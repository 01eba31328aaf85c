import type { IDataObject } from 'n8n-workflow';

import { sendAudio } from '../../../../nodes/MessagingGateway/operations/message/sendAudio';
import { sendMedia } from '../../../../nodes/MessagingGateway/operations/message/sendMedia';
import { makeItemOf } from '../../../../tools/shared/item';
import { audioFile } from '../../../../tools/shared/operations';

/** What a link is sent as. */
async function read(mimeType: string, more: IDataObject = {}) {
	const item = await makeItemOf(sendMedia, { options: { mimeType }, ...more });
	const { body } = await sendMedia.request(item);
	return (body as { message: IDataObject }).message.mimetype;
}

test.each([
	...['photo', 'photo.jpg/', '?file=photo.jpg', 'x.unknown', 'x.constructor', 'https://photo.jpg'],
	...['?format=auto', '?format=large', '?reformat=jpg', 'logos/example.com', 'boleto.php'],
	...['index.html', 'index.HTM', 'a/b.xhtml?x=1#y', 'index.shtml', 'index.xht', 'page?format=html'],
	...['x.me', 'x.in', 'x.com', 'x.php?a=b'],
])('%s is of no known kind', async (path) => {
	const mediaUrl = new URL(path, 'https://example.com').href;
	await expect(read('', { mediaUrl })).rejects.toThrow('does not end in a known file extension');
});

test.each([
	...['opus', 'ogg', 'oga'].map((extension) => [extension, 'audio/ogg', 'audio']),
	['m4a', 'audio/mp4', 'audio'],
	['amr', 'audio/amr', 'audio'],
	['mp4', 'video/mp4', 'video'],
	['mkv', 'video/x-matroska', 'video'],
	['jfif', 'image/jpeg', 'image'],
	['m4v', 'video/mp4', 'video'],
	['mpp', 'application/vnd.ms-project', 'document'],
	['heic', 'image/heic', 'image'],
	['tif', 'image/tiff', 'document'],
	['ico', 'image/vnd.microsoft.icon', 'document'],
	['dng', 'image/x-adobe-dng', 'document'],
	['xml', 'application/xml', 'document'],
	['ics', 'text/calendar', 'document'],
])('.%s is %s, sent as %s', async (extension, mimetype, mediatype) => {
	const mediaUrl = `https://example.com/file.${extension}`;
	const item = await makeItemOf(sendMedia, { mediaUrl });
	const { body } = await sendMedia.request(item);
	expect((body as { message: IDataObject }).message).toMatchObject({ mimetype, mediatype });
});

test.each([
	['https://cdn.example/abc?w=1&fm=jpg&q=80', 'image/jpeg'],
	['https://cdn.example/media/Abc?format=png&name=large', 'image/png'],
	['https://docs.google.com/document/d/1/export?format=pdf', 'application/pdf'],
	['https://docs.google.com/presentation/d/1/export/pdf?x=1', 'application/pdf'],
	['https://docs.google.com/spreadsheets/d/e/1/pub?output=csv', 'text/csv'],
	['https://docs.google.com/spreadsheets/d/1/gviz/tq?tqx=out:csv&sheet=A', 'text/csv'],
	['https://example.com/a/photo.JPG?size=2#top', 'image/jpeg'],
	['https://example.com/a.png?format=jpg', 'image/png'],
	['https://example.com/a.jpg;v=2', 'image/jpeg'],
	['https://example.com/a.jpg:large', 'image/jpeg'],
])('%s is %s', async (mediaUrl, mimeType) => {
	expect(await read('', { mediaUrl })).toBe(mimeType);
});

test('a set MIME type wins over a page for sharing, which is refused without one', async () => {
	for (const page of [
		'drive.google.com/file/d/1/photo.jpg',
		'www.dropbox.com/s/1/photo.jpg?dl=0',
	]) {
		const mediaUrl = `https://${page}`;
		await expect(read('', { mediaUrl })).rejects.toThrow('opens a page for sharing');
		expect(await read('image/png', { mediaUrl })).toBe('image/png');
	}
});

test.each(['jpeg', 'my image/jpeg', 'image/', '/jpeg', 'image / jpeg', 'image/\njpeg'])(
	'%j is no MIME type',
	async (mimeType) => {
		const message = `'MIME Type' is not a MIME type: '${mimeType.replace('\n', ' ')}'`;
		await expect(read(mimeType)).rejects.toMatchObject({ message });
		const item = await makeItemOf(sendAudio, { options: { mimeType } }, { files: audioFile });
		await expect(sendAudio.request(item)).rejects.toMatchObject({ message });
	},
);

test.each<[string, ...string[]]>([
	['image', 'IMAGE/JPEG', 'image/svg+xml; charset=utf-8', 'application/octet-stream', 'image/tiff'],
	['IMAGE', 'video/mp4', 'Application/PDF'],
	['Audio', 'Audio/ogg; codecs=opus', 'application/ogg', 'video/ogg', 'x-audio/ogg'],
	['video', 'video/mp4', 'application/mp4', 'application/vnd.apple.mpegurl', 'text/html'],
	['document', 'application/pdf', 'image/jpeg', 'text/html'],
	['sticker', 'image/webp'],
	['constructor', 'video/mp4'],
])('%s may be what is entered: %s', async (mediaType, ...mimeTypes) => {
	for (const mimeType of mimeTypes) {
		expect(await read(mimeType, { mediaType })).toBe(mimeType);
		expect(await read(mimeType, { mediaType, mediaUrl: 'https://example.com/x.html' })).toBe(
			mimeType,
		);
	}
});

test.each<[string, ...string[]]>([
	['image', 'video/mp4 mp4', 'image/tiff tif'],
	['IMAGE', 'application/pdf pdf'],
	['audio', 'image/png png'],
	['video', 'audio/mp4 m4a', 'application/vnd.apple.mpegurl m3u8'],
])('%s is not what the address says: %s', async (mediaType, ...files) => {
	for (const [mimeType, extension] of files.map((each) => each.split(' '))) {
		const mediaUrl = `https://example.com/file.${extension}`;
		await expect(read('', { mediaType, mediaUrl })).rejects.toMatchObject({
			message: `'Media Type' is '${mediaType}', but the media is ${mimeType}`,
			description: expect.stringContaining("'MIME Type' in the options"),
		});
	}
});
