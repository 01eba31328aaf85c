/**
 * Mistakes of newcomers, one of each kind. Each error names the field and what is wrong with it, then says
 * what to do, and doing so works. unit/operations/refusals has the texts of all fields.
 */
import { WorkflowHasIssuesError } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';

import { SEEDS, startSandbox } from '../../tools/sandbox';
import { onceBy } from '../../tools/shared/deduplication';
import { digits, to, useGateway, type ActionId, type ActionOptions } from './action/support';
import { storeBinary, type NodeRun } from './harness';

const gateway = useGateway();

/**
 * What differs from a message that can be sent: wrong and right, or a value for both. The error names the
 * field, unless something else is `said`.
 *
 * A field has its own name, or before a dot what it is in: `options` or `credential`. Besides, there are what
 * comes in (`item`, with a `file`) and what is around the node.
 */
interface Mistake {
	[where: string]: unknown;
	said?: string;
}

interface Around {
	item?: IDataObject;
	file?: { field: string; storage?: 'memory' | 'filesystem' };
	connected?: boolean;
	redirectsTo?: string;
	subWorkflow?: ActionOptions['subWorkflow'];
}

async function run(id: ActionId, entered: Around & Record<string, unknown>): Promise<NodeRun> {
	const { item = { to }, file, connected = true, redirectsTo, subWorkflow, ...values } = entered;
	const { sandbox } = gateway;
	sandbox.instance.connected = connected;
	if (redirectsTo) {
		sandbox.fault({ fault: { status: 301, headers: { location: redirectsTo } } });
	}
	const groups: Record<string, IDataObject> = { credential: { defaultCountryCode: '55' } };
	for (const [where, value] of Object.entries(values)) {
		const [name, group = 'parameters'] = where.split('.').reverse() as [string, string?];
		if (value !== undefined) groups[group] = { ...groups[group], [name]: value as IDataObject };
	}
	const { credential } = groups;
	if (credential!.baseUrl === '$url/v3') credential!.baseUrl = `${sandbox.url}/v3`;
	const { field = '', ...description } = { mimeType: 'audio/ogg', ...file };
	const stored = file && { [field]: await storeBinary(Buffer.from('OggS'), description) };
	return await gateway.run(id, {
		...(groups as ActionOptions),
		items: 'file' in entered ? [{ json: item, binary: stored }] : [item],
		subWorkflow,
		onError: 'continueRegularOutput',
	});
}

/** What n8n shows: the message, and the hint below it. */
function errorOf({ outputs, error }: NodeRun): string | undefined {
	if (error) return `${error.message} | ${error.description}`;
	const said = outputs[0]?.[0]?.json.error as IDataObject | undefined;
	return said && `${said.message as string} | ${said.hint as string}`;
}

const photo = 'https://example.com/photo.jpg';
const inMemory = { field: 'data' };
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const key = (...by: Parameters<typeof onceBy>) => onceBy(...by).deduplication;
const { sms, chatApp } = SEEDS.campaigns;

const allowAll = async (items: IDataObject[]) =>
	items.map(({ to: asked }) => ({ to: asked, allowed: true }));
const noSuchWorkflow = async () => {
	throw new Error('Workflow does not exist.');
};

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
		'Keep Number as Entered: more than digits': {
			item: [{ to: '+55 11 91234-5678' }, { to: digits }],
			'options.keepNumberAsEntered': true,
			said: 'The service rejected a value in the request: "to: must match pattern "^[0-9]+$""',
		},
		'Text: an expression in a fixed field': {
			text: ['Hello {{ $json.name }}', '=Hello {{ $json.name }}'],
			said: "'Text' contains '{{ $json.name }}': an expression did not work | Check the names of the fields in the expression, and how it reads dates and numbers.",
		},
		'Text: a missing field, joined in JavaScript': {
			text: ["={{ 'Hello ' + $json.nome }}", "={{ 'Hello ' + $json.name }}"],
			item: { to, name: 'Ana' },
			said: "'Text' contains 'undefined': an expression did not work | Check the names of the fields in the expression, and how it reads dates and numbers.",
		},
		'Text: a function without its brackets': {
			text: ['=Hello {{ $json.name.trim }}', '=Hello {{ $json.name.trim() }}'],
			item: { to, name: 'Ana' },
			said: "'Text' contains '{ [native code] }': an expression did not work | Check the names of the fields in the expression, and how it reads dates and numbers.",
		},
		'Text: an object between words': {
			text: ['=Hello {{ $json.customer }}!', '=Hello {{ $json.customer.name }}!'],
			item: { to, customer: { name: 'Ana' } },
			said: "'Text' contains '[object Object]': an expression did not work | Check the names of the fields in the expression, and how it reads dates and numbers.",
		},
		'Dry Run: an expression that gives nothing': {
			'options.dryRun': ['={{ $json.test }}', '={{ $json.test ?? false }}'],
		},
		'Deduplication: a part that gives nothing': {
			item: { to, orderId: 7 },
			'options.deduplication': [key('=order-{{ $json.order }}'), key('=order-{{ $json.orderId }}')],
			said: "A part of the deduplication key has no value for this item: '{{ $json.order }}'",
		},
		'Extra Fields (JSON): what the service refuses': {
			'options.extraFields': ['{ "from": "ACME" }', '{}'],
			said: "check 'Extra Fields (JSON)'",
		},
		'Schedule At: a date as people write it': {
			scheduleAt: [
				'31/12/2030 09:30',
				"={{ DateTime.fromFormat('31/12/2030 09:30', 'dd/MM/yyyy HH:mm').toISO() }}",
			],
		},
		'Base URL: of something else': { 'credential.baseUrl': ['$url/v3', undefined] },
		'Base URL: http in place of https': {
			redirectsTo: ['https://api.example.com/v1/sms/enviar', undefined],
		},
		'API Key: the token': { 'credential.apiKey': [SEEDS.instanceToken, SEEDS.apiKey] },
		'Default Country Code: an area code': { 'credential.defaultCountryCode': ['11', '55'] },
		'Do Not Contact Workflow ID: a name': {
			'credential.doNotContactWorkflowId': ['Stop list', 'Kb3dEf6hJ9kLmN0p'],
			subWorkflow: [noSuchWorkflow, allowAll],
			said: "The do-not-contact workflow 'Stop list' did not work: n8n has no published workflow with this ID",
		},
	},
	sendMedia: {
		'Media URL: put together, without the name of the file': {
			mediaUrl: '=https://example.com/{{ $json.id }}.pdf',
			item: [{ to }, { to, id: 7 }],
			said: "A part of 'Media URL' has no value for this item: '{{ $json.id }}'",
		},
		'Media URL: a file': {
			file: { field: 'data', storage: 'filesystem' },
			mediaUrl: '={{ $binary.data }}',
			mediaSource: [undefined, 'binary'],
		},
		"Media Type: another than the file's": { mediaType: ['video', 'document'], mediaUrl: photo },
		'MIME Type: an extension': { 'options.mimeType': ['jpg', 'image/jpeg'] },
		'the chat app is disconnected': {
			connected: [false, true],
			said: 'The chat-app instance is disconnected: "Instância desconectada."',
		},
	},
	sendAudio: {
		'Input Data Field Name: no file': {
			file: [undefined, inMemory],
			said: "This item has no file in 'data'",
		},
		'Input Data Field Name: the file itself': {
			file: inMemory,
			binaryPropertyName: ['={{ $binary.data }}', 'data'],
		},
		'Audio Schedule Field: wrong': {
			file: inMemory,
			'credential.audioScheduleField': ['at', undefined],
			scheduleAt: '2030-12-31T09:30:00',
			said: "'Service Details' in the Messaging Gateway credential",
		},
	},
	deleteCampaign: {
		'Campaign: Delete: one of SMS': {
			campaignId: [sms.finished, chatApp.finished],
			said: "which only takes a chat-app campaign's",
		},
	},
	revokeApiKey: {
		'API Key: Revoke: a name': {
			keyId: [byId('CRM'), byId('key-crm')],
			said: 'path.key_id: unknown key',
		},
	},
};

const rows = Object.entries(mistakes).flatMap(([id, of]) =>
	Object.entries(of).map(([what, mistake]) => ({ id: id as ActionId, what, ...mistake })),
);

test.each(rows)('$what', async ({ id, what, said, ...values }) => {
	const entered = (which: 0 | 1) =>
		Object.fromEntries(
			Object.entries(values).map(([where, value]) => [
				where,
				Array.isArray(value) ? value[which] : value,
			]),
		);
	const error = errorOf(await run(id, entered(0)));
	expect(error).toContain(said ?? `'${what.split(':')[0]}'`);
	expect(gateway.sandbox.accepted()).toEqual([]);
	gateway.sandbox.reset();
	expect(errorOf(await run(id, entered(1)))).toBeUndefined();
});

test('an empty required field: n8n itself names it', async () => {
	// An older n8n's error takes no issues, and names no field.
	const isNamed = WorkflowHasIssuesError.length > 0;
	const said = isNamed ? 'Parameter "Text" is required.' : 'The workflow has issues';
	await expect(run('sendSms', { text: '' })).rejects.toThrow(said);
	expect(gateway.sandbox.requests()).toEqual([]);
});

test("an address from the service's documentation, and one without https://, are no mistakes", async () => {
	const sandbox = await startSandbox({ https: true });
	try {
		const baseUrl = `${sandbox.url.replace('https://', '')}/v1/sms/enviar`;
		const credential = { ...sandbox.credential, baseUrl, allowUnauthorizedCerts: true };
		const run = await gateway.run('sendSms', { credential: credential as never });
		expect(run.error).toBeUndefined();
		expect(sandbox.accepted()).toHaveLength(1);
	} finally {
		await sandbox.close();
	}
});
