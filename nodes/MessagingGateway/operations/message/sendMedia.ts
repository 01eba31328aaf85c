import { mediaBody, postMedia } from '../../../gateway/endpoints/messages';
import { required, text, trimmed } from '../../../form/field';
import { mediaMimeType, mediaMimeTypeOption } from '../../../form/fields/mimeType';
import { formatIso } from '../../../form/fields/scheduleAt';
import { everySend, sendingOptions, uncertainty } from '../../../form/fields/sending';
import { simplifyField } from '../../../form/fields/simplify';
import { toField } from '../../../form/fields/to';
import { asUri, webAddress } from '../../../form/fields/webAddress';
import { operation } from '../../operation';

/** Interface §4.3. */
export const sendMedia = operation({
	value: 'sendMedia',
	name: 'Send Media',
	action: 'Send media message',
	description:
		'Send an image, a video, a document or other media through the chat app to one phone number, from a public URL and with an optional caption. A real person gets it: call once per message, and not again when it may have been sent.',
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
				{ name: 'Image', value: 'image' },
				{ name: 'Video', value: 'video' },
			],
			default: 'image',
			description:
				"Kind of media behind 'Media URL'. The service documents 'image'; the others are customary names. Use an expression where your service has another one.",
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
					'Full address of the file itself, e.g. https://example.com/photo.jpg; not of a web page that shows it. The service must be able to download it without signing in.',
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
			description: 'Plain text that accompanies the media, or empty',
		}),
		simplify: simplifyField,
	},
	options: {
		...sendingOptions('"message" in the body of the request'),
		mimeType: mediaMimeTypeOption,
	},

	request(values, item) {
		const { to } = values.to;
		const { mediaUrl, mediaType, mimeType, caption } = values;
		const media = {
			to,
			type: mediaType,
			url: asUri(mediaUrl),
			mimeType: mediaMimeType(item, mimeType, mediaUrl, mediaType),
			caption,
		};
		const post = postMedia(item);
		return everySend(item, values, {
			destination: values.to,
			message: { channel: 'chatApp' },
			scheduleField: 'scheduled_at',
			request: (time) => {
				const schedule = time && formatIso(time);
				return { ...post, body: mediaBody({ ...media, schedule }, values.additionalBodyFields) };
			},
		});
	},
});
