/**
 * Values that people mean, from exports, templates and bug reports. Each arrives as it was meant (`want`;
 * default: as it is), or is refused for the reason beside it (`refused`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { onceBy } from '../../../tools/shared/deduplication';
import { jsonOf, pairs, scheduleOf, to, useGateway, type ActionId } from './support';

const gateway = useGateway();

interface LegitValue {
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
interface Probe {
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
const taken = { success: true, messageId: 'message-1', status: 'pending' };
const operation = 'sendAndWait'; // a question goes alone
const photo = 'https://example.com/photo.jpg';

/** What a field does not put into the body arrives where the message does. */
const isSent = (_: IDataObject, value: unknown) => value;

const between = (window: INodeParameters, more: INodeParameters = {}): INodeParameters => {
	const windows = { values: [{ from: '00:00', to: '24:00', days: ['monday'], ...window }] };
	return { options: { sendBetween: { values: { windows, outside: 'schedule', ...more } } } };
};

const probes = {
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

const folder = path.join(__dirname, 'legit');
const values = readdirSync(folder).flatMap(
	(name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as LegitValue[],
);

const groups = new Map<string, Map<string, LegitValue[]>>();
for (const value of values) {
	const { field, group, expr, fixed, home, timezone, v } = value;
	const alone = (fixed || field === 'message' || field === 'label') && v;
	/** One run can send those that have this in common. */
	const common = JSON.stringify([field, expr, home, timezone, alone]);
	const runs = groups.get(group) ?? new Map<string, LegitValue[]>();
	groups.set(group, runs.set(common, [...(runs.get(common) ?? []), value]));
}

describe.each([...groups])('%s', (_, runs) => {
	it.each([...runs])('%s', async (_common, list) => {
		const [{ field, expr, fixed, home, timezone, v: first }] = list as [LegitValue];
		const { id, parameters, arrived }: Probe = probes[field];
		const value = fixed ? String(first) : (expr ?? '={{ $json.v }}');
		const { options, ...others } = parameters(value);
		// The document knows none of these fields, so the sandbox would refuse them.
		if (field === 'extraFields') gateway.sandbox.fault({ fault: { status: 200, body: [taken] } });
		const run = await gateway.run(id, {
			items: list.map(({ v, item }) => ({ v, ...item }) as IDataObject),
			parameters: others,
			options: options as INodeParameters,
			credential: home ? { defaultCountryCode: home } : {},
			rules: { maxConcurrency: 1 },
			timezone,
			onError: 'continueRegularOutput',
		});
		const bodies = gateway.sandbox.requests().map(({ body }) => body as IDataObject);
		// Messages to one number wait for each other, so others overtake them.
		const place = ({ message }: IDataObject) => Number((message as IDataObject).msg);
		if (field === 'to') bodies.sort((one, other) => place(one) - place(other));
		const ends = jsonOf(run).map(({ error }, at) => {
			const { v, want = v } = list[pairs(run.outputs[0])[at]!]!;
			const refused = (error as IDataObject | undefined)?.message;
			return refused ? { v, refused } : { v, want: arrived(bodies.shift()!, want) };
		});
		expect(ends).toEqual(
			list.map(({ v, want = v, refused }) => (refused ? { v, refused } : { v, want })),
		);
	});
});
