import type { IDataObject } from 'n8n-workflow';

/** What n8n made of the body of a delivery. */
export interface Received {
	/** MIME type, without its parameters. */
	contentType: string;
	/** Undefined where n8n did not parse it. */
	body: unknown;
	rawBody?: Buffer;
}

/**
 * One object per notification in a delivery: each element of a JSON list, else the whole. What is
 * not a JSON object (text, a form, XML, nothing) stands under `raw`; of the files in a form `files`
 * tells, without their contents.
 */
export function toObjects({ contentType, body, rawBody }: Received): IDataObject[] {
	if (contentType === 'application/json' && body !== undefined) {
		return Array.isArray(body) && body.length > 0 ? body.map(toObject) : [toObject(body)];
	}
	if (body === undefined) return [{ raw: rawBody?.toString() ?? '' }];
	if (contentType !== 'multipart/form-data' || !isObject(body)) {
		return [{ raw: body as IDataObject }];
	}
	const files = toFiles(body.files);
	return [{ raw: body.data, ...(files.length > 0 && { files }) }];
}

/** Where the fields of a delivery are looked for: in itself, and in what n8n parsed into `raw`. */
export function fieldsOf(delivery: IDataObject, contentType: string): IDataObject {
	const isParsed = contentType !== 'application/json' && isObject(delivery.raw);
	return isParsed ? { ...(delivery.raw as IDataObject), ...delivery } : delivery;
}

/** What could be recognised of a delivery, from names that the interface itself uses. */
export function recognise(delivery: IDataObject): IDataObject {
	const { messageId, message_id, campaignId, to, status, statusmessage } = delivery;
	const recognised = {
		messageId: [messageId, message_id].find(isValue),
		campaignId: [campaignId].find(isValue),
		to: [to].find(isValue),
		status: [statusmessage, status].find(isValue),
	};
	return Object.fromEntries(
		Object.entries(recognised).filter(([, value]) => value !== undefined),
	) as IDataObject;
}

/** n8n has stored the files, and removes them when the delivery has been answered. */
function toFiles(files: unknown): IDataObject[] {
	return Object.entries(isObject(files) ? files : {}).flatMap(([field, stored]) =>
		([stored].flat() as IDataObject[]).map(({ originalFilename, mimetype, size }) => ({
			field,
			name: originalFilename,
			type: mimetype,
			size,
		})),
	);
}

function toObject(value: unknown): IDataObject {
	return isObject(value) ? value : { raw: value as IDataObject };
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isValue = (value: unknown): value is string | number =>
	(typeof value === 'string' && value !== '') || typeof value === 'number';
