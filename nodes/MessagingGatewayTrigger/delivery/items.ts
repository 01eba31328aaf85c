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
 * not a JSON object (text, a form, XML, nothing) stands under `raw`.
 */
export function toObjects({ contentType, body, rawBody }: Received): IDataObject[] {
	if (contentType === 'application/json' && body !== undefined) {
		return Array.isArray(body) && body.length > 0 ? body.map(toObject) : [toObject(body)];
	}
	if (body === undefined) return [{ raw: rawBody?.toString() ?? '' }];
	// n8n puts a form with files into `data`, beside the paths of its temporary files.
	const isForm = contentType === 'multipart/form-data' && isObject(body);
	return [{ raw: (isForm ? body.data : body) as IDataObject }];
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

function toObject(value: unknown): IDataObject {
	return isObject(value) ? value : { raw: value as IDataObject };
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isValue = (value: unknown): value is string | number =>
	(typeof value === 'string' && value !== '') || typeof value === 'number';
