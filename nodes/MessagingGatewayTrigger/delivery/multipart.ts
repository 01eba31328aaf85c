import type { IBinaryData, IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { parseExactly } from '../../text/text';
import { charsetOf } from './shape';

/** A part with a content type: n8n has written it to a temporary file. */
interface Upload {
	filepath: string;
	newFilename: string;
	originalFilename?: string | null;
	mimetype?: string;
	/** In bytes. */
	size: number;
	/** Deletes the temporary file, which only newer versions of n8n do themselves. */
	destroy?(): void;
}

/** The body that n8n makes of a multipart form. */
interface MultipartBody {
	data: IDataObject;
	files: Record<string, Upload | Upload[]>;
}

/** Matches the types of fields, as .NET and JSON clients send them. */
const textType = /^text\/|\b(json|xml|x-www-form-urlencoded)\b/i;

/** The most bytes of fields with a type, as n8n takes of other bodies by default. */
const maxFieldBytes = 16 * 1024 * 1024;

/**
 * Reads the parts of a multipart form with a content type. Text and JSON without a file name are fields.
 *
 * @returns the body with these fields, and what stores all such parts with the execution, under the names
 * that n8n's Webhook node gives them. Fields are among them: n8n lets nodes read a temporary file only by
 * storing a copy, and deletes that only with the item that has it.
 */
export async function readParts(context: IWebhookFunctions) {
	const { helpers, nodeHelpers } = context;
	const { data, files = {} } = context.getBodyData() as unknown as MultipartBody;
	const copies = new Map<Upload, IBinaryData>();
	async function copyOf(upload: Upload): Promise<IBinaryData> {
		const { filepath, originalFilename, newFilename, mimetype } = upload;
		const known = copies.get(upload);
		if (known) return known;
		const name = originalFilename ?? newFilename;
		const copy = await nodeHelpers.copyBinaryFile(filepath, name, mimetype);
		upload.destroy?.();
		copies.set(upload, copy);
		return copy;
	}

	const fields: IDataObject = { ...data };
	let room = maxFieldBytes;
	for (const [field, uploads] of Object.entries(files)) {
		const values = [fields[field] ?? []].flat();
		for (const upload of [uploads].flat()) {
			const { originalFilename, mimetype = '', size } = upload;
			if (originalFilename || !textType.test(mimetype) || (room -= size) < 0) continue;
			const { id, data: base64 } = await copyOf(upload);
			const content = id ? await helpers.getBinaryStream(id) : Buffer.from(base64, 'base64');
			const bytes = await helpers.binaryToBuffer(content);
			const text = await helpers
				.binaryToString(bytes, charsetOf(mimetype) as BufferEncoding)
				.catch(() => bytes.toString()); // an unknown charset
			values.push((/json/i.test(mimetype) ? parseExactly(text) : undefined) ?? text);
		}
		if (values.length > 0) fields[field] = values.length > 1 ? values : values[0];
	}

	async function store(): Promise<{ binary?: Record<string, IBinaryData> }> {
		const binary: Record<string, IBinaryData> = {};
		let count = 0;
		for (const [field, uploads] of Object.entries(files)) {
			const name = field.replace(/\[\]$/, '');
			for (const [index, upload] of [uploads].flat().entries()) {
				const numbered = Array.isArray(uploads) ? `${name}${index}` : name;
				binary[name.trim() === '' ? `data${count}` : numbered] = await copyOf(upload);
				count++;
			}
		}
		return count > 0 ? { binary } : {};
	}
	return { body: { data: fields }, store };
}
