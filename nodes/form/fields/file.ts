import type { INodeProperties, IBinaryData } from 'n8n-workflow';

import { mimeTypes } from '../../text/bundled';
import { entryOf } from '../../text/collections';
import { toText } from '../../text/values';
import { refine, type PlainField } from '../field';
import type { Item } from '../item';
import { option } from '../option';
import { required, trimmed } from '../textField';

/** Makes the field that names the file of an item. @param more where the form shows it, and a hint */
export const fileField = (more: Partial<INodeProperties>): PlainField<string> =>
	required(
		{
			displayName: 'Input Data Field Name',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			placeholder: 'e.g. data',
			hint: 'The name of the input field that contains the file',
			...more,
		},
		'Enter the name of the field that contains the file, e.g. data, without an expression.',
	);

/**
 * Finds the file of an item, with its MIME type (empty if unknown), its size in bytes, and what identifies
 * it at each try: n8n may move a stored file to another folder.
 *
 * @throws NodeOperationError when the item has no such file, n8n has lost it, or it is empty
 */
export async function findFile(item: Item, fieldName: string) {
	const { assertBinaryData, getBinaryMetadata } = item.context.helpers;
	let file: IBinaryData;
	try {
		file = assertBinaryData(item.index, fieldName);
	} catch {
		throw item.invalid(
			`This item has no file in '${item.quote(fieldName)}'`,
			"Set 'Input Data Field Name' to the field that contains the file: the input panel shows it. If there is none, add a node in front that outputs a file.",
		);
	}
	const stored = file.id ? await getBinaryMetadata(file.id).catch(() => undefined) : undefined;
	const size = file.id ? (stored?.fileSize ?? 0) : Buffer.byteLength(file.data, 'base64');
	const identity = file.id?.split('/').at(-1) ?? file.data;
	if (size > 0) return { file, mimeType: mimeTypeOfFile(file), size, identity };
	throw item.invalid(
		`The file in '${item.quote(fieldName)}' is empty, or n8n does not have it any more`,
		"Check the node that outputs the file and run it again, or set 'Input Data Field Name' to another file.",
	);
}

/**
 * Returns a stored file that n8n keeps as long as this execution. Files of other executions may go
 * before, and what the trigger has taken in moves when the execution waits or ends: of these, it
 * returns a copy, one for a run.
 */
export async function ownFile(item: Item, file: IBinaryData): Promise<IBinaryData> {
	const { id = '', fileName, mimeType } = file;
	const { context, entered } = item;
	if (id.includes(`/executions/${context.getExecutionId()}/`)) return file;
	const { getBinaryStream, prepareBinaryData } = context.helpers;
	const copy = async () => await prepareBinaryData(await getBinaryStream(id), fileName, mimeType);
	return await entryOf(entered.copies, id, copy);
}

/** Makes the option for a MIME type, which wins over what the file, its address or its kind says. */
export const mimeTypeOption = (placeholder: string, description: string) => {
	const property = { displayName: 'MIME Type', name: 'mimeType', placeholder, description };
	return option(
		refine(trimmed({ ...property, type: 'string', default: '' }), (entered, owner) => {
			if (entered === '' || isMimeType(entered)) return entered;
			throw owner.invalid(
				`'MIME Type' is not a MIME type: '${owner.quote(entered)}'`,
				`Enter a type and a subtype with a slash between them, ${placeholder}.`,
			);
		}),
	);
};

/** Whether a text has a type and a subtype (RFC 6838), with any parameters. */
export const isMimeType = (text: string): boolean =>
	/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;|$)/.test(text);

export const isAudioMimeType = (mimeType: string): boolean =>
	/^(audio\/[^\s/]|application\/ogg\s*(;|$))/i.test(mimeType);

/** Returns whether a MIME type says nothing about the kind of file. */
export const isGenericMimeType = (mimeType: string): boolean =>
	/^(application|binary)\/octet-stream\s*(;|$)/i.test(mimeType);

/** Chat apps want other types of a few. `/logos/example.com` may be any file, and pages are none. */
const mimeTypesByExtension = new Map<string, string | undefined>(
	Object.entries({
		...mimeTypes,
		...{ jfif: 'image/jpeg', m4v: 'video/mp4', mpp: 'application/vnd.ms-project' },
		...{ com: undefined, in: undefined, me: undefined, php: undefined, shtml: undefined },
		...{ htm: undefined, html: undefined, xht: undefined, xhtml: undefined },
	}),
);

/** Returns the MIME type of a file: its own, unless that says nothing, or else by its name; empty if unknown. */
function mimeTypeOfFile({ mimeType, fileName }: Partial<IBinaryData>): string {
	const own = toText(mimeType ?? '').trim();
	if (isMimeType(own) && !isGenericMimeType(own)) return own;
	return mimeTypeOfName(toText(fileName ?? '')) ?? own;
}

/** Returns the MIME type by the extension of a name or a path; undefined if that is unknown. */
export const mimeTypeOfName = (name: string): string | undefined =>
	mimeTypesByExtension.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '');
