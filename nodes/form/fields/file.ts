import type { StoredFile } from '../../gateway/endpoints/messages';
import { text, type PlainField } from '../field';
import type { Item } from '../item';
import { mimeTypeOfFile } from './mimeType';

/** Names the file of an item. */
export const fileField = (show: Record<string, string[]>, hint: string): PlainField<string> =>
	text(
		{
			displayName: 'Input Data Field Name',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			displayOptions: { show },
			placeholder: 'e.g. data',
			hint,
		},
		'Enter the name of the field that contains the file, e.g. data, without an expression.',
	);

/**
 * The file, the name of its field as errors may show it, `stored` unless n8n keeps it in the item, and
 * its MIME type, empty if unknown.
 *
 * @throws NodeOperationError when the item has no such file, or an empty one
 */
export async function readItemFile(item: Item, field: PlainField<string>) {
	const fieldName = field.read(item);
	const file = item.file(fieldName);
	const name = item.quote(fieldName);
	const stored = file.id ? await item.storedFile(file.id) : undefined;
	const readStart = async () => (stored ? await startOf(stored) : startOfBase64(file.data));
	const typeOf = async () => await mimeTypeOfFile(file, readStart);
	if (stored ? stored.size > 0 : file.data) return { name, file, stored, typeOf };
	throw item.invalid(
		`The file in '${name}' is empty`,
		"Check the node that outputs the file, or set 'Input Data Field Name' to another file.",
	);
}

/** Its first bytes. */
export const startOfBase64 = (text: string): Buffer => Buffer.from(text.slice(0, 64), 'base64');

async function startOf(file: StoredFile): Promise<Uint8Array> {
	for await (const chunk of (await file.open()) as unknown as AsyncIterable<Uint8Array>) {
		return chunk; // leaving the loop closes the file
	}
	return Buffer.alloc(0);
}
