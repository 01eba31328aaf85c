import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { isObject } from '../../gateway/outcome';
import { withPlus } from '../../text/phoneNumber';
import { parseExactly, toText } from '../../text/text';
import type { Condition } from '../form';

type N8nRequest = ReturnType<IWebhookFunctions['getRequestObject']>;

/** One notification of a delivery. */
interface Notification {
	json: IDataObject;
	/** Its fields for conditions: its own, those that n8n parsed into `raw`, and those inside one of these. */
	fields: IDataObject;
}

/**
 * Returns the notifications in a delivery: each element of a JSON list, each line of text if all of them are
 * JSON, otherwise the whole. Reads JSON under any content type. Puts anything but a JSON object (text, the
 * fields of a form, XML, nothing) under `raw`, where fields that are JSON are read too.
 *
 * @param body the parsed body, of a multipart form its fields; undefined where n8n did not parse it
 */
export function toNotifications(
	{ contentType, encoding = 'utf8', rawBody }: Partial<N8nRequest>,
	body: unknown,
): Notification[] {
	const raw = rawBody?.toString(Buffer.isEncoding(encoding) ? encoding : 'utf8') ?? '';
	const isJson = contentType === 'application/json';
	// JSON is parsed again, since n8n may have rounded a number in it, such as a message ID.
	const parsed = parseJsonText(typeof body === 'string' ? body : raw);
	const json = parsed ?? (isJson ? (parseWithoutMark(raw) ?? body) : undefined);
	if (json !== undefined) {
		return (Array.isArray(json) ? json : [json])
			.map((each: unknown) => (isObject(each) ? each : { raw: each as IDataObject }))
			.map((object) => ({ json: object, fields: object }));
	}
	const read = (field: unknown): unknown =>
		Array.isArray(field) ? field.map(read) : (parseJsonText(field) ?? field);
	const form = (body ?? raw) as IDataObject;
	const entries = Object.entries(isObject(form) ? form : {});
	const fields = Object.fromEntries(entries.map(([name, field]) => [name, read(field)]));
	const object = { raw: isObject(form) ? fields : form };
	const inside = Object.values(fields).filter(isObject);
	return [{ json: object, fields: Object.assign({}, ...inside, fields, object) as IDataObject }];
}

/** Parses text that is an object or a list in JSON, or has one in each line, which are a list then. */
function parseJsonText(text: unknown): unknown {
	if (typeof text !== 'string' || !/^\s*[{[]/.test(text)) return undefined;
	const whole = parseWithoutMark(text);
	if (whole !== undefined) return whole;
	const values: unknown[] = [];
	for (const line of text.split('\n')) {
		const value = /^\s*[{[]/.test(line) ? parseWithoutMark(line) : undefined;
		if (value === undefined && line.trim() !== '') return undefined;
		values.push(value ?? []);
	}
	return values.flat();
}

const parseWithoutMark = (text: string): unknown => parseExactly(text.replace(/^\ufeff/, ''));

/** Returns known values of a delivery, found under names that the interface itself uses. */
export function recognise(delivery: IDataObject): IDataObject {
	const { messageId, message_id, campaignId, to, status, statusmessage } = delivery;
	const recognised = {
		messageId: [messageId, message_id].find(isValue),
		campaignId: [campaignId].find(isValue),
		to: [to].map(withPlus).find(isValue),
		status: [statusmessage, status].find(isValue),
	};
	return Object.fromEntries(
		Object.entries(recognised).filter(([, value]) => value !== undefined),
	) as IDataObject;
}

const isValue = (value: unknown): value is string | number =>
	(typeof value === 'string' && value !== '') || typeof value === 'number';

/**
 * Whether a delivery meets all conditions, with its own field names or those of `_gateway`. Ignores
 * conditions without a field.
 */
export function matches(delivery: IDataObject, conditions: Condition[]): boolean {
	const recognised = recognise(delivery);
	const sources = [{ ...delivery, _gateway: recognised }, recognised];
	return conditions.every(({ field, value }) => {
		const name = toText(field).trim();
		const wanted = toText(value).trim();
		const found = sources.flatMap((source) => [
			childOf(source, name), // a name may itself contain dots and brackets
			pathSegments(name).reduce<unknown>(childOf, source),
		]);
		const isWanted = (each: unknown) =>
			['string', 'number', 'boolean'].includes(typeof each) && String(each).trim() === wanted;
		return name === '' || found.some(isWanted);
	});
}

/** Splits `data.messages[0].to` into `data`, `messages`, `0` and `to`. */
const pathSegments = (path: string): string[] =>
	path
		.replace(/\[\s*(\d+)\s*\]/g, '.$1')
		.replace(/^\./, '')
		.split('.')
		.map((name) => name.trim());

function childOf(value: unknown, key: string): unknown {
	const isParent = typeof value === 'object' && value !== null;
	return isParent && Object.hasOwn(value, key) ? (value as IDataObject)[key] : undefined;
}
