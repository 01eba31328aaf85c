import {
	mimeTypeOption,
	isMimeType,
	isGenericMimeType,
	isAudioMimeType,
} from '../../../form/fields/file';
import { formatIso } from '../../../form/fields/scheduleAt';
import { toField } from '../../../form/fields/to';
import type { Item } from '../../../form/item';
import { required, messageText } from '../../../form/textField';
import { send, paceNotice, sendingFields, sendingOptions } from '../../../send/sending';
import { postMedia, type MediaMessage } from '../../../service/endpoints/messages';
import {
	mediaSourceFields,
	linkValidForOption,
	readLinkSource,
	readFileSource,
	getFileHint,
} from './mediaSource';

const mediaTimeName = 'scheduled_at';
const mediaFieldNames: Array<keyof MediaMessage> = [
	...(['to', 'mediatype', 'mediaurl', 'mimetype', 'msg', 'status'] as const),
];

/** The value, stored in workflows, for which the kind of media follows from the MIME type. */
const kindFromFile = 'auto';

const mediaTypeField = required({
	displayName: 'Media Type',
	name: 'mediaType',
	type: 'options',
	options: [
		{ name: 'Audio', value: 'audio', description: 'Sound, e.g. .ogg or .mp3' },
		{ name: 'Document', value: 'document', description: 'A file to download, e.g. .pdf' },
		{
			name: 'From the File',
			value: kindFromFile,
			description: 'Image, video, audio or document, from its name or MIME type',
		},
		{ name: 'Image', value: 'image', description: 'A picture, e.g. .jpg or .png' },
		{ name: 'Video', value: 'video', description: 'A film, e.g. .mp4' },
	],
	default: kindFromFile,
	description: 'Kind of media. Use an expression if your service accepts another kind.',
});

const captionField = messageText({
	displayName: 'Caption',
	name: 'caption',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. Your receipt',
	description: 'Text to send with the media',
});

/** Interface §4.3. */
export const sendMedia = send({
	value: 'sendMedia',
	name: 'Send Media',
	action: 'Send media message',
	description: 'Send an image, a video or a file through the chat app',
	fields: {
		paceNotice,
		to: toField,
		...mediaSourceFields,
		mediaType: mediaTypeField,
		caption: captionField,
		...sendingFields,
	},
	options: {
		...sendingOptions(() => mediaFieldNames, '"message" in the body of the request'),
		linkValidFor: linkValidForOption,
		mimeType: mimeTypeOption(
			'e.g. image/jpeg',
			"MIME type of the media, e.g. image/jpeg. Leave empty to take it from the file or the extension of 'Media URL'.",
		),
	},

	textField: captionField,

	async sending(values, item) {
		const { to, mediaSource, mediaType: chosen, caption, extraFields: more } = values;
		const isLink = mediaSource === 'url';
		const source = isLink
			? readLinkSource(item, values.mediaUrl, values.mimeType)
			: await readFileSource(item, values.file, values.linkValidFor);
		const mimeType = values.mimeType || checkMimeType(item, source.mimeType, chosen, isLink);
		const mediaType = mediaTypeOf(chosen, mimeType);
		return {
			...{ channel: 'chatApp', to, timeName: mediaTimeName, expires: source.expires },
			contents: [source.identity, mediaType, mimeType, caption, more],
			request(time, now) {
				const { url: mediaurl } = source.linkAt(time, now);
				const message: MediaMessage = {
					...{ to: to.to, mediatype: mediaType, mediaurl, mimetype: mimeType, msg: caption },
					...{ scheduled_at: time ? formatIso(time) : '', status: 'pending' },
				};
				return postMedia(item.account, message, more);
			},
			preview: (time, now) => ({
				...{ mediaType, mimeType, caption: caption || undefined },
				...source.linkAt(time, now).shown,
			}),
		};
	},
});

/** Returns the MIME type of a source. @throws NodeOperationError when it is unknown, or of another kind of media */
function checkMimeType(
	item: Item,
	mimeType: string | undefined,
	mediaType: string,
	isLink: boolean,
): string {
	const setType = "set 'MIME Type' in the options, e.g. image/jpeg.";
	if (!mimeType || !isMimeType(mimeType)) {
		throw item.invalid(
			isLink
				? "'Media URL' does not end in a known file extension"
				: 'The MIME type of the file is unknown',
			isLink ? `${getFileHint}. If this is a direct link, ${setType}` : `S${setType.slice(1)}`,
		);
	}
	const isOfKind = mimeTypeChecks.get(mediaType.toLowerCase());
	if (!isOfKind || isOfKind(mimeType) || isGenericMimeType(mimeType)) return mimeType;
	throw item.invalid(
		`'Media Type' is '${mediaType}', but the media is ${item.quote(mimeType)}`,
		`Choose the matching 'Media Type', or Document for any file. If the file is of another type than its ${isLink ? 'address' : 'MIME type'} says, ${setType}`,
	);
}

/** The checks of each kind of media; any other kind, e.g. documents, may be anything. */
const mimeTypeChecks = new Map<string, (mimeType: string) => boolean>([
	['audio', isAudioMimeType],
	// Chat apps show pictures of programs and scanners as documents only.
	['image', (mimeType) => /^image\/(?!vnd\.|x-|tiff)/i.test(mimeType)],
	['video', (mimeType) => /^(video\/|application\/mp4\s*(;|$))/i.test(mimeType)],
]);

/** Returns the kind of media. @param chosen a kind, or {@link kindFromFile} */
const mediaTypeOf = (chosen: string, mimeType: string): string =>
	chosen === kindFromFile
		? ([...mimeTypeChecks].find(([, isOfKind]) => isOfKind(mimeType))?.[0] ?? 'document')
		: chosen;
