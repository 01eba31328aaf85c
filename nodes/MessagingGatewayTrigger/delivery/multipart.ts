import type { MultiPartFormData, IWebhookFunctions, IDataObject, IBinaryData } from 'n8n-workflow';

import { entryOf } from '../../text/collections';
import { parseExactly } from '../../text/values';

/** A part with a content type, in a temporary file. Only newer versions of n8n delete that themselves. */
type Upload = MultiPartFormData.File & { destroy?(): void };

/** Matches the types of fields, as .NET and JSON clients send them. */
const textType = /^text\/|\b(json|xml|x-www-form-urlencoded)\b/i;

/**
 * Opens a multipart form. Text and JSON without a file name are fields, and any part with a content type is a
 * file, too, under the name that n8n's Webhook node gives it: n8n lets nodes read a temporary file only by
 * storing a copy, and deletes that only with the item that has it. So nothing is copied that is not asked for.
 */
export function openForm(context: IWebhookFunctions) {
	const { helpers, nodeHelpers } = context;
	const { data, files = {} } = context.getBodyData() as unknown as {
		data: IDataObject;
		files?: Record<string, Upload | Upload[]>;
	};
	const parts = Object.entries(files).flatMap(([field, uploads]) => {
		const isList = Array.isArray(uploads);
		return [uploads].flat().map((upload, at) => ({ field, upload, number: isList ? `${at}` : '' }));
	});
	const fieldParts = parts.filter(
		({ upload: { originalFilename, mimetype = '' } }) =>
			!originalFilename && textType.test(mimetype),
	);
	const names = new Set([...Object.keys(data ?? {}), ...fieldParts.map(({ field }) => field)]);

	const copies = new Map<Upload, Promise<IBinaryData>>();
	const copyOf = async (upload: Upload) =>
		await entryOf(copies, upload, async () => {
			const { filepath, originalFilename, newFilename, mimetype } = upload;
			return await nodeHelpers.copyBinaryFile(filepath, originalFilename ?? newFilename, mimetype);
		});

	async function readText(upload: Upload): Promise<IDataObject[string]> {
		const { mimetype = '' } = upload;
		const { id, data: base64 } = await copyOf(upload);
		const bytes = id
			? await helpers.binaryToBuffer(await helpers.getBinaryStream(id))
			: Buffer.from(base64, 'base64');
		const [, charset] = /;\s*charset="?([^\s;"]+)/i.exec(mimetype) ?? [];
		const text = await helpers
			.binaryToString(bytes, charset as BufferEncoding)
			.catch(() => bytes.toString()); // an unknown charset
		// Objects and lists are parsed with those of other fields.
		const isScalar = /json/i.test(mimetype) && !/^\s*[{[]/.test(text);
		return (isScalar ? (parseExactly(text) as IDataObject[string]) : undefined) ?? text;
	}

	return {
		/** Returns all fields, those that are not wanted as empty texts. The only field is always wanted. */
		async readFields(isWanted: (field: string) => boolean): Promise<IDataObject> {
			const fields: IDataObject = { ...data };
			for (const { field, upload } of fieldParts) {
				const value = names.size === 1 || isWanted(field) ? await readText(upload) : '';
				fields[field] = Object.hasOwn(fields, field) ? [fields[field], [value]].flat() : value;
			}
			return fields;
		},

		async store(): Promise<{ binary?: Record<string, IBinaryData> }> {
			const binary: Record<string, IBinaryData> = {};
			for (const [at, { field, upload, number }] of parts.entries()) {
				const name = field.replace(/\[\]$/, '').trim() + number;
				const isFree = name !== number && !(name in binary); // beside `photo` twice may be a `photo1`
				binary[isFree ? name : `data${at}`] = await copyOf(upload);
				upload.destroy?.();
			}
			return parts.length > 0 ? { binary } : {};
		},
	};
}
