import type { DateTime } from 'luxon';
import type { IBinaryData } from 'n8n-workflow';

import { postMedia } from '../../../gateway/endpoints/messages';
import type { components } from '../../../gateway/interface';
import { howToBeReachable, isReachable, isSharingPage } from '../../../gateway/addresses';
import { choice, messageText, number, option, required, trimmed } from '../../../form/field';
import type { Item } from '../../../form/item';
import {
	fileField,
	findFile,
	fileIdentity,
	isAudioMimeType,
	isGenericMimeType,
	mimeTypeOfFile,
	mimeTypeOfName,
	mimeTypeOption,
} from '../../../form/fields/file';
import { formatInstant, formatIso } from '../../../form/fields/scheduleAt';
import { everySend, paceNotice, sendingFields, sendingOptions, uncertainty } from './sending';
import { toField } from '../../../form/fields/to';
import { asUri, webAddress } from '../../../form/fields/webAddress';
import { extraFieldsHints } from '../../hints';
import { operation } from '../../operation';

const mediaFieldNames: Array<keyof components['schemas']['MediaMessage']> = [
	'to',
	'mediatype',
	'mediaurl',
	'mimetype',
	'msg',
	'scheduled_at',
	'status',
];

const mediaSourceField = choice({
	displayName: 'Media Source',
	name: 'mediaSource',
	type: 'options',
	options: [
		{
			name: 'File',
			value: 'binary',
			description: 'A file that comes with the item. This node makes a link to it.',
		},
		{ name: 'Link', value: 'url', description: 'A public address of the file' },
	],
	default: 'url',
	hint: 'Sent through your chat app, not as MMS',
	description: 'Where the media comes from',
});

const orFileHint = "For a file of the workflow, set 'Media Source' to File.";
const linkHint = `Enter the full address of the media, e.g. https://example.com/photo.jpg. ${orFileHint}`;

const mediaUrlField = webAddress(
	trimmed(
		{
			displayName: 'Media URL',
			name: 'mediaUrl',
			type: 'string',
			required: true,
			default: '',
			displayOptions: { show: { mediaSource: ['url'] } },
			placeholder: 'e.g. https://example.com/photo.jpg',
			description:
				'Direct link to the file, e.g. https://example.com/photo.jpg. It must open without signing in.',
		},
		linkHint,
	),
	linkHint,
	`Enter an address that opens from anywhere, e.g. https://example.com/photo.jpg. ${orFileHint}`,
);

/** Stored in workflows: the kind follows from the MIME type. */
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

const linkValidForOption = option(
	number({
		displayName: 'Link Valid For (Hours)',
		name: 'linkValidFor',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 24,
		displayOptions: { show: { '/mediaSource': ['binary'] } },
		description:
			'How long the link to the file works, from the time of sending. Until then, n8n must keep the execution.',
	}),
);

/** Interface §4.3. */
export const sendMedia = operation({
	value: 'sendMedia',
	name: 'Send Media',
	action: 'Send media message',
	description: 'Send an image, a video or a file through the chat app',
	idempotent: false,
	uncertainty,
	hints: extraFieldsHints,
	fields: {
		paceNotice,
		to: toField,
		mediaSource: mediaSourceField,
		mediaUrl: mediaUrlField,
		file: fileField({ displayOptions: { show: { mediaSource: ['binary'] } } }),
		mediaType: mediaTypeField,
		caption: messageText({
			displayName: 'Caption',
			name: 'caption',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			placeholder: 'e.g. Your receipt',
			description: 'Text to send with the media',
		}),
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

	async request(values, item) {
		const { to: destination, mediaSource, mediaType: chosen, caption, extraFields: more } = values;
		const { to } = destination;
		const isLink = mediaSource === 'url';
		const source = isLink
			? linkSource(item, values.mediaUrl, values.mimeType)
			: await fileSource(item, values.file, values.linkValidFor);
		const mimeType = checkMimeType(item, values.mimeType || source.mimeType, chosen, isLink);
		const mediaType = mediaTypeOf(chosen, mimeType);
		return everySend(item, values, {
			message: { channel: 'chatApp', to: destination },
			isMadeAtTurn: !isLink,
			request: (time, now) => {
				const { url, ...link } = source.linkAt(now, time);
				const schedule = time && formatIso(time);
				const media = { to, type: mediaType, url, mimeType, caption, schedule };
				const shown = { mediaType, mimeType, caption: caption || undefined, ...link };
				return { ...postMedia(item.account, media, more), preview: () => shown };
			},
		});
	},
});

/** Reads a link that was entered. @param setType the MIME type that a person has set */
function linkSource(item: Item, url: string, setType: string) {
	const { host: linkHost, pathname } = new URL(url);
	if (setType === '' && isSharingPage(url)) {
		throw item.invalid(
			`'Media URL' opens a page for sharing, not the file itself: '${item.quote(url)}'`,
			`${getFileHint}. In a link of Dropbox, you can also write dl=1 instead of dl=0. If this is a direct link, set 'MIME Type' in the options.`,
		);
	}
	return { mimeType: mimeTypeOfName(pathname), linkAt: () => ({ url: asUri(url), linkHost }) };
}

/** Reads a file. Its link begins when the message leaves; before, its identity is the same at each try. */
async function fileSource(item: Item, fieldName: string, hours: number) {
	const { file } = await findFile(item, fieldName);
	rejectUnreachable(item, item.quote(fieldName), file);
	const own = await item.ownFile(file);
	const linkAt = (now: number | undefined, sendAt: DateTime<true> | undefined) => {
		if (now === undefined) return { url: fileIdentity(file) };
		const end = (sendAt?.toMillis() ?? now) + hours * 3_600_000;
		const url = item.signedUrl(own, Math.ceil((end - now) / 1000));
		return { url, linkHost: new URL(url).host, linkEndsAt: formatInstant(end, item.timezone) };
	};
	return { mimeType: mimeTypeOfFile(file), linkAt };
}

/** @throws NodeOperationError when n8n has no link to the file, or the service cannot open it */
function rejectUnreachable(item: Item, name: string, file: IBinaryData): void {
	const instead = "Or set 'Media Source' to Link and enter a public address.";
	if (!file.id) {
		throw item.invalid(
			`n8n has no link to the file in '${name}', because it keeps the file in memory`,
			`Set the environment variable N8N_DEFAULT_BINARY_DATA_MODE to filesystem and restart n8n. In a Code node, make the file with this.helpers.prepareBinaryData. ${instead}`,
		);
	}
	const url = new URL(item.signedUrl(file, 1));
	if (isReachable(url, item.account.origin)) return;
	throw item.invalid(
		`The service could not open the link to the file at ${url.origin}`,
		`${howToBeReachable}. ${instead}`,
	);
}

/** What to do instead of using a link for sharing. */
const getFileHint = "Get the file with its node, e.g. Google Drive, and set 'Media Source' to File";

/** @throws NodeOperationError when it is unknown, invalid, or does not match the media type */
function checkMimeType(
	item: Item,
	mimeType: string | undefined,
	mediaType: string,
	isLink: boolean,
): string {
	const setType = "set 'MIME Type' in the options, e.g. image/jpeg.";
	if (!mimeType) {
		throw item.invalid(
			isLink
				? "'Media URL' does not end in a known file extension"
				: 'The MIME type of the file is unknown',
			isLink ? `${getFileHint}. If this is a direct link, ${setType}` : `S${setType.slice(1)}`,
		);
	}
	if (!isMimeType(mimeType)) {
		throw item.invalid(
			`'MIME Type' is not a MIME type: '${item.quote(mimeType)}'`,
			'Enter a type and a subtype with a slash between them, e.g. image/jpeg.',
		);
	}
	const isOfKind = mimeTypeChecks.get(mediaType.toLowerCase());
	if (!isOfKind || isOfKind(mimeType) || isGenericMimeType(mimeType)) return mimeType;
	throw item.invalid(
		`'Media Type' is '${mediaType}', but the media is ${item.quote(mimeType)}`,
		`Choose the matching 'Media Type', or Document for any file. If the file is of another type than its ${isLink ? 'address' : 'MIME type'} says, ${setType}`,
	);
}

/** Whether a text has a type and a subtype (RFC 6838), with any parameters. */
const isMimeType = (text: string): boolean => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$)/.test(text);

/** What each kind of media may be; any other kind, e.g. documents, may be anything. */
const mimeTypeChecks = new Map<string, (mimeType: string) => boolean>([
	['audio', isAudioMimeType],
	['image', (mimeType) => /^image\//i.test(mimeType)],
	['video', (mimeType) => /^(video\/|application\/mp4\s*(;|$))/i.test(mimeType)],
]);

/** @param chosen a kind of media, or {@link kindFromFile} */
const mediaTypeOf = (chosen: string, mimeType: string): string =>
	chosen === kindFromFile
		? ([...mimeTypeChecks].find(([, isOfKind]) => isOfKind(mimeType))?.[0] ?? 'document')
		: chosen;
