import type { StoredFile } from '../../gateway/endpoints/messages';
import { mimeTypeOfBytes } from '../../text/fileType';
import { choice, trimmed } from '../field';
import type { Item } from '../item';
import { decode, fileField, readItemFile } from './file';
import { audioMimeTypeOption, isAudio } from './mimeType';

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

const audioFileField = fileField(
	{ audioSource: ['binary'] },
	'The name of the input field that contains the audio file',
);

const howToEncode =
	"Enter the audio as Base64 text without line breaks. For a file of the workflow, set 'Audio Source' to File.";

const base64Field = trimmed(
	{
		displayName: 'Audio (Base64)',
		name: 'audioBase64',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { audioSource: ['base64'] } },
		placeholder: 'e.g. T2dnUwACAAAAAAAAAAB…',
		description: 'The audio file as Base64 text without line breaks, or as a data URI',
	},
	howToEncode,
);

export const audioFields = {
	audioSource: audioSourceField,
	file: audioFileField,
	base64: base64Field,
};

interface Audio {
	mimeType: string;
	/** Base64 text, or a file in n8n's store. */
	audio: string | StoredFile;
}

/** @throws NodeOperationError when the item has no valid audio (interface §2.3) */
export const readAudio = async (item: Item): Promise<Audio> =>
	audioSourceField.read(item) === 'base64' ? readBase64(item) : await readFile(item);

function readBase64(item: Item): Audio {
	const { mimeType, base64 } = splitDataUri(base64Field.read(item));
	if (base64 === undefined || !isBase64(base64)) {
		throw item.invalid(
			base64 === '' ? "'Audio (Base64)' is empty" : "'Audio (Base64)' is not valid Base64",
			howToEncode,
		);
	}
	const type = audioMimeTypeOption.read(item) || mimeType || mimeTypeOfBytes(decode(base64));
	if (type && !isAudio(type)) {
		throw item.invalid(
			`'Audio (Base64)' is not audio but ${item.quote(type)}`,
			"Enter audio as Base64 text. If this is audio, set 'MIME Type' in the options, e.g. audio/ogg.",
		);
	}
	if (!type) {
		throw item.invalid(
			'The MIME type of the audio is unknown',
			"Set 'MIME Type' in the options, e.g. audio/ogg.",
		);
	}
	return { mimeType: type, audio: base64 };
}

async function readFile(item: Item): Promise<Audio> {
	const { name, file, stored, mimeType: typeOfFile } = await readItemFile(item, audioFileField);
	const mimeType = audioMimeTypeOption.read(item) || (await typeOfFile());
	if (!isAudio(mimeType)) {
		throw item.invalid(
			mimeType === ''
				? `The MIME type of the file in '${name}' is unknown`
				: `The file in '${name}' is not audio but ${item.quote(mimeType)}`,
			"Set 'Input Data Field Name' to the field that contains the audio. If this file is audio, set 'MIME Type' in the options, e.g. audio/ogg.",
		);
	}
	return { mimeType, audio: stored ?? file.data };
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
