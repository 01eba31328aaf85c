import type { IBinaryData } from 'n8n-workflow';

import { mimeTypeOfBytes } from '../../text/fileType';
import { toText } from '../../text/toText';
import { optionOrDefault, trimmed } from '../field';
import type { Item } from '../item';

const mimeTypeOption = (placeholder: string, description: string) =>
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

export const audioMimeTypeOption = mimeTypeOption(
	'e.g. audio/ogg',
	'MIME type of the audio, e.g. audio/ogg. Leave empty to take it from the file or the data URI.',
);

export const mediaMimeTypeOption = mimeTypeOption(
	'e.g. image/jpeg',
	"MIME type of the media, e.g. image/jpeg. Leave empty to take it from the file or the extension of 'Media URL'.",
);

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

/** Instead of a link for sharing. */
export const getTheFile =
	"Get the file with its node, e.g. Google Drive, and set 'Media Source' to File";

/** @throws NodeOperationError when it is unknown, invalid, or does not match the media type */
export function mediaMimeType(
	item: Item,
	mimeType: string | undefined,
	mediaType: string,
	isLink: boolean,
): string {
	if (!mimeType) {
		throw isLink
			? item.invalid(
					"'Media URL' does not end in a known file extension",
					`${getTheFile}, or use a direct link that ends in .jpg, .pdf or similar. If this is a direct link, set 'MIME Type' in the options, e.g. image/jpeg.`,
				)
			: item.invalid(
					'The MIME type of the file is unknown',
					"Set 'MIME Type' in the options, e.g. image/jpeg.",
				);
	}
	if (!isMimeType(mimeType)) {
		throw item.invalid(
			`'MIME Type' is not a MIME type: '${item.quote(mimeType)}'`,
			'Enter a type and a subtype with a slash between them, e.g. image/jpeg.',
		);
	}
	if (!(kinds.get(mediaType.toLowerCase()) ?? isMimeType)(mimeType) && !isOfAnyKind(mimeType)) {
		throw item.invalid(
			`'Media Type' is '${mediaType}', but the media is ${item.quote(mimeType)}`,
			`Choose the matching 'Media Type', or Document for any file. If the file is of another type than its ${isLink ? 'address' : 'MIME type'} says, set 'MIME Type' in the options.`,
		);
	}
	return mimeType;
}

/** A type and a subtype (RFC 6838), with any parameters. */
const isMimeType = (text: string): boolean => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$)/.test(text);

/** Case-insensitive (RFC 2045). */
export const isAudio = (mimeType: string): boolean =>
	/^(audio\/[^\s/]|application\/ogg\s*(;|$))/i.test(mimeType);

/** What each kind of media may be; any other kind, e.g. documents, may be anything. */
const kinds = new Map<string, (mimeType: string) => boolean>([
	['audio', isAudio],
	['image', (mimeType) => /^image\//i.test(mimeType)],
	['video', (mimeType) => /^(video\/|application\/mp4\s*(;|$))/i.test(mimeType)],
]);

/** Stored in workflows: the kind follows from the MIME type. */
export const fromFile = 'auto';

/** @param chosen a kind of media, or {@link fromFile} */
export const mediaTypeOf = (chosen: string, mimeType: string): string =>
	chosen === fromFile
		? ([...kinds].find(([, isOfKind]) => isOfKind(mimeType))?.[0] ?? 'document')
		: chosen;

/** Says nothing about the kind. */
const isOfAnyKind = (mimeType: string): boolean =>
	/^(application|binary)\/octet-stream\s*(;|$)/i.test(mimeType);

/** `https://example.com/a/photo.JPG?size=2` → `image/jpeg`. */
export const mimeTypeOfUrl = (url: string): string | undefined =>
	mimeTypeOfName(URL.canParse(url) ? new URL(url).pathname : '');

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

function mimeTypeOfName(name: string): string | undefined {
	const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
	return Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
}
