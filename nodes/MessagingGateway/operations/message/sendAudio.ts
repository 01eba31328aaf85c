import { audioBody, postAudio } from '../../../gateway/endpoints/messages';
import { choice } from '../../../form/field';
import { readAdditionalBodyFields } from '../../../form/fields/additionalBodyFields';
import { audioFields, readAudio } from '../../../form/fields/audio';
import { audioMimeTypeOption } from '../../../form/fields/mimeType';
import { formatIso, readSchedule } from '../../../form/fields/scheduleAt';
import { asSend, sendingOptions, uncertainty } from '../../../form/fields/sending';
import { simplifyField } from '../../../form/fields/simplify';
import { readDestination, toField } from '../../../form/fields/to';
import type { Operation } from '../../operation';

/** Interface §2.3. */
const modeField = choice({
	displayName: 'Chat App Mode',
	name: 'chatAppMode',
	type: 'options',
	options: [
		{ name: 'Private', value: 'private', description: 'Send through your own instance' },
		{
			name: 'Shared',
			value: 'shared',
			description: 'Send through the instance that the service shares among its customers',
		},
	],
	default: 'private',
	description: 'Which chat-app instance sends the message: your own, or the shared one',
});

/** Interface §4.4. */
export const sendAudio: Operation = {
	value: 'sendAudio',
	name: 'Send Audio',
	action: 'Send audio message',
	description:
		'Send an audio file through the chat app to one phone number, from a file of the workflow or Base64 text. For audio behind a URL, use Send Media. A real person gets it: call once per message, and not again when it may have been sent.',
	idempotent: false,
	uncertainty,
	fields: [toField, ...audioFields, modeField, simplifyField],
	options: [...sendingOptions(), audioMimeTypeOption],

	async request(item) {
		const { to, recipient } = readDestination(item);
		const schedule = readSchedule(item);
		return {
			...asSend(item, 'chatApp', { to, recipient }),
			...postAudio(item),
			...(await readAudio(item, (mimeType) => {
				const mode = modeField.read(item);
				const audio = { to, mimeType, mode, schedule: schedule && formatIso(schedule) };
				return audioBody(item.names, audio, readAdditionalBodyFields(item));
			})),
		};
	},
};
