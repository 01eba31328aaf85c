/**
 * Mistakes of newcomers, in each field of the forms and of the credential. Each error names the field and
 * what is wrong with it, then says what to do, and doing so works.
 */
import { WorkflowHasIssuesError } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { SEEDS, startSandbox } from '../../tools/sandbox';
import { seededCampaigns } from '../../tools/sandbox/seeds';
import { onceBy } from '../../tools/shared/deduplication';
import { keysInWorkflow } from './action/keysInWorkflow';
import { digits, to, useGateway, type ActionId, type ActionOptions } from './action/support';
import { storeBinary, type NodeRun } from './harness';
import { StatusWorkflow } from './statusTrigger/support';
import { expectFailure, foreign, TriggerWorkflow, type TriggerOptions } from './trigger/support';

const gateway = useGateway();

type Id = ActionId | 'ask';

/**
 * What differs from a message that can be sent: wrong and right, or a value for both. The error names the
 * field, unless something else is `said`; its text is a matter of unit/operations/refusals and unit/form.
 *
 * A field has its own name, or before a dot what it is in: `options`, `credential`, `rules`. Besides, there
 * are what comes in (`item`, `items`, a `file`) and what is around the node (`connected` and the like).
 */
interface Mistake {
	[where: string]: unknown;
	said?: string;
	/** What is wrong is outside n8n's editor. */
	isIncurable?: true;
}

interface Around {
	item?: IDataObject;
	items?: IDataObject[];
	file?: { field: string; mimeType?: string; storage?: 'memory' | 'filesystem' };
	connected?: boolean;
	redirectsTo?: string;
	subWorkflow?: ActionOptions['subWorkflow'];
	instanceUrl?: string;
}

const question = { operation: 'sendAndWait', message: 'May we?', responseType: 'approval' };

async function run(id: Id, entered: Around & Record<string, unknown>): Promise<NodeRun> {
	const { item = { to }, items = [item], file, connected = true, redirectsTo, ...more } = entered;
	const { subWorkflow, instanceUrl, ...values } = more;
	const { sandbox } = gateway;
	sandbox.instance.connected = connected;
	if (redirectsTo) {
		sandbox.fault({ fault: { status: 301, headers: { location: redirectsTo } } });
	}
	const groups: Record<string, IDataObject> = {
		parameters: id === 'ask' ? { ...question } : {},
		credential: { defaultCountryCode: '55', baseUrl: '$url' },
	};
	for (const [where, value] of Object.entries(values)) {
		const [name, group = 'parameters'] = where.split('.').reverse() as [string, string?];
		if (value !== undefined) groups[group] = { ...groups[group], [name]: value as IDataObject };
	}
	const { credential } = groups;
	credential!.baseUrl = String(credential!.baseUrl).replace('$url', sandbox.url);
	const { field = '', ...description } = { mimeType: 'audio/ogg', ...file };
	const stored = file && { [field]: await storeBinary(Buffer.from('OggS'), description) };
	return await gateway.run(id === 'ask' ? 'sendSms' : id, {
		...(groups as ActionOptions),
		items: 'file' in entered ? items.map((json) => ({ json, binary: stored })) : items,
		subWorkflow,
		instanceUrl,
		onError: 'continueRegularOutput',
	});
}

/** What n8n shows: the message, and the hint below it. */
function errorOf({ outputs, error }: NodeRun): string | undefined {
	if (error) return `${error.message} | ${error.description}`;
	const said = outputs[0]?.[0]?.json.error as IDataObject | undefined;
	return said && `${said.message as string} | ${said.hint as string}`;
}

const two = [{ to }, { to: '5521998765432' }];
const failed = seededCampaigns('sms')[0]!.messages.at(-1)!;
const { sms, chatApp } = SEEDS.campaigns;
const photo = 'https://example.com/photo.jpg';
const later = '2030-12-31T09:30:00';
const notifications = 'https://example.com/notifications';
const remote = 'https://api.example.com';
const inMemory = { field: 'data' };
const file = { field: 'data', storage: 'filesystem' };
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const none = { __rl: true, mode: 'list', value: '' };
const key = (...by: Parameters<typeof onceBy>) => onceBy(...by).deduplication;
const hours = (window: object, more: object = {}) => {
	const wholeDay = { from: '00:00', to: '24:00', days: ['monday'] };
	return { values: { windows: { values: [{ ...wholeDay, ...window }] }, ...more } };
};
const at = (maxDateAndTime?: string) => ({
	values: { limitType: 'atSpecifiedTime', maxDateAndTime },
});
const after = (resumeAmount: unknown) => ({
	values: { limitType: 'afterTimeInterval', resumeAmount },
});
const choices = (...labels: string[]) => ({ values: labels.map((label) => ({ label })) });

const allowAll = async (items: IDataObject[]) =>
	items.map(({ to: asked }) => ({ to: asked, allowed: true }));
const noSuchWorkflow = async () => {
	throw new Error('Workflow does not exist.');
};
const workflowId = 'Kb3dEf6hJ9kLmN0p';
const notPublished = "' did not work: n8n has no published workflow with this ID";

const mistakes: Partial<Record<Id, Record<string, Mistake>>> = {
	sendSms: {
		'To: two numbers': { to: ['+55 11 91234-5678, +55 21 99876-5432', to] },
		'To: a foreign number without its +': { to: ['1 415 555 2671', '+1 415 555 2671'] },
		'To: a name': { to: ['Ana', to] },
		'To: the name of its field': {
			to: ['$json.phone', '={{ $json.phone }}'],
			item: { phone: to },
			said: "'To' contains '$json.phone': an expression did not work | Check the names of the fields in the expression, and how it reads dates and numbers.",
		},
		'To: a digit is missing': { to: ['+55 11 91234-567', to] },
		'To: a number without its area code': { to: ['91234-5678', '(11) 91234-5678'] },
		'To: two numbers, with a word between': { to: ['11 91234-5678 ou 21 99876-5432', to] },
		'To: rounded by a spreadsheet': { to: ['5.51191E+12', to] },
		'To: an expression that gives nothing': {
			item: { phone: to },
			to: [undefined, '={{ $json.phone }}'],
			said: "The expression in 'To' returned nothing for this item | Drag the right field from the input panel into 'To'.",
		},
		'To: an empty cell': {
			item: [{ to: '' }, { to }],
			said: 'If only some items lack it, leave them out with a Filter node',
		},
		'To: an object': { item: { to: { phone: to } }, to: [undefined, '={{ $json.to.phone }}'] },
		'To: a list': { item: [{ to: [to, '5521998765432'] }, undefined], items: [undefined, two] },
		'To: a whole row as text': { to: ['={{ JSON.stringify($json) }}', '={{ $json.to }}'] },
		'To: an e-mail address': {
			item: { to: 'ana@example.com', phone: to },
			to: [undefined, '={{ $json.phone }}'],
		},
		'To: a number without its country': {
			item: { to: '(11) 91234-5678' },
			'credential.defaultCountryCode': ['', '55'],
		},
		'To: a number without its +': {
			'credential.defaultCountryCode': '',
			to: ['{{ $json.to }}', '+{{ $json.to }}'].map((text) => `=${text}`),
			item: { to: digits },
		},
		'To: put together, without its country code': {
			to: '=+{{ $json.code }}{{ $json.phone }}',
			item: [
				{ code: '', phone: '51998765432' }, // with the +, a number of Peru
				{ code: '55', phone: '51998765432' },
			],
			said: "A part of 'To' has no value for this item: '{{ $json.code }}'",
		},
		'To: a placeholder': {
			item: [{ to: '(11) 99999-9999' }, { to: '5511999999999' }],
			'options.keepNumberAsEntered': [undefined, true],
		},
		'To: a landline': {
			item: [{ to: '+55 11 3333-4444' }, { to: '551133334444' }],
			'options.keepNumberAsEntered': [undefined, true],
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
		'Text: an expression without its braces': {
			text: ["Hello $('Items').item.json.name!", 'Hello Ana!'],
			said: "'Text' contains '$('Items').item.json.name': an expression did not work",
		},
		'Text: a field as other tools write it': {
			text: ['Hello {{name}}', '=Hello {{ $json.name }}'],
			item: { to, name: 'Ana' },
			said: "'Text' contains '{{name}}': an expression did not work | Check the names of the fields in the expression, and how it reads dates and numbers.",
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
		'Text: an expression that gives nothing': {
			text: ['={{ $json.txt }}', '={{ $json.text }}'],
			item: { to, text: 'Hello' },
		},
		'Text: an expression in the data': {
			item: { to, text: 'Hello {{ $json.name }}' },
			text: ['={{ $json.text }}', '=Hello {{ $json.name }}'],
			said: "'Text' contains '{{ $json.name }}': an expression did not work",
		},
		'Text: an object': {
			text: ['={{ $json.text }}', '={{ $json.text.en }}'],
			item: { to, text: { en: 'Hello' } },
		},
		'Text: an object between words': {
			text: ['=Hello {{ $json.customer }}!', '=Hello {{ $json.customer.name }}!'],
			item: { to, customer: { name: 'Ana' } },
			said: "'Text' contains '[object Object]': an expression did not work | Check the names of the fields in the expression, and how it reads dates and numbers.",
		},
		'Text: a date that n8n could not read': {
			text: [
				"=See you on {{ DateTime.fromISO($json.date).toFormat('dd/MM') }}",
				"=See you on {{ DateTime.fromFormat($json.date, 'dd/MM/yyyy').toFormat('dd/MM') }}",
			],
			item: { to, date: '25/12/2030' },
			said: "'Text' contains 'Invalid DateTime': an expression did not work | Check the names of the fields in the expression, and how it reads dates and numbers.",
		},
		'Text: a price that n8n could not calculate with': {
			text: [
				'=It costs R$ {{ (2 * $json.price).toFixed(2) }}',
				"=It costs R$ {{ (2 * Number($json.price.replace(',', '.'))).toFixed(2) }}",
			],
			item: { to, price: '10,50' },
			said: "'Text' contains 'NaN': an expression did not work | Check the names of the fields in the expression, and how it reads dates and numbers.",
		},
		'Text: too long': { text: `Olá, ${'x'.repeat(80)}`, 'options.maxSegments': [1, 2] },
		'Max Segments: a word': { 'options.maxSegments': ['one', 1] },
		'Max Segments: empty': { 'options.maxSegments': ['', 1] },
		'SMS Type: a word': { 'options.smsType': ['flash', '1'] },
		'Dry Run: a word': { 'options.dryRun': ['={{ "yes" }}', '={{ true }}'] },
		'Dry Run: an expression that gives nothing': {
			'options.dryRun': ['={{ $json.test }}', '={{ $json.test ?? false }}'],
		},
		'Deduplication: an expression that gives nothing': {
			item: { to, orderId: 7 },
			'options.deduplication': [key('={{ $json.order }}'), key('={{ $json.orderId }}')],
		},
		'Deduplication: a part that gives nothing': {
			item: { to, orderId: 7 },
			'options.deduplication': [key('=order-{{ $json.order }}'), key('=order-{{ $json.orderId }}')],
			said: "A part of the deduplication key has no value for this item: '{{ $json.order }}'",
		},
		'Deduplication: a cell with a space': {
			item: [
				{ to, orderId: ' ' },
				{ to, orderId: 7 },
			],
			'options.deduplication': key('=order-{{ $json.orderId }}'),
			said: "A part of the deduplication key has no value for this item: '{{ $json.orderId }}'",
		},
		'Deduplication: nothing visible': {
			item: [
				{ to, orderId: '\u200b' },
				{ to, orderId: 7 },
			],
			'options.deduplication': key('={{ $json.orderId }}'),
			said: "'Key' of 'Deduplication' is empty",
		},
		'Key: a field as other tools write it': {
			item: { to, orderId: 7 },
			'options.deduplication': [key('order-{{orderId}}'), key('=order-{{ $json.orderId }}')],
		},
		'Key: a whole row': {
			item: { to, orderId: 7 },
			'options.deduplication': [key('={{ $json }}'), key('={{ $json.orderId }}')],
			said: "'Key' is an object, not text | Use an expression that returns one value, e.g. {{ $json.orderId }}.",
		},
		'Key: an object between words': {
			item: { to, order: { id: 7 } },
			'options.deduplication': [
				key('=order {{ $json.order }}'),
				key('=order {{ $json.order.id }}'),
			],
		},
		'Key: the name of its field': {
			item: { to, orderId: 7 },
			'options.deduplication': [key('$json.orderId'), key('={{ $json.orderId }}')],
		},
		'Extra Fields (JSON): what has its own field': {
			'options.extraFields': ['{ "msg": "Hello" }', '{}'],
			text: [undefined, 'Hello'],
		},
		'Extra Fields (JSON): what the service refuses': {
			'options.extraFields': ['{ "from": "ACME" }', '{}'],
			said: 'add what it misses and remove what it refuses',
		},
		'Schedule At: in the past': { scheduleAt: ['2020-12-31T09:30:00', later] },
		'Schedule At: late': {
			scheduleAt: [
				'={{ $now.minus({ hours: 1 }) }}',
				'={{ DateTime.max($now, $now.minus({ hours: 1 })) }}',
			],
		},
		'Schedule At: a date alone': {
			scheduleAt: ["={{ '2030-12-31' }}", "={{ '2030-12-31' + 'T09:30' }}"],
		},
		'Schedule At: a date as people write it': {
			scheduleAt: [
				'31/12/2030 09:30',
				"={{ DateTime.fromFormat('31/12/2030 09:30', 'dd/MM/yyyy HH:mm') }}",
			],
		},
		'Schedule At: seconds since 1970': {
			item: { to, date: 1924434000 },
			scheduleAt: ['={{ $json.date }}', "={{ $json.date.toDateTime('s') }}"],
			said: "{{ $json.date.toDateTime('s') }}",
		},
		'Schedule At: no date': { scheduleAt: ['09:30', '={{ $now.plus({ hours: 2 }) }}'] },
		'Schedule At: an expression that gives nothing': {
			scheduleAt: ['={{ $json.at }}', "={{ $json.sendAt ?? '' }}"],
		},
		'Send Between: 9am': {
			'options.sendBetween': [hours({ from: '9am' }), hours({ from: '09:00' })],
		},
		'Send Between: a city as the time zone': {
			'options.sendBetween': [
				hours({}, { timezone: 'Brasilia' }),
				hours({}, { timezone: 'America/Sao_Paulo' }),
			],
		},
		'Base URL: empty': { 'credential.baseUrl': ['', '$url'] },
		'Base URL: a word': { 'credential.baseUrl': ['gateway', '$url'] },
		'Base URL: a command': { 'credential.baseUrl': ['POST $url/v1/sms/enviar', '$url'] },
		"Base URL: nobody's": { 'credential.baseUrl': ['http://127.0.0.1:9', '$url'] },
		'Base URL: of something else': { 'credential.baseUrl': ['$url/v3', '$url'] },
		'Base URL: http in place of https': {
			redirectsTo: ['https://api.example.com/v1/sms/enviar', undefined],
		},
		'API Key: wrong': { 'credential.apiKey': ['wrong', SEEDS.apiKey] },
		'API Key: hidden': { 'credential.apiKey': ['••••••••', SEEDS.apiKey] },
		'API Key: the token': { 'credential.apiKey': [SEEDS.instanceToken, SEEDS.apiKey] },
		'API Key: revoked': { 'credential.apiKey': [SEEDS.apiKeys[4]!.key, SEEDS.apiKey] },
		'Default Country Code: a name': { 'credential.defaultCountryCode': ['Brazil', 'BR'] },
		'Default Country Code: an area code': { 'credential.defaultCountryCode': ['11', '55'] },
		'Only These Countries: a name': { 'credential.allowedCountries': ['Brazil', 'BR'] },
		'Only These Countries: not this one': { 'credential.allowedCountries': ['PT', 'PT, BR'] },
		'Timeout: in seconds': { 'rules.timeout': [30, 30000] },
		'Max Retries: below 0': { 'rules.maxRetries': [-1, 0] },
		'Only Use in This n8n: another': {
			'credential.n8nAddress': ['https://n8n.example.com', 'http://localhost:1'],
		},
		'SMS Schedule Timezone: a city': {
			'credential.smsScheduleTimezone': ['Brasilia', 'America/Sao_Paulo'],
			scheduleAt: later,
		},
		'Do Not Contact Workflow ID: a name': {
			'credential.doNotContactWorkflowId': ['Stop list', workflowId],
			subWorkflow: [noSuchWorkflow, allowAll],
			said: `The do-not-contact workflow 'Stop list${notPublished}`,
		},
		'Deduplication Workflow ID: a name': {
			'credential.deduplicationWorkflowId': ['Key store', workflowId],
			'options.deduplication': key('order 1'),
			subWorkflow: [noSuchWorkflow, keysInWorkflow().subWorkflow],
			said: `The deduplication workflow 'Key store${notPublished}`,
		},
	},
	sendMedia: {
		'Media URL: the name of a field': { mediaUrl: ['data', photo] },
		'Media URL: a path on this computer': { mediaUrl: ['C:\\photos\\photo.jpg', photo] },
		'Media URL: a sharing link': {
			mediaUrl: ['https://drive.google.com/file/d/1abc/view?usp=sharing', photo],
		},
		'Media URL: no extension': { mediaUrl: ['https://example.com/photo', photo] },
		'Media URL: a missing field, joined in JavaScript': {
			mediaUrl: [
				"={{ 'https://example.com/' + $json.foto + '.jpg' }}",
				"={{ 'https://example.com/' + $json.photo + '.jpg' }}",
			],
			item: { to, photo: 'photo' },
		},
		'Media URL: put together, without the name of the file': {
			mediaUrl: '=https://example.com/{{ $json.id }}.pdf',
			item: [{ to }, { to, id: 7 }],
			said: "A part of 'Media URL' has no value for this item: '{{ $json.id }}'",
		},
		'Media URL: two links': { mediaUrl: [`${photo}, ${photo}`, photo] },
		'Media URL: a space': {
			mediaUrl: ['https://example.com/my photo.jpg', 'https://example.com/my%20photo.jpg'],
		},
		'Media URL: a file': {
			file: file,
			mediaUrl: '={{ $binary.data }}',
			mediaSource: [undefined, 'binary'],
		},
		'Media URL: an address at home': {
			'credential.baseUrl': [remote, '$url'],
			mediaUrl: ['http://localhost:5678/photo.jpg', photo],
		},
		"Media Type: another than the file's": { mediaType: ['video', 'document'] },
		'Media Source: a file in memory': {
			file: [inMemory, file],
			mediaSource: 'binary',
			said: "n8n has no link to the file in 'data', because it keeps the file in memory",
		},
		'MIME Type: an extension': { 'options.mimeType': ['jpg', 'image/jpeg'] },
		'Instance Token: wrong': { 'credential.instanceToken': ['wrong', SEEDS.instanceToken] },
		'Chat App Name: missing': { 'credential.chatAppName': ['', 'chatapp'] },
		'Chat App Name: wrong': { 'credential.chatAppName': ['wrong', 'chatapp'] },
		'Pause Between Messages: with its unit': { 'credential.chatAppPause': ['5 seconds', '0'] },
		'the chat app is disconnected': {
			connected: [false, true],
			said: 'The chat-app instance is disconnected: "Instância desconectada."',
		},
	},
	sendAudio: {
		'Input Data Field Name: an expression that gives nothing': {
			file: inMemory,
			binaryPropertyName: ['={{ $json.file }}', 'data'],
			said: "The expression in 'Input Data Field Name' returned nothing for this item",
		},
		'Input Data Field Name: no file': {
			file: [undefined, inMemory],
			said: "This item has no file in 'data'",
		},
		'Input Data Field Name: another field': {
			file: { field: 'voice' },
			binaryPropertyName: [undefined, 'voice'],
		},
		'Input Data Field Name: the file itself': {
			file: inMemory,
			binaryPropertyName: ['={{ $binary.data }}', 'data'],
		},
		'Audio: an image': {
			file: { field: 'data', mimeType: 'image/png' },
			'options.mimeType': [undefined, 'audio/ogg'],
			said: "The file in 'data' is not audio but image/png",
		},
		"Chat App Mode: a word of one's own": { 'options.chatAppMode': ['mine', 'private'] },
		'Audio Schedule Field: wrong': {
			'credential.audioScheduleField': ['at', ''],
			scheduleAt: later,
		},
	},
	getSmsStatus: {
		'Message ID: an expression that gives nothing': {
			item: { messageId: 'm1' },
			messageId: ['={{ $json.id }}', '={{ $json.messageId }}'],
		},
		'Message ID: of the other channel': {
			channel: ['chatApp', 'sms'],
			messageId: failed.messageId,
			'options.notFound': 'error',
			said: 'The message was not found',
		},
		'Find By: a number without its country': {
			findBy: 'to',
			to: ['11 91234-5678', '+55 11 91234-5678'],
			'credential.defaultCountryCode': '',
			said: "'To' has no country code: '11 91234-5678'",
		},
	},
	getSmsCampaign: {
		'Campaign ID: a name': { campaignId: [byId('Boas-vindas'), byId(sms.finished)] },
		'Campaign ID Parameter: wrong': { 'credential.campaignIdParameter': ['id', ''] },
	},
	getChatAppCampaign: {
		'Channel: the other one': { campaignId: sms.finished, channel: [undefined, 'sms'] },
		'Instance Token: missing': { 'credential.instanceToken': ['', SEEDS.instanceToken] },
	},
	deleteCampaign: {
		'Campaign: Delete: one that still sends': {
			campaignId: [chatApp.scheduled, chatApp.finished],
			said: 'The service does not allow deleting this campaign: "Exclusão não permitida."',
		},
		'Campaign: Delete: one of SMS': {
			campaignId: [sms.finished, chatApp.finished],
			said: "which only takes a chat-app campaign's",
		},
	},
	listSmsCampaigns: {
		'Limit: 0': { limit: [0, 1] },
	},
	revokeApiKey: {
		'API Key: Revoke: a name': {
			keyId: [byId('CRM'), byId('key-crm')],
			said: "The service has no API key with the ID 'CRM'",
		},
	},
	setWebhook: {
		'URL: no https://': { url: ['example.com/notifications', notifications] },
		'URL: an address at home': {
			'credential.baseUrl': [remote, '$url'],
			url: ['http://192.168.1.20:5678/webhook/sms', notifications],
		},
		'Enable: a word': { enable: ['yes', '={{ true }}'] },
	},
	ask: {
		'Choices: none': { responseType: ['choice', 'choice'], choices: [{}, choices('Yes', 'No')] },
		'Choices: no label': {
			responseType: ['choice', 'choice'],
			choices: [choices('Yes', ''), choices('Yes', 'No')],
		},
		'Limit Wait Time: in the past': {
			'options.limitWaitTime': [at('2020-12-31T09:30:00'), at(later)],
		},
		'Max Date and Time: as people write it': {
			'options.limitWaitTime': [
				at('31/12/2030 09:30'),
				at("={{ DateTime.fromFormat('31/12/2030 09:30', 'dd/MM/yyyy HH:mm') }}"),
			],
		},
		'Amount: a word': {
			'options.limitWaitTime': [after('two'), after(2)],
		},
		'a question to two people': {
			items: [two, undefined],
			said: "'Send SMS and Wait for Response' takes one item, not 2",
		},
		'a question that is answered already': {
			item: [{ to, data: { approved: true } }, { to }],
			said: "The item already contains 'data.approved', although nobody has answered yet",
		},
		'a question from an n8n at localhost': {
			'credential.baseUrl': remote,
			instanceUrl: 'http://localhost:5678',
			isIncurable: true,
			said: 'The recipient could not open the link to this n8n at http://localhost:5678',
		},
	},
	listApiKeys: {
		'Key Status Parameter: wrong': {
			'credential.keyStatusParameter': ['estado', ''],
			filters: { status: 'active' },
		},
	},
};

const rows = Object.entries(mistakes).flatMap(([id, of]) =>
	Object.entries(of).map(([what, mistake]) => ({ id: id as Id, what, ...mistake })),
);

test.each(rows)('$what', async ({ id, what, said, isIncurable, ...values }) => {
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
	if (isIncurable) return;
	gateway.sandbox.reset();
	expect(errorOf(await run(id, entered(1)))).toBeUndefined();
});

test.each<[Id, string, string]>([
	['sendSms', 'to', 'To'],
	['sendSms', 'text', 'Text'],
	['sendMedia', 'mediaUrl', 'Media URL'],
	['sendAudio', 'binaryPropertyName', 'Input Data Field Name'],
	['getSmsStatus', 'messageId', 'Message ID'],
	['getSmsCampaign', 'campaignId', 'Campaign ID'],
	['revokeApiKey', 'keyId', 'API Key'],
	['logOutInstance', 'instance', 'Instance'],
	['setWebhook', 'url', 'URL'],
	['ask', 'message', 'Message'],
])('%s with an empty %s: n8n itself names the field', async (id, name, label) => {
	const parameters = { [name]: name.endsWith('Id') && name !== 'messageId' ? none : '' };
	// An older n8n's error takes no issues, and names no field.
	const isNamed = WorkflowHasIssuesError.length > 0;
	const said = isNamed ? `Parameter "${label}" is required.` : 'The workflow has issues';
	await expect(run(id, parameters)).rejects.toThrow(said);
	expect(gateway.sandbox.requests()).toEqual([]);
});

/** A refused publication shows the message alone. */
test.each<[what: string, made: TriggerOptions, said: string, done?: TriggerOptions]>([
	[
		"If the Webhook Is in Use: somebody else's",
		{},
		"The account has one webhook, and crm.example.com is using it. Switch it off there, or set 'If the Webhook Is in Use' to 'Take Over'. To have both, see",
		{ conflict: 'takeOver' },
	],
	[
		'Allowed IPs: a range as people write it',
		{ conflict: 'takeOver', options: { allowedIps: '203.0.113.7-20' } },
		"'Allowed IPs' takes up to 500 IP addresses and ranges, not '203.0.113.7-20'. Correct it in the options.",
		{ options: { allowedIps: '203.0.113.7, 203.0.113.8/29' } },
	],
	[
		'n8n at localhost',
		{ credential: { baseUrl: 'https://api.example.com' } },
		"The service at api.example.com can't reach this n8n at http://localhost:1. Set the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.40) to the public https address of n8n, then restart n8n.",
	],
	[
		'API Key: wrong',
		{ conflict: 'takeOver', credential: { apiKey: 'wrong' } },
		`The service rejected the credential: "Token inválido." Check 'API Key' in the Messaging Gateway credential.`,
		{ credential: { apiKey: SEEDS.apiKey } },
	],
])('the trigger: %s', async (...[, made, said, done]) => {
	gateway.sandbox.webhook = { url: foreign, enabled: true };
	const error = await expectFailure(
		new TriggerWorkflow(gateway.sandbox, 'workflow-1', made).publish(),
	);
	expect(error.message).toContain(said);
	if (!done) return;
	const workflow = new TriggerWorkflow(gateway.sandbox, 'workflow-1', { ...made, ...done });
	await workflow.publish();
	expect(gateway.sandbox.webhook.url).toContain('workflow-1');
	await workflow.unpublish();
});

test.each<[what: string, made: INodeParameters, said: string, done: INodeParameters]>([
	[
		'Campaign Names or IDs: a name that is none',
		{ event: 'messageStatusChanged', channel: 'sms', campaignIds: ['Natal'] },
		"The service could not find this campaign: \"Campanha não encontrada.\" [Campaign Natal]. Check 'Campaign Names or IDs' and 'Channel'.",
		{ campaignIds: [] },
	],
	[
		'Channel: the other one',
		{ event: 'campaignFinished', channel: 'chatApp', campaignIds: [sms.finished] },
		`The service could not find this campaign: "Campanha não encontrada." [Campaign ${sms.finished}]. Check 'Campaign Names or IDs' and 'Channel'.`,
		{ channel: 'sms' },
	],
])('the status trigger: %s', async (_, made, said, done) => {
	const error = await expectFailure(new StatusWorkflow(gateway.sandbox, made).publish());
	expect(error.message).toContain(said);
	await new StatusWorkflow(gateway.sandbox, { ...made, ...done }).publish();
});

test("an address from the service's documentation is no mistake", async () => {
	const baseUrl = `${gateway.sandbox.url}/v1/sms/enviar`;
	expect((await gateway.run('sendSms', { credential: { baseUrl } })).error).toBeUndefined();
	expect(gateway.sandbox.accepted()).toHaveLength(1);
});

test('an address of the service without https:// is no mistake', async () => {
	const sandbox = await startSandbox({ https: true });
	try {
		const baseUrl = sandbox.url.replace('https://', '');
		const credential = { ...sandbox.credential, baseUrl, allowUnauthorizedCerts: true };
		const run = await gateway.run('sendSms', { credential: credential as never });
		expect(run.error).toBeUndefined();
		expect(sandbox.accepted()).toHaveLength(1);
	} finally {
		await sandbox.close();
	}
});
