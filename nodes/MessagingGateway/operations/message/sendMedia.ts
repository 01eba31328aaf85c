import { mediaBody, postMedia } from '../../../gateway/endpoints/messages';
import type { components } from '../../../gateway/interface';
import type { OwnFields } from '../../../form/fields/additionalBodyFields';
import { required, text, trimmed } from '../../../form/field';
import {
	fromFile,
	mediaMimeType,
	mediaMimeTypeOption,
	mediaTypeOf,
} from '../../../form/fields/mimeType';
import { formatIso } from '../../../form/fields/scheduleAt';
import { everySend, sendingOptions, uncertainty } from '../../../form/fields/sending';
import { simplifyField } from '../../../form/fields/simplify';
import { toField } from '../../../form/fields/to';
import { asUri, webAddress } from '../../../form/fields/webAddress';
import { operation } from '../../operation';

const ownFields = (): OwnFields<components['schemas']['MediaMessage']> => ({
	to: "Enter the number in 'To'",
	mediatype: "Choose it in 'Media Type', where an expression can return any other kind",
	mediaurl: "Enter the address in 'Media URL'",
	mimetype: "Enter it in 'MIME Type' in the options",
	msg: "Enter the text in 'Caption'",
	scheduled_at: "Enter the time in 'Schedule At' in the options",
	status: "Every new message is 'pending'",
});

/** Interface §4.3. */
export const sendMedia = operation({
	value: 'sendMedia',
	name: 'Send Media',
	action: 'Send media message',
	description: 'Send an image, a video or a file through the chat app, from a public URL',
	idempotent: false,
	uncertainty,
	fields: {
		to: toField,
		mediaType: required({
			displayName: 'Media Type',
			name: 'mediaType',
			type: 'options',
			options: [
				{ name: 'Audio', value: 'audio' },
				{ name: 'Document', value: 'document' },
				{
					name: 'From the File',
					value: fromFile,
					description: 'Image, video, audio or document, from its address or MIME type',
				},
				{ name: 'Image', value: 'image' },
				{ name: 'Video', value: 'video' },
			],
			default: fromFile,
			description: 'Kind of media. Use an expression if your service accepts another kind.',
		}),
		mediaUrl: webAddress(
			trimmed({
				displayName: 'Media URL',
				name: 'mediaUrl',
				type: 'string',
				default: '',
				required: true,
				placeholder: 'e.g. https://example.com/photo.jpg',
				description:
					'Direct link to the file, e.g. https://example.com/photo.jpg. It must open without signing in.',
			}),
			'Enter the full address of the media, e.g. https://example.com/photo.jpg.',
		),
		caption: text({
			displayName: 'Caption',
			name: 'caption',
			type: 'string',
			typeOptions: { rows: 3 },
			default: '',
			placeholder: 'e.g. Your receipt',
			description: 'Text to send with the media',
		}),
		simplify: simplifyField,
	},
	options: {
		...sendingOptions(ownFields, '"message" in the body of the request'),
		mimeType: mediaMimeTypeOption,
	},

	request(values, item) {
		const { to } = values.to;
		const { mediaUrl, mediaType, mimeType, caption } = values;
		const type = mediaMimeType(item, mimeType, mediaUrl, mediaType);
		const media = {
			to,
			type: mediaTypeOf(mediaType, type),
			url: asUri(mediaUrl),
			mimeType: type,
			caption,
		};
		const post = postMedia(item);
		return everySend(item, values, {
			message: { channel: 'chatApp', to },
			content: { caption: caption || undefined, mediaHost: new URL(media.url).host },
			request: (time) => {
				const schedule = time && formatIso(time);
				return { ...post, body: mediaBody({ ...media, schedule }, values.additionalBodyFields) };
			},
		});
	},
});
