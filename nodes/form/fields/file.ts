import type { IBinaryData } from 'n8n-workflow';

import type { StoredFile } from '../../gateway/endpoints/messages';
import { toText } from '../../text/text';
import { optionOrDefault, required, trimmed, type PlainField } from '../field';
import type { Item } from '../item';

/** Names the file of an item. @param source the field that says where it comes from */
export const fileField = (source: string): PlainField<string> =>
	required(
		{
			displayName: 'Input Data Field Name',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			displayOptions: { show: { [source]: ['binary'] } },
			placeholder: 'e.g. data',
			hint: 'The name of the input field that contains the file',
		},
		'Enter the name of the field that contains the file, e.g. data, without an expression.',
	);

/**
 * The file, the name of its field as errors may show it, `stored` unless n8n keeps it in the item, and
 * its MIME type, empty if unknown.
 *
 * @throws NodeOperationError when the item has no such file, or an empty one
 */
export async function readItemFile(item: Item, fieldName: string) {
	const file = item.file(fieldName);
	const name = item.quote(fieldName);
	const stored = file.id ? await item.storedFile(file.id) : undefined;
	const readStart = async () => (stored ? await startOf(stored) : startOfBase64(file.data));
	const typeOf = async () => await mimeTypeOfFile(file, readStart);
	if (stored ? stored.size > 0 : file.data) return { name, file, stored, typeOf };
	throw item.invalid(
		`The file in '${name}' is empty`,
		"Check the node that outputs the file, or set 'Input Data Field Name' to another file.",
	);
}

/** Its first bytes. */
export const startOfBase64 = (text: string): Buffer => Buffer.from(text.slice(0, 64), 'base64');

async function startOf(file: StoredFile): Promise<Uint8Array> {
	for await (const chunk of (await file.open()) as unknown as AsyncIterable<Uint8Array>) {
		return chunk; // leaving the loop closes the file
	}
	return Buffer.alloc(0);
}

/** What the file or the address says otherwise. */
export const mimeTypeOption = (placeholder: string, description: string) =>
	optionOrDefault(
		trimmed({
			displayName: 'MIME Type',
			name: 'mimeType',
			type: 'string',
			default: '',
			placeholder,
			description,
		}),
	);

/** Case-insensitive (RFC 2045). */
export const isAudio = (mimeType: string): boolean =>
	/^(audio\/[^\s/]|application\/ogg\s*(;|$))/i.test(mimeType);

/** Says nothing about the kind. */
export const isOfAnyKind = (mimeType: string): boolean =>
	/^(application|binary)\/octet-stream\s*(;|$)/i.test(mimeType);

const byExtension: Record<string, string> = {
	aac: 'audio/aac',
	avi: 'video/x-msvideo',
	bmp: 'image/bmp',
	csv: 'text/csv',
	doc: 'application/msword',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	gif: 'image/gif',
	heic: 'image/heic',
	jpeg: 'image/jpeg',
	jpg: 'image/jpeg',
	m4a: 'audio/mp4',
	mov: 'video/quicktime',
	mp3: 'audio/mpeg',
	mp4: 'video/mp4',
	mpeg: 'video/mpeg',
	oga: 'audio/ogg',
	ogg: 'audio/ogg',
	opus: 'audio/ogg',
	pdf: 'application/pdf',
	png: 'image/png',
	ppt: 'application/vnd.ms-powerpoint',
	pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
	svg: 'image/svg+xml',
	txt: 'text/plain',
	wav: 'audio/wav',
	webm: 'video/webm',
	webp: 'image/webp',
	xls: 'application/vnd.ms-excel',
	xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
	zip: 'application/zip',
	'3gp': 'video/3gpp',
};

/**
 * By its name, where n8n does not know it, or else by its beginning.
 *
 * @returns empty where nothing tells
 */
export async function mimeTypeOfFile(
	{ mimeType, fileName }: Partial<IBinaryData>,
	readStart: () => Promise<Uint8Array>,
): Promise<string> {
	const noted = toText(mimeType ?? '').trim();
	if (noted !== '' && !isOfAnyKind(noted)) return noted;
	return mimeTypeOfName(toText(fileName ?? '')) ?? mimeTypeOfBytes(await readStart()) ?? noted;
}

export function mimeTypeOfName(name: string): string | undefined {
	const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
	return Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
}

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
