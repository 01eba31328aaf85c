/**
 * Mistakes of newcomers, one of each kind. Each error names the field and what is wrong with it, then says
 * what to do, and doing so works. unit/operations/refusals has the texts of all fields.
 */
import type { IDataObject } from 'n8n-workflow';

import { SEEDS } from '../../tools/sandbox';
import { to, useGateway, type ActionId, type ActionOptions } from './action/support';
import { startPolling, storeBinary, type NodeRun } from './harness';

const gateway = useGateway();

/**
 * What differs from a message that can be sent: wrong and right, or a value for both. The error names the
 * field, unless something else is `said`.
 *
 * A field has its own name, or before a dot what it is in: `options` or `credential`. Besides, there is what
 * comes in: `item`, with a `file`.
 */
interface Mistake {
	[where: string]: unknown;
	said?: string;
}

/** @param entered with the `item` and the field of its `file`, if it is another one or has one */
async function run(id: ActionId, entered: Record<string, unknown>): Promise<NodeRun> {
	const { item = { to }, file, ...values } = entered as { item?: IDataObject; file?: string };
	const groups: Record<string, IDataObject> = { credential: { defaultCountryCode: '55' } };
	for (const [where, value] of Object.entries(values)) {
		const [name, group = 'parameters'] = where.split('.').reverse() as [string, string?];
		if (value !== undefined) groups[group] = { ...groups[group], [name]: value as IDataObject };
	}
	const audio = { mimeType: 'audio/ogg', storage: 'filesystem' } as const;
	const stored = file && { [file]: await storeBinary(Buffer.from('OggS'), audio) };
	return await gateway.run(id, {
		...(groups as ActionOptions),
		items: 'file' in entered ? [{ json: item, binary: stored }] : [item],
		onError: 'continueRegularOutput',
	});
}

/** What n8n shows: the message, and the hint below it. */
function errorOf({ outputs, error }: NodeRun): string | undefined {
	if (error) return `${error.message} | ${error.description}`;
	const said = outputs[0]?.[0]?.json.error as IDataObject | undefined;
	return said && `${said.message as string} | ${said.hint as string}`;
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const { sms, chatApp } = SEEDS.campaigns;

const mistakes: Partial<Record<ActionId, Record<string, Mistake>>> = {
	sendSms: {
		'To: an expression that gives nothing': {
			item: { phone: to },
			to: [undefined, '={{ $json.phone }}'],
			said: "The expression in 'To' returned nothing for this item | Drag the right field from the input panel into 'To'.",
		},
		'To: put together, without its country code': {
			to: '=+{{ $json.code }}{{ $json.phone }}',
			item: [
				{ code: '', phone: '51998765432' }, // with the +, a number of Peru
				{ code: '55', phone: '51998765432' },
			],
			said: "A part of 'To' has no value for this item: '{{ $json.code }}'",
		},
		'To: several numbers in a text': {
			item: { numbers: '11 91234-5678 / 21 99876-5432' },
			to: ['={{ $json.numbers }}', '={{ $json.numbers.split(/[,;|/\\n]/)[1] }}'],
			said: 'split the text in an Edit Fields node with {{ $json.numbers.split(/[,;|/\\n]/) }}, then add a Split Out node.',
		},
		'Key: an expression that gives nothing': {
			item: { orderId: 4711, to },
			'options.deduplication': ['={{ $json.order_id }}', '={{ $json.orderId }}'].map((key) => ({
				values: { key },
			})),
			said: "The expression in 'Key' returned nothing for this item | Drag the right field from the input panel into 'Key'.",
		},
		'Text: an expression in a fixed field': {
			text: ['Hello {{ $json.name }}', '=Hello {{ $json.name }}'],
			said: "'Text' contains '{{ $json.name }}': an expression did not work | Switch 'Text' from Fixed to Expression, and write it in {{ }}.",
		},
		'Extra Fields (JSON): an expression in a fixed field': {
			item: { to, body: {} },
			'options.extraFields': ['{ "note": "{{$json.name}}" }', '={{ $json.body }}'],
			said: "Switch 'Extra Fields (JSON)' from Fixed to Expression, and write it in {{ }}.",
		},
		'Extra Fields (JSON): what the service refuses': {
			'options.extraFields': ['{ "from": "ACME" }', '{}'],
			said: 'in the options',
		},
		'Schedule At: a date as people write it': {
			scheduleAt: [
				'31/12/2030 09:30',
				"={{ DateTime.fromFormat('31/12/2030 09:30', 'dd/MM/yyyy HH:mm').toISO() }}",
			],
		},
		'Schedule At: a day of the data': {
			item: { to, date: '2030-12-31' },
			scheduleAt: ['={{ $json.date }}', "={{ $json.date.toDateTime().toISODate() + 'T00:00' }}"],
			said: "Midnight is {{ $json.date.toDateTime().toISODate() + 'T00:00' }}.",
		},
		'API Key: the token': { 'credential.apiKey': [SEEDS.instanceToken, SEEDS.apiKey] },
	},
	sendMedia: {
		'Instance Token: no chat app': {
			'credential.instanceToken': ['', SEEDS.instanceToken],
			said: "Without a chat app, only SMS works: 'Message: Send SMS' sends a text, or a link to a file.",
		},
		'Media URL: a file': {
			file: 'data',
			mediaUrl: '={{ $binary.data }}',
			mediaSource: [undefined, 'binary'],
		},
	},
	sendAudio: {
		'Input Data Field Name: an expression that gives nothing': {
			file: 'data',
			binaryPropertyName: ['={{ $json.data }}', 'data'],
			said: 'returned nothing for this item | Enter the name of the field that contains the file, e.g. data, without an expression.',
		},
		'Input Data Field Name: no file': {
			file: [undefined, 'data'],
			said: "This item has no file in 'data'",
		},
		'Audio Schedule Field: wrong': {
			file: 'data',
			'credential.audioScheduleField': ['at', undefined],
			scheduleAt: '2030-12-31T09:30:00',
			said: 'in the options, or in the Messaging Gateway credential',
		},
	},
	deleteCampaign: {
		'Campaign: Delete: one of SMS': {
			campaignId: [sms.finished, chatApp.finished],
			said: 'only chat-app campaigns can be deleted.',
		},
	},
	revokeApiKey: {
		'API Key: Revoke: a name': {
			keyId: [byId('CRM'), byId('key-crm')],
			said: "path.key_id: unknown key\" | Check 'API Key': choose it from the list",
		},
	},
};

const rows = Object.entries(mistakes).flatMap(([id, of]) =>
	Object.entries(of).map(([what, mistake]) => ({ id: id as ActionId, what, ...mistake })),
);

test.each(rows)('$what', async ({ id, what, said, ...values }) => {
	const entered = (which: 0 | 1) => {
		const chosen = (value: unknown): unknown => (Array.isArray(value) ? value[which] : value);
		return Object.fromEntries(Object.entries(values).map(([at, value]) => [at, chosen(value)]));
	};
	const error = errorOf(await run(id, entered(0)));
	expect(error).toContain(said ?? `'${what.split(':')[0]}'`);
	expect(gateway.sandbox.accepted()).toEqual([]);
	gateway.sandbox.reset();
	expect(errorOf(await run(id, entered(1)))).toBeUndefined();
});

test('the Status Trigger: an expression that reads an item', async () => {
	const polling = startPolling({
		node: 'messagingGatewayStatusTrigger',
		parameters: { campaignIds: '={{ $json.id }}' },
		credential: gateway.sandbox.credential as never,
		staticData: {},
	});
	await expect(polling).rejects.toMatchObject({
		message: expect.stringMatching(
			/^'Campaign Names or IDs' cannot be evaluated: .*\. Enter .*, or use \$vars: there/,
		),
	});
});
