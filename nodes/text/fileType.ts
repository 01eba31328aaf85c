/** How files begin, as Latin-1 text. */
const beginnings: Array<[RegExp, string]> = [
	[/^OggS/, 'audio/ogg'],
	[/^(ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/, 'audio/mpeg'],
	[/^\xff[\xf0\xf1\xf8\xf9]/, 'audio/aac'],
	[/^#!AMR/, 'audio/amr'],
	[/^RIFF....WAVE/s, 'audio/wav'],
	[/^RIFF....WEBP/s, 'image/webp'],
	[/^....ftypM4A/s, 'audio/mp4'],
	[/^....ftyp(hei|mif)/s, 'image/heic'],
	[/^....ftypqt/s, 'video/quicktime'],
	[/^....ftyp3g/s, 'video/3gpp'],
	[/^....ftyp/s, 'video/mp4'],
	[/^\xff\xd8\xff/, 'image/jpeg'],
	[/^\x89PNG/, 'image/png'],
	[/^GIF8/, 'image/gif'],
	[/^%PDF/, 'application/pdf'],
];

/** What a file is by its first bytes; undefined if they don't tell. */
export function mimeTypeOfBytes(file: Uint8Array): string | undefined {
	const start = Buffer.from(file.subarray(0, 16)).toString('latin1');
	return beginnings.find(([beginning]) => beginning.test(start))?.[1];
}
