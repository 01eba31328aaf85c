import { postAudio } from '../../../gateway/endpoints/messages';
import type { components } from '../../../gateway/interface';
import type { Item } from '../../../form/item';
import { choice, option, required } from '../../../form/field';
import {
	fileField,
	isAudio,
	mimeTypeOfFile,
	mimeTypeOption,
	readItemFile,
	startOfBase64,
} from '../../../form/fields/file';
import { formatIso } from '../../../form/fields/scheduleAt';
import {
	everySend,
	paceNotice,
	sendingFields,
	sendingOptions,
	uncertainty,
	type OwnFields,
} from './sending';
import { toField } from '../../../form/fields/to';
import { operation } from '../../operation';

type Audio = components['schemas']['AudioMessageRequest'];
/** What the account's service calls these two is in its credential. */
type NamedByService = 'chatapp_mode' | 'scheduled_at';

const ownFields = ({ account: { chatAppName, audioScheduleField } }: Item) => ({
	...({
		to: "Enter the number in 'To'",
		mimetype: "Enter it in 'MIME Type' in the options",
		audio_base64: "Choose the audio in 'Audio Source'",
	} satisfies OwnFields<Omit<Audio, NamedByService>>),
	[`${chatAppName}_mode`]: "Choose it in 'Chat App Mode' in the options",
	[audioScheduleField]: "Enter the time in 'Schedule At'",
});

const audioSourceField = choice({
	displayName: 'Audio Source',
	name: 'audioSource',
	type: 'options',
	options: [
		{
			name: 'File',
			value: 'binary',
			description: 'A file that comes with the item, e.g. from HTTP Request or Read Files',
		},
		{
			name: 'Base64 Text',
			value: 'base64',
			description: 'Audio that is already encoded as text',
		},
	],
	default: 'binary',
	hint: 'Sent through your chat app, not as MMS',
	description: 'Where the audio comes from',
});

const howToEncode =
	"Enter the audio as Base64 text without line breaks. For a file of the workflow, set 'Audio Source' to File.";

const base64Field = required(
	{
		displayName: 'Audio (Base64)',
		name: 'audioBase64',
		type: 'string',
		required: true,
		default: '',
		displayOptions: { show: { audioSource: ['base64'] } },
		placeholder: 'e.g. T2dnUwACAAAAAAAAAAB…',
		description: 'The audio file as Base64 text without line breaks, or as a data URI',
	},
	howToEncode,
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
		audioSource: audioSourceField,
		file: fileField('audioSource'),
		base64: base64Field,
		...sendingFields,
	},
	options: {
		...sendingOptions(ownFields),
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
			'MIME type of the audio, e.g. audio/ogg. Leave empty to take it from the file or the data URI.',
		),
	},

	async request(values, item) {
		const { to: destination, audioSource, chatAppMode: mode, extraFields: more } = values;
		const { to } = destination;
		const { what, audio, typeOf, howTo } =
			audioSource === 'base64'
				? readBase64(item, values.base64)
				: await readFile(item, values.file);
		const mimeType = values.mimeType || (await typeOf());
		if (!isAudio(mimeType)) {
			throw item.invalid(
				mimeType === ''
					? `The MIME type of ${what} is unknown`
					: `${what} is not audio but ${item.quote(mimeType)}`.replace(/^t/, 'T'),
				`${howTo} If this is audio, set 'MIME Type' in the options, e.g. audio/ogg.`,
			);
		}
		return everySend(item, values, {
			message: { channel: 'chatApp', to: destination },
			request: (time) => {
				const schedule = time && formatIso(time);
				const post = postAudio(item.account, { to, mimeType, mode, schedule, audio }, more);
				return { ...post, preview: () => ({ mimeType }) };
			},
		});
	},
});

function readBase64(item: Item, entered: string) {
	const { mimeType, base64 } = splitDataUri(entered);
	if (base64 === undefined || !isBase64(base64)) {
		throw item.invalid(
			base64 === '' ? "'Audio (Base64)' is empty" : "'Audio (Base64)' is not valid Base64",
			howToEncode,
		);
	}
	const typeOf = async () => await mimeTypeOfFile({ mimeType }, async () => startOfBase64(base64));
	return { what: "'Audio (Base64)'", audio: base64, typeOf, howTo: 'Enter audio as Base64 text.' };
}

async function readFile(item: Item, fieldName: string) {
	const { name, file, stored, typeOf } = await readItemFile(item, fieldName);
	return {
		what: `the file in '${name}'`,
		audio: stored ?? file.data,
		typeOf,
		howTo: "Set 'Input Data Field Name' to the field that contains the audio.",
	};
}

/** Splits `data:audio/ogg;base64,T2dn`; other text has no MIME type. Makes no copy of the text. */
function splitDataUri(text: string): { mimeType: string; base64: string | undefined } {
	if (!/^data:/i.test(text)) return { mimeType: '', base64: text };
	const comma = text.indexOf(',');
	const [mimeType, ...parameters] = text.slice('data:'.length, comma).split(';') as [
		string,
		...string[],
	];
	const isEncoded = comma !== -1 && parameters.at(-1)?.trim().toLowerCase() === 'base64';
	return { mimeType: mimeType.trim(), base64: isEncoded ? text.slice(comma + 1) : undefined };
}

/** Whether a text is complete, padded Base64. Makes no copy of it. */
export function isBase64(text: string): boolean {
	if (text === '' || text.length % 4 !== 0) return false;
	const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
	const firstOther = text.search(/[^A-Za-z0-9+/]/);
	return firstOther === -1 || firstOther === text.length - padding;
}
