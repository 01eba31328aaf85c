import { mediaBody, postMedia } from '../../../gateway/endpoints/messages';
import type { components } from '../../../gateway/interface';
import type { OwnFields } from '../../../form/fields/additionalBodyFields';
import { messageText } from '../../../form/field';
import { linkValidForOption, mediaFields, readMedia } from '../../../form/fields/media';
import { mediaMimeTypeOption } from '../../../form/fields/mimeType';
import { formatIso } from '../../../form/fields/scheduleAt';
import { everySend, paceNotice, sendingOptions, uncertainty } from '../../../form/fields/sending';
import { simplifyField } from '../../../form/fields/simplify';
import { toField } from '../../../form/fields/to';
import { operation } from '../../operation';

const ownFields = (): OwnFields<components['schemas']['MediaMessage']> => ({
	to: "Enter the number in 'To'",
	mediatype: "Choose it in 'Media Type', where an expression can return any other kind",
	mediaurl: "Enter the address in 'Media URL', or choose a file in 'Media Source'",
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
	description: 'Send an image, a video or a file through the chat app',
	idempotent: false,
	uncertainty,
	fields: {
		paceNotice,
		to: toField,
		...mediaFields,
		caption: messageText({
			displayName: 'Caption',
			name: 'caption',
			typeOptions: { rows: 3 },
			placeholder: 'e.g. Your receipt',
			description: 'Text to send with the media',
		}),
		simplify: simplifyField,
	},
	options: {
		...sendingOptions(ownFields, '"message" in the body of the request'),
		linkValidFor: linkValidForOption,
		mimeType: mediaMimeTypeOption,
	},

	async request(values, item) {
		const { to } = values.to;
		const { mimeType: entered, caption, additionalBodyFields: more } = values;
		const { link, isSigned, mimeType, type } = await readMedia(item, entered);
		const post = postMedia(item.service);
		return everySend(item, values, {
			message: { channel: 'chatApp', to },
			isMadeAtTurn: isSigned,
			request: (time, now) => {
				const { url, preview } = link(now, time);
				const schedule = time && formatIso(time);
				const body = mediaBody({ to, type, url, mimeType, caption, schedule }, more);
				return { ...post, body, preview: { caption: caption || undefined, ...preview } };
			},
		});
	},
});
