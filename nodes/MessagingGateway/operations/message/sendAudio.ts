import { fileField, mimeTypeOption, findFile, isAudioMimeType } from '../../../form/fields/file';
import { formatIso } from '../../../form/fields/scheduleAt';
import { toField } from '../../../form/fields/to';
import { option } from '../../../form/option';
import { choice } from '../../../form/textField';
import { send, paceNotice, sendingFields, sendingOptions } from '../../../send/sending';
import { postAudio } from '../../../service/endpoints/messages';
import type { components } from '../../../service/interface';

const fixedFieldNames: Array<keyof components['schemas']['AudioMessageRequest']> = [
	'to',
	'mimetype',
	'audio_base64',
];

/** Interface §4.4. */
export const sendAudio = send({
	value: 'sendAudio',
	name: 'Send Audio',
	action: 'Send audio message',
	description: 'Send a voice message or audio file through the chat app',
	fields: {
		paceNotice,
		to: toField,
		file: fileField({ description: "For Base64 text, put n8n's Convert to File in front" }),
		...sendingFields,
	},
	options: {
		...sendingOptions(({ account }) => [...fixedFieldNames, `${account.chatAppName}_mode`]),
		chatAppMode: option(
			choice({
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
			}),
		),
		mimeType: mimeTypeOption(
			'e.g. audio/ogg',
			'MIME type of the audio, e.g. audio/ogg. Leave empty to take it from the file.',
		),
	},

	async sending(values, item) {
		const { to, file: fieldName, chatAppMode: mode, extraFields: more } = values;
		const file = await findFile(item, fieldName);
		const { size, identity } = file;
		const { getBinaryDataBuffer } = item.context.helpers;
		const read = async () => await getBinaryDataBuffer(item.index, fieldName);
		const mimeType = values.mimeType || file.mimeType;
		if (values.mimeType === '' && !isAudioMimeType(mimeType)) {
			throw item.invalid(
				`The file in '${item.quote(fieldName)}' is not audio but ${item.quote(mimeType) || 'of an unknown type'}`,
				"Set 'Input Data Field Name' to the field that contains the audio. If this is audio, set 'MIME Type' in the options, e.g. audio/ogg.",
			);
		}
		return {
			...{ channel: 'chatApp', to, contents: [identity, mimeType, mode, more] },
			timeName: item.account.audioScheduleField,
			request(time) {
				const schedule = time && formatIso(time);
				const audio = { to: to.to, mimeType, mode, schedule, size, read };
				return postAudio(item.account, audio, more);
			},
			preview: () => ({ mimeType }),
		};
	},
});
