import { mimeTypeOfBytes } from '../../../nodes/text/fileType';

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
