/** Values that people mean, and how each is sent and found again. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { onceBy } from '../../../../tools/shared/deduplication';
import { scheduleOf, to, type ActionId } from '../support';

export interface LegitValue {
	field: keyof typeof probes;
	group: string;
	v: unknown;
	/** An expression instead of `{{ $json.v }}`, with what the item has besides. */
	expr?: string;
	item?: IDataObject;
	/** Entered in the form, without an expression. */
	fixed?: true;
	/** The credential's default country. */
	home?: string;
	/** The workflow's time zone. */
	timezone?: string;
	want?: unknown;
	refused?: string;
}

/** How a value is sent, and found again in the body of the request. */
export interface Probe {
	id: ActionId;
	parameters(value: string): INodeParameters;
	arrived(body: IDataObject, value: unknown): unknown;
}

const sms = (parameters: Probe['parameters'], arrived: Probe['arrived']): Probe => ({
	id: 'sendSms',
	parameters: (value) => ({ to, ...parameters(value) }),
	arrived,
});
const media = (parameters: Probe['parameters'], field: string): Probe => ({
	id: 'sendMedia',
	parameters: (value) => ({ to, mediaUrl: photo, ...parameters(value) }),
	arrived: ({ message }) => (message as IDataObject)[field],
});
const operation = 'sendAndWait'; // a question goes alone
const photo = 'https://example.com/photo.jpg';

/** What a field does not put into the body arrives where the message does. */
const isSent = (_: IDataObject, value: unknown) => value;

const between = (window: INodeParameters, more: INodeParameters = {}): INodeParameters => {
	const windows = { values: [{ from: '00:00', to: '24:00', days: ['monday'], ...window }] };
	return { options: { sendBetween: { values: { windows, outside: 'schedule', ...more } } } };
};

export const probes = {
	text: sms(
		(text) => ({ text }),
		({ msg }) => msg,
	),
	plain: sms(
		(text) => ({ text, options: { characters: 'plain' } }),
		({ msg }) => msg,
	),
	key: sms((key) => ({ options: onceBy(key) }), isSent),
	smsType: sms(
		(smsType) => ({ options: { smsType } }),
		({ tiposms }) => tiposms,
	),
	scheduleAt: sms(
		(scheduleAt) => ({ scheduleAt }),
		(body) => scheduleOf({ body }),
	),
	from: sms((from) => between({ from }), isSent),
	days: sms((days) => between({ days }), isSent),
	timezone: sms((timezone) => between({}, { timezone }), isSent),
	extraFields: sms(
		(extraFields) => ({ options: { extraFields } }),
		({ to: number, msg, tiposms, ...more }) => number && msg && tiposms && JSON.stringify(more),
	),
	to: media((number) => ({ to: number, caption: '={{ $itemIndex }}' }), 'to'),
	mediaUrl: media((mediaUrl) => ({ mediaUrl }), 'mediaurl'),
	mimeType: media((mimeType) => ({ options: { mimeType } }), 'mimetype'),
	mediaType: media(
		(mediaType) => ({ mediaType, options: { mimeType: 'image/jpeg' } }),
		'mediatype',
	),
	message: sms(
		(message) => ({ operation, message }),
		({ msg }) => String(msg).split('\n').slice(0, -1).join('\n'),
	),
	label: sms((approveLabel) => {
		const approvalOptions = { values: { approveLabel } };
		return { operation, message: 'Yes?', approvalOptions };
	}, isSent),
} satisfies Record<string, Probe>;

export const legitValues = readdirSync(__dirname)
	.filter((name) => name.endsWith('.json'))
	.flatMap((name) => JSON.parse(readFileSync(path.join(__dirname, name), 'utf8')) as LegitValue[]);
