/**
 * Mistakes of newcomers, in each field of the forms and of the credential. Each error names the field and
 * what is wrong with it, then says what to do, and doing so works.
 */
import { WorkflowHasIssuesError } from 'n8n-core';
import { NodeOperationError, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { withHint } from '../../nodes/text/text';
import { SEEDS, startSandbox } from '../../tools/sandbox';
import { seededCampaigns } from '../../tools/sandbox/seeds';
import { onceBy } from '../../tools/shared/deduplication';
import { keysInWorkflow } from './action/keysInWorkflow';
import { audioBase64, to, useGateway, type ActionId, type ActionOptions } from './action/support';
import { storeBinary, type NodeRun } from './harness';
import { StatusWorkflow } from './statusTrigger/support';
import { expectFailure, foreign, TriggerWorkflow, type TriggerOptions } from './trigger/support';

const gateway = useGateway();

type Entered = ActionOptions & {
	/** The item's file, in this field. */
	file?: { field: string; mimeType?: string; storage?: 'memory' | 'filesystem' };
	/** What the account is like. */
	connected?: boolean;
	redirectsTo?: string;
};

/**
 * What is wrong, in which field, and what is done about it; undefined: it is outside n8n's editor. The error
 * names the field, unless something else is `said`. Its text is a matter of unit/operations/refusals and unit/form.
 */
type Mistake = [what: string, id: ActionId | 'ask', made: Entered, done?: Entered, said?: string];

const question = { operation: 'sendAndWait', message: 'May we?', responseType: 'approval' };

async function run(id: ActionId | 'ask', entered: Entered): Promise<NodeRun> {
	const { file, connected = true, redirectsTo, credential = {}, ...action } = entered;
	const { sandbox } = gateway;
	sandbox.instance.connected = connected;
	if (redirectsTo) {
		sandbox.fault({ fault: { status: 301, headers: { location: redirectsTo } } });
	}
	const baseUrl = String(credential.baseUrl ?? '$url').replace('$url', sandbox.url);
	if (file) {
		const { field, ...description } = { mimeType: 'audio/ogg', ...file };
		const stored = await storeBinary(Buffer.from('OggS'), description);
		action.items = [{ json: { to }, binary: { [field]: stored } }];
	}
	return await gateway.run(id === 'ask' ? 'sendSms' : id, {
		...action,
		parameters: { ...(id === 'ask' && question), ...action.parameters },
		credential: { defaultCountryCode: '55', ...credential, baseUrl },
		onError: 'continueRegularOutput',
	});
}

/** What n8n shows: the message, and the hint below it. */
function errorOf({ outputs, error }: NodeRun): string | undefined {
	if (error) return `${error.message} | ${error.description}`;
	const said = outputs[0]?.[0]?.json.error as IDataObject | undefined;
	return said && `${said.message as string} | ${said.hint as string}`;
}

const corrected = (made: Entered, done: Entered): Entered => ({
	...made,
	connected: true,
	redirectsTo: undefined,
	...done,
	parameters: { ...made.parameters, ...done.parameters },
	options: { ...made.options, ...done.options } as INodeParameters,
	credential: { ...made.credential, ...done.credential },
	rules: { ...made.rules, ...done.rules },
});

const two = [{ to }, { to: '5521998765432' }];
const failed = seededCampaigns('sms')[0]!.messages.at(-1)!;
const { sms, chatApp } = SEEDS.campaigns;
const audio = `data:audio/ogg;base64,${audioBase64}`;
const photo = 'https://example.com/photo.jpg';
const later = '2030-12-31T09:30:00';
const wholeDay = { from: '00:00', to: '24:00', days: ['monday'] };
const hours = (window: object, more: object = {}) =>
	({
		sendBetween: { values: { windows: { values: [{ ...wholeDay, ...window }] }, ...more } },
	}) as INodeParameters;
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const none = { __rl: true, mode: 'list', value: '' };
const limit = (values: object) => ({ limitWaitTime: { values } }) as INodeParameters;
const choices = (...labels: string[]) =>
	({
		responseType: 'choice',
		choices: { values: labels.map((label) => ({ label })) },
	}) as INodeParameters;

const check = (field: string) => `Check '${field}' in the Messaging Gateway credential`;

const allowAll = async (items: IDataObject[]) =>
	items.map(({ to: asked }) => ({ to: asked, allowed: true }));
const noSuchWorkflow = async () => {
	throw new Error('Workflow does not exist.');
};

/** One value is wrong, and is replaced by a right one: a parameter, or what is in `options`, `credential` or `rules`. */
const oneValue: Array<
	[what: string, ActionId | 'ask', where: string, wrong: unknown, right: unknown, said?: string]
> = [
	['To: two numbers', 'sendSms', 'to', '+55 11 91234-5678, +55 21 99876-5432', to],
	['To: a foreign number without its +', 'sendSms', 'to', '1 415 555 2671', '+1 415 555 2671'],
	['To: a name', 'sendSms', 'to', 'Ana', to],
	['To: a digit is missing', 'sendSms', 'to', '+55 11 91234-567', to],
	['To: a number without its area code', 'sendSms', 'to', '91234-5678', '(11) 91234-5678'],
	['To: two numbers, with a word between', 'sendSms', 'to', '11 91234-5678 ou 21 99876-5432', to],
	['To: rounded by a spreadsheet', 'sendSms', 'to', '5.51191E+12', to],
	['Max Segments: a word', 'sendSms', 'options.maxSegments', 'one', 1],
	['SMS Type: a word', 'sendSms', 'options.smsType', 'flash', '1'],
	['Schedule At: in the past', 'sendSms', 'scheduleAt', '2020-12-31T09:30:00', later],
	[
		'Schedule At: late',
		'sendSms',
		'scheduleAt',
		'={{ $now.minus({ hours: 1 }) }}',
		'={{ DateTime.max($now, $now.minus({ hours: 1 })) }}',
	],
	[
		'Schedule At: a date alone',
		'sendSms',
		'scheduleAt',
		"={{ '2030-12-31' }}",
		"={{ '2030-12-31' + 'T09:30' }}",
	],
	[
		'Schedule At: a date as people write it',
		'sendSms',
		'scheduleAt',
		'31/12/2030 09:30',
		"={{ DateTime.fromFormat('31/12/2030 09:30', 'd/M/yyyy H:mm').toISO() }}",
	],
	['Schedule At: no date', 'sendSms', 'scheduleAt', '09:30', '={{ $now.plus({ hours: 2 }) }}'],
	[
		'Schedule At: an expression that gives nothing',
		'sendSms',
		'scheduleAt',
		'={{ $json.at }}',
		"={{ $json.sendAt ?? '' }}",
	],
	['Timeout: in seconds', 'sendSms', 'rules.timeout', 30, 30000],
	['Max Retries: below 0', 'sendSms', 'rules.maxRetries', -1, 0],
	['Extra Fields (JSON): not JSON', 'sendSms', 'options.extraFields', 'sender: ACME', '{}'],
	['Media URL: the name of a field', 'sendMedia', 'mediaUrl', 'data', photo],
	['Media URL: a path on this computer', 'sendMedia', 'mediaUrl', 'C:\\photos\\photo.jpg', photo],
	[
		'Media URL: a sharing link',
		'sendMedia',
		'mediaUrl',
		'https://drive.google.com/file/d/1abc/view?usp=sharing',
		photo,
	],
	['Media URL: no extension', 'sendMedia', 'mediaUrl', 'https://example.com/photo', photo],
	['Media URL: two links', 'sendMedia', 'mediaUrl', `${photo}, ${photo}`, photo],
	[
		'Media URL: a space',
		'sendMedia',
		'mediaUrl',
		'https://example.com/my photo.jpg',
		'https://example.com/my%20photo.jpg',
	],
	["Media Type: another than the file's", 'sendMedia', 'mediaType', 'video', 'document'],
	['MIME Type: an extension', 'sendMedia', 'options.mimeType', 'jpg', 'image/jpeg'],
	[
		'Text: an expression in a fixed field',
		'sendSms',
		'text',
		'Hello {{ $json.name }}',
		'=Hello {{ $json.name }}',
		"'Text' contains an expression that n8n did not evaluate: '{{ $json.name }}' | Switch 'Text' from Fixed to Expression.",
	],
	[
		'Audio (Base64): an expression that gives nothing',
		'sendAudio',
		'audioBase64',
		'={{ $json.audio }}',
		audio,
		"The expression in 'Audio (Base64)' returned nothing for this item",
	],
	['Audio (Base64): a link', 'sendAudio', 'audioBase64', 'https://example.com/a.ogg', audio],
	["Chat App Mode: a word of one's own", 'sendAudio', 'options.chatAppMode', 'mine', 'private'],
	['Campaign ID: a name', 'getSmsCampaign', 'campaignId', byId('Boas-vindas'), byId(sms.finished)],
	[
		'Campaign: Delete: one that still sends',
		'deleteCampaign',
		'campaignId',
		chatApp.scheduled,
		chatApp.finished,
		'The service does not allow deleting this campaign: "Exclusão não permitida."',
	],
	['Limit: 0', 'listSmsCampaigns', 'limit', 0, 1],
	[
		'API Key: Revoke: a name',
		'revokeApiKey',
		'keyId',
		byId('CRM'),
		byId('key-crm'),
		"The service has no API key with the ID 'CRM'",
	],
	[
		'URL: no https://',
		'setWebhook',
		'url',
		'example.com/notifications',
		'https://example.com/notifications',
	],
	['Enable: a word', 'setWebhook', 'enable', 'yes', '={{ true }}'],
	['Base URL: a word', 'sendSms', 'credential.baseUrl', 'gateway', '$url'],
	["Base URL: nobody's", 'sendSms', 'credential.baseUrl', 'http://127.0.0.1:9', '$url'],
	['Base URL: of something else', 'sendSms', 'credential.baseUrl', '$url/v3', '$url'],
	['API Key: wrong', 'sendSms', 'credential.apiKey', 'wrong', SEEDS.apiKey],
	['API Key: revoked', 'sendSms', 'credential.apiKey', SEEDS.apiKeys[4]!.key, SEEDS.apiKey],
	['Instance Token: wrong', 'sendMedia', 'credential.instanceToken', 'wrong', SEEDS.instanceToken],
	[
		'Instance Token: missing',
		'getChatAppCampaign',
		'credential.instanceToken',
		'',
		SEEDS.instanceToken,
	],
	['Chat App Name: missing', 'sendMedia', 'credential.chatAppName', '', 'chatapp'],
	['Chat App Name: wrong', 'sendMedia', 'credential.chatAppName', 'wrong', 'chatapp'],
	['Default Country Code: a name', 'sendSms', 'credential.defaultCountryCode', 'Brazil', 'BR'],
	['Only These Countries: a name', 'sendSms', 'credential.allowedCountries', 'Brazil', 'BR'],
	['Only These Countries: not this one', 'sendSms', 'credential.allowedCountries', 'PT', 'PT, BR'],
	[
		'Only Use in This n8n: another',
		'sendSms',
		'credential.n8nAddress',
		'https://n8n.example.com',
		'http://localhost:1',
	],
	['Campaign ID Parameter: wrong', 'getSmsCampaign', 'credential.campaignIdParameter', 'id', ''],
];

const more: Mistake[] = [
	[
		'To: an expression that gives nothing',
		'sendSms',
		{ items: [{ phone: to }] },
		{ parameters: { to: '={{ $json.phone }}' } },
	],
	[
		'To: an object',
		'sendSms',
		{ items: [{ to: { phone: to } }] },
		{ parameters: { to: '={{ $json.to.phone }}' } },
	],
	['To: a list', 'sendSms', { items: [{ to: [to, '5521998765432'] }] }, { items: two }],
	[
		'To: a number without its country',
		'sendSms',
		{ items: [{ to: '(11) 91234-5678' }], credential: { defaultCountryCode: '' } },
		{ credential: { defaultCountryCode: '55' } },
	],
	[
		'To: a number without its +',
		'sendSms',
		{ credential: { defaultCountryCode: '' } },
		{ parameters: { to: '=+{{ $json.to }}' } },
	],
	[
		'To: a placeholder',
		'sendSms',
		{ items: [{ to: '(11) 99999-9999' }] },
		{ items: [{ to: '5511999999999' }], options: { keepNumberAsEntered: true } },
	],
	[
		'To: a landline',
		'sendSms',
		{ items: [{ to: '+55 11 3333-4444' }], options: { refuseLandlines: true } },
		{ options: { refuseLandlines: false } },
	],
	[
		'Keep Number as Entered: more than digits',
		'sendSms',
		{ items: [{ to: '+55 11 91234-5678' }], options: { keepNumberAsEntered: true } },
		{ items: two },
		'The service rejected a value in the request: "to: must match pattern "^[0-9]+$""',
	],
	[
		'Text: an expression that gives nothing',
		'sendSms',
		{ parameters: { text: '={{ $json.txt }}' }, items: [{ to, text: 'Hello' }] },
		{ parameters: { text: '={{ $json.text }}' } },
	],
	[
		'Text: an expression in the data',
		'sendSms',
		{ items: [{ to, text: 'Hello {{ $json.name }}' }], parameters: { text: '={{ $json.text }}' } },
		{ parameters: { text: '=Hello {{ $json.name }}' } },
		'Put the text together in the field.',
	],
	[
		'Text: an object',
		'sendSms',
		{ parameters: { text: '={{ $json.text }}' }, items: [{ to, text: { en: 'Hello' } }] },
		{ parameters: { text: '={{ $json.text.en }}' } },
	],
	[
		'Text: too long',
		'sendSms',
		{ parameters: { text: `Olá, ${'x'.repeat(80)}` }, options: { maxSegments: 1 } },
		{ options: { maxSegments: 2 } },
	],
	[
		'Deduplication: one key for all',
		'sendSms',
		{ items: two, options: onceBy('reminder 1') },
		{ options: onceBy('reminder 1', 'keyAndNumber') },
		"The deduplication key is the same for all 2 items: 'reminder 1'",
	],
	[
		'Deduplication: an expression that gives nothing',
		'sendSms',
		{ items: [{ to, orderId: 7 }], options: onceBy('={{ $json.order }}') },
		{ options: onceBy('={{ $json.orderId }}') },
	],
	[
		'Extra Fields (JSON): what has its own field',
		'sendSms',
		{ options: { extraFields: '{ "msg": "Hello" }' } },
		{ parameters: { text: 'Hello' }, options: { extraFields: '{}' } },
	],
	[
		'Send Between: 9am',
		'sendSms',
		{ options: hours({ from: '9am' }) },
		{ options: hours({ from: '09:00' }) },
	],
	[
		'Send Between: no time left',
		'sendSms',
		{ options: hours({ from: '09:00', to: '09:00' }) },
		{ options: hours({ from: '09:00', to: '18:00' }) },
	],
	['Send Between: no day', 'sendSms', { options: hours({ days: [] }) }, { options: hours({}) }],
	[
		'Send Between: a city as the time zone',
		'sendSms',
		{ options: hours({}, { timezone: 'Brasilia' }) },
		{ options: hours({}, { timezone: 'America/Sao_Paulo' }) },
	],
	[
		'Media URL: a file',
		'sendMedia',
		{
			file: { field: 'data', storage: 'filesystem' },
			parameters: { mediaUrl: '={{ $binary.data }}' },
		},
		{ parameters: { mediaSource: 'binary' } },
	],
	[
		'Media URL: a sharing link with a MIME type',
		'sendMedia',
		{
			parameters: { mediaUrl: 'https://www.dropbox.com/s/1abc/photo.jpg?dl=0' },
			options: { mimeType: 'image/jpeg' },
		},
		{ parameters: { mediaUrl: 'https://www.dropbox.com/s/1abc/photo.jpg?dl=1' } },
	],
	[
		'Media URL: an address at home',
		'sendMedia',
		{
			credential: { baseUrl: 'https://api.example.com' },
			parameters: { mediaUrl: 'http://localhost:5678/photo.jpg' },
		},
		{ credential: { baseUrl: '$url' }, parameters: { mediaUrl: photo } },
	],
	[
		'Media Source: a file in memory',
		'sendMedia',
		{ file: { field: 'data' }, parameters: { mediaSource: 'binary' } },
		{ file: { field: 'data', storage: 'filesystem' } },
		"n8n has no link to the file in 'data', because it keeps the file in memory",
	],
	[
		'Input Data Field Name: an expression that gives nothing',
		'sendAudio',
		{
			file: { field: 'data' },
			parameters: { audioSource: 'binary', binaryPropertyName: '={{ $json.file }}' },
		},
		{ parameters: { binaryPropertyName: 'data' } },
		"The expression in 'Input Data Field Name' returned nothing for this item",
	],
	[
		'Input Data Field Name: no file',
		'sendAudio',
		{ parameters: { audioSource: 'binary' } },
		{ file: { field: 'data' } },
		"This item has no file in 'data'",
	],
	[
		'Input Data Field Name: another field',
		'sendAudio',
		{ file: { field: 'voice' }, parameters: { audioSource: 'binary' } },
		{ parameters: { binaryPropertyName: 'voice' } },
	],
	[
		'Input Data Field Name: the file itself',
		'sendAudio',
		{
			file: { field: 'data' },
			parameters: { audioSource: 'binary', binaryPropertyName: '={{ $binary.data }}' },
		},
		{ parameters: { binaryPropertyName: 'data' } },
	],
	[
		'Audio: an image',
		'sendAudio',
		{ file: { field: 'data', mimeType: 'image/png' }, parameters: { audioSource: 'binary' } },
		{ options: { mimeType: 'audio/ogg' } },
		"The file in 'data' is not audio but image/png",
	],
	[
		'Audio (Base64): a file',
		'sendAudio',
		{ file: { field: 'data' }, parameters: { audioBase64: '={{ $binary.data }}' } },
		{ parameters: { audioSource: 'binary' } },
	],
	[
		'Audio (Base64): of an unknown type',
		'sendAudio',
		{ parameters: { audioBase64: 'bm8gYXVkaW8h' } },
		{ parameters: { audioBase64: 'bm8gYXVkaW8h' }, options: { mimeType: 'audio/ogg' } },
	],
	[
		'Message ID: an expression that gives nothing',
		'getSmsStatus',
		{ items: [{ messageId: 'm1' }], parameters: { messageId: '={{ $json.id }}' } },
		{ parameters: { messageId: '={{ $json.messageId }}' } },
	],
	[
		'Message ID: of the other channel',
		'getSmsStatus',
		{
			parameters: { channel: 'chatApp', messageId: failed.messageId },
			options: { notFound: 'error' },
		},
		{ parameters: { channel: 'sms' } },
		'The message was not found',
	],
	[
		'Find By: a number without its country',
		'getSmsStatus',
		{ parameters: { findBy: 'to', to: '11 91234-5678' }, credential: { defaultCountryCode: '' } },
		{ parameters: { to: '+55 11 91234-5678' } },
		"'To' has no country code: '11 91234-5678'",
	],
	[
		'Channel: the other one',
		'getChatAppCampaign',
		{ parameters: { campaignId: sms.finished } },
		{ parameters: { channel: 'sms' } },
	],
	[
		'URL: an address at home',
		'setWebhook',
		{
			credential: { baseUrl: 'https://api.example.com' },
			parameters: { url: 'http://192.168.1.20:5678/webhook/sms' },
		},
		{ credential: { baseUrl: '$url' }, parameters: { url: 'https://example.com/notifications' } },
	],
	[
		'Choices: none',
		'ask',
		{ parameters: { responseType: 'choice', choices: {} } },
		{ parameters: choices('Yes', 'No') },
	],
	[
		'Choices: no label',
		'ask',
		{ parameters: choices('Yes', '') },
		{ parameters: choices('Yes', 'No') },
	],
	[
		'Choices: the same twice',
		'ask',
		{ parameters: choices('Yes', 'Yes') },
		{ parameters: choices('Yes', 'No') },
	],
	[
		'Limit Wait Time: in the past',
		'ask',
		{ options: limit({ limitType: 'atSpecifiedTime', maxDateAndTime: '2020-12-31T09:30:00' }) },
		{ options: limit({ limitType: 'atSpecifiedTime', maxDateAndTime: later }) },
	],
	[
		'Limit Wait Time: no date',
		'ask',
		{ options: limit({ limitType: 'atSpecifiedTime' }) },
		{ options: limit({ limitType: 'atSpecifiedTime', maxDateAndTime: later }) },
		"'Max Date and Time' is empty",
	],
	[
		'a question to two people',
		'ask',
		{ items: two },
		{ items: [{ to }] },
		"'Send SMS and Wait for Response' takes one item, not 2",
	],
	[
		'a question that is answered already',
		'ask',
		{ items: [{ to, data: { approved: true } }] },
		{ items: [{ to }] },
		"The item already contains 'data.approved', although nobody has answered yet",
	],
	[
		'a question from an n8n at localhost',
		'ask',
		{ credential: { baseUrl: 'https://api.example.com' }, instanceUrl: 'http://localhost:5678' },
		undefined,
		'The recipient could not open the link to this n8n at http://localhost:5678',
	],
	[
		'Base URL: http in place of https',
		'sendSms',
		{ redirectsTo: 'https://api.example.com/v1/sms/enviar' },
		{},
	],
	[
		'SMS Schedule Timezone: a city',
		'sendSms',
		{ credential: { smsScheduleTimezone: 'Brasilia' }, parameters: { scheduleAt: later } },
		{ credential: { smsScheduleTimezone: 'America/Sao_Paulo' } },
	],
	[
		'Do Not Contact Workflow ID: a name',
		'sendSms',
		{ credential: { doNotContactWorkflowId: 'Stop list' }, subWorkflow: noSuchWorkflow },
		{ credential: { doNotContactWorkflowId: 'Kb3dEf6hJ9kLmN0p' }, subWorkflow: allowAll },
		"The do-not-contact workflow 'Stop list' did not work: n8n has no published workflow with this ID",
	],
	[
		'Deduplication Workflow ID: a name',
		'sendSms',
		{
			credential: { deduplicationWorkflowId: 'Key store' },
			options: onceBy('order 1'),
			subWorkflow: noSuchWorkflow,
		},
		{ credential: { deduplicationWorkflowId: 'Kb3dEf6hJ9kLmN0p' }, ...keysInWorkflow() },
		"The deduplication workflow 'Key store' did not work: n8n has no published workflow with this ID",
	],
	[
		'Key Status Parameter: wrong',
		'listApiKeys',
		{ credential: { keyStatusParameter: 'estado' }, parameters: { filters: { status: 'active' } } },
		{ credential: { keyStatusParameter: '' } },
	],
	[
		'Audio Schedule Field: wrong',
		'sendAudio',
		{ credential: { audioScheduleField: 'at' }, parameters: { scheduleAt: later } },
		{ credential: { audioScheduleField: '' } },
	],
	[
		'the chat app is disconnected',
		'sendMedia',
		{ connected: false },
		{},
		'The chat-app instance is disconnected: "Instância desconectada."',
	],
];

const entering = (where: string, value: unknown) => {
	const [name, group = 'parameters'] = where.split('.').reverse() as [string, string?];
	return { [group]: { [name]: value } } as Entered;
};
const mistakes = oneValue.map(([what, id, where, wrong, right, said]): Mistake => {
	return [what, id, entering(where, wrong), entering(where, right), said];
});

// Rest parameters: jest would pass its callback for one that a row leaves out.
test.each([...mistakes, ...more])('%s', async (...[what, id, made, done, said]) => {
	const error = errorOf(await run(id, made));
	expect(error).toContain(said ?? `'${what.split(':')[0]}'`);
	expect(gateway.sandbox.accepted()).toEqual([]);
	if (!done) return;
	gateway.sandbox.reset();
	expect(errorOf(await run(id, corrected(made, done)))).toBeUndefined();
});

test.each<[ActionId | 'ask', string, string]>([
	['sendSms', 'to', 'To'],
	['sendSms', 'text', 'Text'],
	['sendMedia', 'mediaUrl', 'Media URL'],
	['sendAudio', 'audioBase64', 'Audio (Base64)'],
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
	await expect(run(id, { parameters })).rejects.toThrow(said);
	expect(gateway.sandbox.requests()).toEqual([]);
});

/** A refused publication shows the message alone. */
test.each<[what: string, made: TriggerOptions, said: string, done?: TriggerOptions]>([
	[
		"If the Webhook Is in Use: somebody else's",
		{},
		"The account has one webhook, and crm.example.com is using it. Switch it off there, or set 'If the Webhook Is in Use' to 'Share' or 'Take Over', and publish again.",
		{ conflict: 'share' },
	],
	[
		'Allowed IPs: a range as people write it',
		{ conflict: 'share', options: { allowedIps: '203.0.113.7-20' } },
		"'Allowed IPs' has an entry that is not an IP address or range: '203.0.113.7-20'. Correct it in the options.",
		{ options: { allowedIps: '203.0.113.7, 203.0.113.8/29' } },
	],
	[
		'n8n at localhost',
		{ credential: { baseUrl: 'https://api.example.com' } },
		"The service at api.example.com can't reach this n8n at http://localhost:1. Set the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.40) to the public https address of n8n, then restart n8n.",
	],
	[
		'API Key: wrong',
		{ conflict: 'share', credential: { apiKey: 'wrong' } },
		`The service rejected the credential: "Token inválido." ${check('API Key')}.`,
		{ credential: { apiKey: SEEDS.apiKey } },
	],
])('the trigger: %s', async (...[, made, said, done]) => {
	gateway.sandbox.webhook = { url: foreign, enabled: true };
	const error = await expectFailure(
		new TriggerWorkflow(gateway.sandbox, 'workflow-1', made).publish(),
	);
	expect(withHint(error as NodeOperationError)).toContain(said);
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
		"The service could not find this campaign: \"Campanha não encontrada.\" [Campaign Natal] | Check 'Campaign Names or IDs' and 'Channel'.",
		{ campaignIds: [] },
	],
	[
		'Channel: the other one',
		{ event: 'campaignFinished', channel: 'chatApp', campaignIds: [sms.finished] },
		`The service could not find this campaign: "Campanha não encontrada." [Campaign ${sms.finished}] | Check 'Campaign Names or IDs' and 'Channel'.`,
		{ channel: 'sms' },
	],
])('the status trigger: %s', async (_, made, said, done) => {
	const error = (await expectFailure(
		new StatusWorkflow(gateway.sandbox, made).publish(),
	)) as NodeOperationError;
	expect(`${error.message} | ${error.description}`.slice(0, said.length)).toBe(said);
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
