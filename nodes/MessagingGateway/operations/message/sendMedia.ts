import { mediaBody, postMedia } from '../../../gateway/endpoints/messages';
import { required, text, trimmed } from '../../../form/field';
import { readAdditionalBodyFields } from '../../../form/fields/additionalBodyFields';
import { mediaMimeTypeOption, readMediaMimeType } from '../../../form/fields/mimeType';
import { formatIso, readSchedule } from '../../../form/fields/scheduleAt';
import { asSend, sendingOptions, uncertainty } from '../../../form/fields/sending';
import { simplifyField } from '../../../form/fields/simplify';
import { readDestination, toField } from '../../../form/fields/to';
import { asUri, webAddress } from '../../../form/fields/webAddress';
import type { Operation } from '../../operation';

const mediaTypeField = required({
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
});

const mediaUrlField = webAddress(
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
);

const captionField = text({
	displayName: 'Caption',
	name: 'caption',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. Your receipt',
	description: 'Plain text that accompanies the media, or empty',
});

/** Interface §4.3. */
export const sendMedia: Operation = {
	value: 'sendMedia',
	name: 'Send Media',
	action: 'Send media message',
	description:
		'Send an image, a video, a document or other media through the chat app to one phone number, from a public URL and with an optional caption. A real person gets it: call once per message, and not again when it may have been sent.',
	idempotent: false,
	uncertainty,
	fields: [toField, mediaTypeField, mediaUrlField, captionField, simplifyField],
	options: [...sendingOptions('"message" in the body of the request'), mediaMimeTypeOption],

	request(item) {
		const destination = readDestination(item);
		const mediaUrl = mediaUrlField.read(item);
		const mediaType = mediaTypeField.read(item);
		const schedule = readSchedule(item);
		const media = {
			to: destination.to,
			type: mediaType,
			url: asUri(mediaUrl),
			mimeType: readMediaMimeType(item, mediaUrl, mediaType),
			caption: captionField.read(item),
			schedule: schedule && formatIso(schedule),
		};
		return {
			...asSend(item, 'chatApp', destination),
			...postMedia(item),
			body: mediaBody(media, readAdditionalBodyFields(item)),
		};
	},
};
