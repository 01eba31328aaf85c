import type { IWebhookFunctions, IDataObject } from 'n8n-workflow';

import { messageIdNames } from '../../service/outcome';
import type { DefaultCountry } from '../../text/country';
import { parsePhoneNumber, withPlus } from '../../text/phoneNumber';
import { isObject, parseExactly, toText } from '../../text/values';
import type { Condition } from '../form';

type N8nRequest = ReturnType<IWebhookFunctions['getRequestObject']>;

interface Notification {
	json: IDataObject;
	/** Its fields for conditions: its own, and those that n8n parsed into `raw`. */
	fields: IDataObject;
}

/** The most notifications of a delivery: the items of more take gigabytes. */
export const maxNotifications = 10_000;

/**
 * Returns the notifications in a delivery: each element of a JSON list, otherwise the whole. Reads JSON under
 * any content type, and in a form that has only this one field. Puts anything but a JSON object (text, the fields
 * of another form, XML, nothing) under `raw`, where fields that are JSON are read too. Such a field may be a
 * stranger's text, so it is never taken for the delivery itself.
 *
 * @param body the parsed body, of a multipart form its fields; undefined where n8n did not parse it
 * @returns undefined if there are too many
 */
export function toNotifications(
	{ contentType = '', encoding = 'utf8', rawBody }: Partial<N8nRequest>,
	body: unknown,
): Notification[] | undefined {
	const raw = rawBody?.toString(Buffer.isEncoding(encoding) ? encoding : 'utf8') ?? '';
	// JSON is parsed again, since n8n may have rounded a number in it, such as a message ID.
	const text = typeof body === 'string' ? body : raw;
	const form = (body ?? raw) as IDataObject;
	const entries = Object.entries(isObject(form) ? form : {});
	const only = entries.length === 1 && isForm.test(contentType) ? entries[0] : undefined;
	// JSON that was sent as a whole form is the name of a field without a value.
	const inForm = only ? [only[1] || only[0]].flat() : [];
	const isJson = contentType === 'application/json';
	const json =
		parseJson(text) ?? (isJson ? (parseWithoutMark(raw) ?? body) : concat(inForm.map(parseJson)));
	if (json !== undefined) {
		const list = Array.isArray(json) ? json : [json];
		if (list.length > maxNotifications) return undefined;
		return list
			.map((each: unknown) => (isObject(each) ? each : { raw: each as IDataObject }))
			.map((object) => ({ json: object, fields: object }));
	}
	const read = (field: unknown): unknown =>
		Array.isArray(field) ? field.map(read) : (parseJson(field) ?? field);
	const fields = Object.fromEntries(entries.map(([name, field]) => [name, read(field)]));
	const object = { raw: isObject(form) ? fields : form };
	const root = entries.length === 1 && isObject(entries[0]![1]) ? entries[0]![1] : {}; // of XML
	return [{ json: object, fields: { ...root, ...fields, ...object } as IDataObject }];
}

const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded)$/;

/** Parses text that is an object or a list in JSON. */
const parseJson = (text: unknown): unknown =>
	typeof text === 'string' && /^\s*[{[]/.test(text) ? parseWithoutMark(text) : undefined;

/** Makes one list of values and lists; undefined if there is none, or one is undefined. */
const concat = (values: unknown[]): unknown[] | undefined =>
	values.length > 0 && !values.includes(undefined) ? values.flat() : undefined;

const parseWithoutMark = (text: string): unknown => parseExactly(text.replace(/^\ufeff/, ''));

/** The names under which the interface itself has what `_gateway` names. */
const interfaceNames = new Map([
	['messageId', messageIdNames],
	['campaignId', ['campaignId']],
	['to', ['to']],
	['status', ['statusmessage', 'status']],
]);

/** Returns known values of a delivery; the number of its sender, as 'To' reads it, if it can be read. */
export function recognise(delivery: IDataObject, country?: DefaultCountry): IDataObject {
	const recognised = [...interfaceNames].flatMap(([name, others]) => {
		const value = others.map((each) => delivery[each]).find(isValue);
		return value === undefined ? [] : [[name, name === 'to' ? withPlus(value) : value]];
	});
	const { from } = delivery;
	const { digits } = isValue(from) ? parsePhoneNumber(String(from), country) : {};
	return { ...Object.fromEntries(recognised), ...(digits && { from: `+${digits}` }) };
}

export const isValue = (value: unknown): value is string | number =>
	(typeof value === 'string' && value !== '') || typeof value === 'number';

/** Whether a delivery meets all conditions, with its own field names or those of `_gateway`. */
export function matches(fields: IDataObject, known: IDataObject, conditions: Condition[]): boolean {
	const sources = [{ ...fields, _gateway: known }, known];
	return conditions.every(({ field, value }) => {
		const name = toText(field).trim();
		const wanted = toText(value).trim();
		const found = sources.flatMap((source) => [
			childOf(source, name), // a name may itself contain dots and brackets
			pathSegments(name).reduce<unknown>(childOf, source),
		]);
		const isWanted = (each: unknown) =>
			['string', 'number', 'boolean'].includes(typeof each) && String(each).trim() === wanted;
		return found.some(isWanted);
	});
}

/** Whether a condition may depend on a field of a form. */
export const isNamed = (name: string, conditions: Condition[]): boolean =>
	conditions.some(({ field }) => {
		const path = toText(field).trim();
		const segments = pathSegments(path);
		return [path, ...segments, ...(interfaceNames.get(segments.at(-1)!) ?? [])].includes(name);
	});

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
