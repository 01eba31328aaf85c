import { audioBody, postAudio, withAudio } from '../../../gateway/endpoints/messages';
import type { components } from '../../../gateway/interface';
import type { OwnFields } from '../../../form/fields/additionalBodyFields';
import type { Item } from '../../../form/item';
import { choice, option } from '../../../form/field';
import { audioFields, readAudio } from '../../../form/fields/audio';
import { audioMimeTypeOption } from '../../../form/fields/mimeType';
import { formatIso } from '../../../form/fields/scheduleAt';
import { everySend, paceNotice, sendingOptions, uncertainty } from '../../../form/fields/sending';
import { simplifyField } from '../../../form/fields/simplify';
import { toField } from '../../../form/fields/to';
import { operation } from '../../operation';

type Audio = components['schemas']['AudioMessageRequest'];
/** What the account's service calls these two is in its credential. */
type NamedByService = 'chatapp_mode' | 'scheduled_at';

const ownFields = ({ names: { chatAppName, audioScheduleField } }: Item) => ({
	...({
		to: "Enter the number in 'To'",
		mimetype: "Enter it in 'MIME Type' in the options",
		audio_base64: "Choose the audio in 'Audio Source'",
	} satisfies OwnFields<Omit<Audio, NamedByService>>),
	[`${chatAppName}_mode`]: "Choose it in 'Chat App Mode' in the options",
	[audioScheduleField]: "Enter the time in 'Schedule At' in the options",
});

const chatAppModeOption = option(
	choice({
		displayName: 'Chat App Mode',
		name: 'chatAppMode',
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
	}),
);

/** Interface §4.4. */
export const sendAudio = operation({
	value: 'sendAudio',
	name: 'Send Audio',
	action: 'Send audio message',
	description: 'Send a voice message or audio file through the chat app',
	idempotent: false,
	uncertainty,
	fields: {
		paceNotice,
		to: toField,
		...audioFields,
		simplify: simplifyField,
	},
	options: {
		...sendingOptions(ownFields),
		chatAppMode: chatAppModeOption,
		mimeType: audioMimeTypeOption,
	},

	async request(values, item) {
		const { to } = values.to;
		const { chatAppMode: mode, additionalBodyFields: more } = values;
		const post = postAudio(item.service, mode);
		const { mimeType, audio } = await readAudio(item);
		return everySend(item, values, {
			message: { channel: 'chatApp', to },
			request: (time) => {
				const schedule = time && formatIso(time);
				const fields = audioBody(item.names, { to, mimeType, mode, schedule }, more);
				return { ...post, ...withAudio(fields, audio) };
			},
		});
	},
});
