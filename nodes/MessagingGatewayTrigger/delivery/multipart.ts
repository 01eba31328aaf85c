import type { IBinaryData, IDataObject, IWebhookFunctions, MultiPartFormData } from 'n8n-workflow';

import { entryOf } from '../../gateway/maps';
import { parseExactly } from '../../text/text';

/** A part with a content type, in a temporary file. Only newer versions of n8n delete that themselves. */
type Upload = MultiPartFormData.File & { destroy?(): void };

/** Matches the types of fields, as .NET and JSON clients send them. */
const textType = /^text\/|\b(json|xml|x-www-form-urlencoded)\b/i;

/**
 * Reads the parts of a multipart form with a content type. Text and JSON without a file name are fields.
 *
 * @returns all fields, and what stores all such parts with the execution, under the names
 * that n8n's Webhook node gives them. Fields are among them: n8n lets nodes read a temporary file only by
 * storing a copy, and deletes that only with the item that has it.
 */
export async function readParts(context: IWebhookFunctions) {
	const { helpers, nodeHelpers } = context;
	const { data, files = {} } = context.getBodyData() as unknown as {
		data: IDataObject;
		files?: Record<string, Upload | Upload[]>;
	};
	const parts = Object.entries(files).flatMap(([field, uploads]) => {
		const isList = Array.isArray(uploads);
		return [uploads].flat().map((upload, at) => ({ field, upload, number: isList ? `${at}` : '' }));
	});
	const copies = new Map<Upload, Promise<IBinaryData>>();
	const copyOf = async (upload: Upload) =>
		await entryOf(copies, upload, async () => {
			const { filepath, originalFilename, newFilename, mimetype } = upload;
			return await nodeHelpers.copyBinaryFile(filepath, originalFilename ?? newFilename, mimetype);
		});

	const fields: IDataObject = { ...data };
	for (const { field, upload } of parts) {
		const { originalFilename, mimetype = '' } = upload;
		if (originalFilename || !textType.test(mimetype)) continue;
		const { id, data: base64 } = await copyOf(upload);
		const bytes = id
			? await helpers.binaryToBuffer(await helpers.getBinaryStream(id))
			: Buffer.from(base64, 'base64');
		const [, charset] = /;\s*charset="?([^\s;"]+)/i.exec(mimetype) ?? [];
		const text = await helpers
			.binaryToString(bytes, charset as BufferEncoding)
			.catch(() => bytes.toString()); // an unknown charset
		const value = (/json/i.test(mimetype) ? parseExactly(text) : undefined) ?? text;
		fields[field] = Object.hasOwn(fields, field) ? [fields[field], [value]].flat() : value;
	}

	async function store(): Promise<{ binary?: Record<string, IBinaryData> }> {
		const binary: Record<string, IBinaryData> = {};
		for (const [at, { field, upload, number }] of parts.entries()) {
			const name = field.replace(/\[\]$/, '').trim() + number;
			const isFree = name !== number && !(name in binary); // beside `photo` twice may be a `photo1`
			binary[isFree ? name : `data${at}`] = await copyOf(upload);
			upload.destroy?.();
		}
		return parts.length > 0 ? { binary } : {};
	}
	return { fields, store };
}
