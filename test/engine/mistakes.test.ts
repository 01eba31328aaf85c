/**
 * Mistakes of newcomers, in each field of the forms and of the credential. Each error names the field and
 * what is wrong with it, then says what to do, and doing so works.
 */
import { WorkflowHasIssuesError } from 'n8n-core';
import { NodeOperationError, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { withHint } from '../../nodes/text/quote';
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

/** Without what is done: it is outside n8n's editor. */
type Mistake = [what: string, id: ActionId | 'ask', made: Entered, said: string, done?: Entered];

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

const mistakes: Mistake[] = [
	[
		'To: an expression that gives nothing',
		'sendSms',
		{ items: [{ phone: to }] },
		"The expression in 'To' returned nothing for this item | Check the field name in the input panel.",
		{ parameters: { to: '={{ $json.phone }}' } },
	],
	[
		'To: an object',
		'sendSms',
		{ items: [{ to: { phone: to } }] },
		"'To' is an object, not text | Use an expression that returns one number, e.g. {{ $json.phone }}. To send to a list, split it first, e.g. with a Split Out node.",
		{ parameters: { to: '={{ $json.to.phone }}' } },
	],
	[
		'To: a list',
		'sendSms',
		{ items: [{ to: [to, '5521998765432'] }] },
		"'To' is a list, not text | Use an expression that returns one number, e.g. {{ $json.phone }}. To send to a list, split it first, e.g. with a Split Out node.",
		{ items: two },
	],
	[
		'To: two numbers',
		'sendSms',
		{ items: [{ to: '+55 11 91234-5678, +55 21 99876-5432' }] },
		"'To' contains more than one phone number: '+55 11 91234-5678, +55 21 99876-5432' | Use one number per item: split the list first, e.g. with a Split Out node.",
		{ items: two },
	],
	[
		'To: a number without its country',
		'sendSms',
		{ items: [{ to: '(11) 91234-5678' }], credential: { defaultCountryCode: '' } },
		"'To' has no country code: '(11) 91234-5678' | Set 'Default Country Code' in the credential, e.g. 55, or write the number with + and its country code, e.g. +55 11 91234-5678.",
		{ credential: { defaultCountryCode: '55' } },
	],
	[
		'To: a number without its +',
		'sendSms',
		{ credential: { defaultCountryCode: '' } },
		"'To' has no country code: '5511912345678' | Set 'Default Country Code' in the credential, e.g. 55, or write the number with + and its country code, e.g. +55 11 91234-5678. Written +{{ … }}, it would be a number of Brazil (+55).",
		{ parameters: { to: '=+{{ $json.to }}' } },
	],
	[
		'To: a foreign number without its +',
		'sendSms',
		{ items: [{ to: '1 415 555 2671' }] },
		"'To' is not a valid number for Brazil (+55): '1 415 555 2671' | Enter one number with + and its country code, e.g. +55 11 91234-5678.",
		{ items: [{ to: '+1 415 555 2671' }] },
	],
	[
		'To: a name',
		'sendSms',
		{ items: [{ to: 'Ana' }] },
		"'To' is not a phone number: 'Ana' | Enter one number with + and its country code, e.g. +55 11 91234-5678.",
		{ items: two },
	],
	[
		'To: a digit is missing',
		'sendSms',
		{ items: [{ to: '+55 11 91234-567' }] },
		"'To' is not a valid number for Brazil (+55): '+55 11 91234-567' | Enter one number with + and its country code, e.g. +55 11 91234-5678. Mobile numbers in Brazil have nine digits since 2016: put a 9 before the last eight.",
		{ items: two },
	],
	[
		'To: a number without its area code',
		'sendSms',
		{ items: [{ to: '91234-5678' }] },
		"'To' has no area code: '91234-5678' | Write it with its area code (DDD), e.g. (11) 91234-5678.",
		{ items: [{ to: '(11) 91234-5678' }] },
	],
	[
		'To: a placeholder',
		'sendSms',
		{ items: [{ to: '(11) 99999-9999' }] },
		"'To' is a placeholder, not a number: '(11) 99999-9999' | Enter the number of the person, or leave this item out, e.g. with a Filter node. To send to it anyway, enter 5511999999999 and turn on 'Keep Number as Entered' in the options.",
		{ items: [{ to: '5511999999999' }], options: { keepNumberAsEntered: true } },
	],
	[
		'To: two numbers, with a word between',
		'sendSms',
		{ items: [{ to: '11 91234-5678 ou 21 99876-5432' }] },
		"'To' contains more than one phone number: '11 91234-5678 ou 21 99876-5432' | Use one number per item: split the list first, e.g. with a Split Out node.",
		{ items: two },
	],
	[
		'To: rounded by a spreadsheet',
		'sendSms',
		{ items: [{ to: '5.51191E+12' }] },
		"'To' seems to be rounded: '5.51191E+12' | Spreadsheets do that to long numbers. Format the column as text there, and enter the number again.",
		{ items: two },
	],
	[
		'To: a landline',
		'sendSms',
		{ items: [{ to: '+55 11 3333-4444' }], options: { refuseLandlines: true } },
		"'To' is a landline: '+551133334444' | Enter a mobile number, or turn off 'Refuse Landlines' in the options.",
		{ options: { refuseLandlines: false } },
	],
	[
		'Keep Number as Entered: more than digits',
		'sendSms',
		{ items: [{ to: '+55 11 91234-5678' }], options: { keepNumberAsEntered: true } },
		'The service rejected a value in the request: "to: must match pattern "^[0-9]+$"" | Correct the value that the service names.',
		{ items: two },
	],
	[
		'Text: an expression that gives nothing',
		'sendSms',
		{ parameters: { text: '={{ $json.txt }}' }, items: [{ to, text: 'Hello' }] },
		"The expression in 'Text' returned nothing for this item | Check the field name in the input panel.",
		{ parameters: { text: '={{ $json.text }}' } },
	],
	[
		'Text: an object',
		'sendSms',
		{ parameters: { text: '={{ $json.text }}' }, items: [{ to, text: { en: 'Hello' } }] },
		"'Text' is an object, not text | Use an expression that returns a single value, e.g. {{ $json.customer.name }}.",
		{ parameters: { text: '={{ $json.text.en }}' } },
	],
	[
		'Text: too long',
		'sendSms',
		{ parameters: { text: `Olá, ${'x'.repeat(80)}` }, options: { maxSegments: 1 } },
		"'Text' takes 2 segments, but 'Max Segments' allows 1 | Shorten the text, or raise 'Max Segments' in the options.",
		{ options: { maxSegments: 2 } },
	],
	[
		'Max Segments: a word',
		'sendSms',
		{ options: { maxSegments: 'one' } },
		"'Max Segments' must be a number, 1 or more | Enter a number, or use an expression that returns one.",
		{ options: { maxSegments: 1 } },
	],
	[
		'SMS Type: a word',
		'sendSms',
		{ options: { smsType: 'flash' } },
		"'SMS Type' is not a code in digits: 'flash' | Enter the code of your messaging service, e.g. 1.",
		{ options: { smsType: '1' } },
	],
	[
		'Schedule At: in the past',
		'sendSms',
		{ parameters: { scheduleAt: '2020-12-31T09:30:00' } },
		"'Schedule At' is in the past: '2020-12-31T09:30:00-05:00' | Enter a time in the future. To send the message now, leave the field empty.",
		{ parameters: { scheduleAt: later } },
	],
	[
		'Schedule At: late',
		'sendSms',
		{ parameters: { scheduleAt: '={{ $now.minus({ hours: 1 }) }}' } },
		"'Schedule At' is in the past: '",
		{ parameters: { scheduleAt: '={{ DateTime.max($now, $now.minus({ hours: 1 })) }}' } },
	],
	[
		'Schedule At: a date alone',
		'sendSms',
		{ parameters: { scheduleAt: "={{ '2030-12-31' }}" } },
		"'Schedule At' has no time of day: '2030-12-31' | Add one",
		{ parameters: { scheduleAt: "={{ '2030-12-31' + 'T09:30' }}" } },
	],
	[
		'Schedule At: a date as people write it',
		'sendSms',
		{ parameters: { scheduleAt: '31/12/2030 09:30' } },
		"'Schedule At' is not a date and time: '31/12/2030 09:30' | Use an expression: {{ DateTime.fromFormat($json.date, 'd/M/yyyy H:mm').toISO() }}.",
		{
			parameters: {
				scheduleAt: "={{ DateTime.fromFormat('31/12/2030 09:30', 'd/M/yyyy H:mm').toISO() }}",
			},
		},
	],
	[
		'Schedule At: no date',
		'sendSms',
		{ parameters: { scheduleAt: '09:30' } },
		"'Schedule At' is not a date and time: '09:30' | Pick a time, or use an expression that returns an ISO date and time",
		{ parameters: { scheduleAt: '={{ $now.plus({ hours: 2 }) }}' } },
	],
	[
		'Schedule At: an expression that gives nothing',
		'sendSms',
		{ parameters: { scheduleAt: '={{ $json.at }}' } },
		"The expression in 'Schedule At' returned nothing for this item | To send such messages now, use an expression that returns an empty text, e.g. {{ $json.sendAt ?? '' }}.",
		{ parameters: { scheduleAt: "={{ $json.sendAt ?? '' }}" } },
	],
	[
		'Timeout: in seconds',
		'sendSms',
		{ rules: { timeout: 30 } },
		"'Timeout' in the Messaging Gateway credential is in milliseconds, and 30 are too few to get an answer | Enter 1000 or more, e.g. 30000 for 30 seconds.",
		{ rules: { timeout: 30000 } },
	],
	[
		'Max Retries: below 0',
		'sendSms',
		{ rules: { maxRetries: -1 } },
		"'Max Retries' in the Messaging Gateway credential must be a number, 0 or more | Enter a number, e.g. the default 3.",
		{ rules: { maxRetries: 0 } },
	],
	[
		'Deduplication: one key for all',
		'sendSms',
		{ items: two, options: onceBy('reminder 1') },
		"The deduplication key is the same for all 2 items: 'reminder 1' | Use an expression that returns a different key for each message, e.g. {{ $json.orderId }}.",
		{ options: onceBy('reminder 1', 'keyAndNumber') },
	],
	[
		'Deduplication: an expression that gives nothing',
		'sendSms',
		{ items: [{ to, orderId: 7 }], options: onceBy('={{ $json.order }}') },
		"'Key' of 'Deduplication' is empty | Use an expression that returns a key for every item, or remove 'Deduplication'.",
		{ options: onceBy('={{ $json.orderId }}') },
	],
	[
		'Extra Fields (JSON): not JSON',
		'sendSms',
		{ options: { extraFields: 'sender: ACME' } },
		'\'Extra Fields (JSON)\' is not a JSON object | Enter an object, e.g. { "sender": "ACME" }, or use an expression that returns one',
		{ options: { extraFields: '{}' } },
	],
	[
		'Extra Fields (JSON): what has its own field',
		'sendSms',
		{ options: { extraFields: '{ "msg": "Hello" }' } },
		"'Extra Fields (JSON)' must not contain 'msg' | Enter the text in 'Text'.",
		{ parameters: { text: 'Hello' }, options: { extraFields: '{}' } },
	],
	[
		'Send Between: 9am',
		'sendSms',
		{ options: hours({ from: '9am' }) },
		"'From' of 'Send Between' is not a time of day: '9am' | Enter hours and minutes, e.g. 09:00.",
		{ options: hours({ from: '09:00' }) },
	],
	[
		'Send Between: no time left',
		'sendSms',
		{ options: hours({ from: '09:00', to: '09:00' }) },
		"'From' and 'To' of 'Send Between' leave no time: 09:00 to 09:00 | Enter two different times, with 'From' before 24:00.",
		{ options: hours({ from: '09:00', to: '18:00' }) },
	],
	[
		'Send Between: no day',
		'sendSms',
		{ options: hours({ days: [] }) },
		"'Days' of 'Send Between' is empty | Choose at least one day.",
		{ options: hours({}) },
	],
	[
		'Send Between: a city as the time zone',
		'sendSms',
		{ options: hours({}, { timezone: 'Brasilia' }) },
		"'Timezone' of 'Send Between' is not a time zone: 'Brasilia' | Enter a name such as America/Sao_Paulo or UTC",
		{ options: hours({}, { timezone: 'America/Sao_Paulo' }) },
	],
	[
		'Media URL: a file',
		'sendMedia',
		{
			file: { field: 'data', storage: 'filesystem' },
			parameters: { mediaUrl: '={{ $binary.data }}' },
		},
		"'Media URL' is an object, not text | Enter the full address of the media, e.g. https://example.com/photo.jpg. For a file of the workflow, set 'Media Source' to File.",
		{ parameters: { mediaSource: 'binary' } },
	],
	[
		'Media URL: the name of a field',
		'sendMedia',
		{ parameters: { mediaUrl: 'data' } },
		"'Media URL' is not a web address: 'data' | Enter the full address of the media, e.g. https://example.com/photo.jpg. For a file of the workflow, set 'Media Source' to File.",
		{ parameters: { mediaUrl: photo } },
	],
	[
		'Media URL: a path on this computer',
		'sendMedia',
		{ parameters: { mediaUrl: 'C:\\photos\\photo.jpg' } },
		"'Media URL' is not a web address: 'C:\\photos\\photo.jpg' | Enter the full address of the media, e.g. https://example.com/photo.jpg. For a file of the workflow, set 'Media Source' to File.",
		{ parameters: { mediaUrl: photo } },
	],
	[
		'Media URL: a sharing link',
		'sendMedia',
		{ parameters: { mediaUrl: 'https://drive.google.com/file/d/1abc/view?usp=sharing' } },
		"'Media URL' opens a page for sharing, not the file itself: 'https://drive.google.com/file/d/1abc/view?…' | Get the file with its node, e.g. Google Drive, and set 'Media Source' to File.",
		{ parameters: { mediaUrl: photo } },
	],
	[
		'Media URL: a sharing link with a MIME type',
		'sendMedia',
		{
			parameters: { mediaUrl: 'https://www.dropbox.com/s/1abc/photo.jpg?dl=0' },
			options: { mimeType: 'image/jpeg' },
		},
		"'Media URL' opens a page for sharing, not the file itself: 'https://www.dropbox.com/s/1abc/photo.jpg?…' | Get the file with its node, e.g. Google Drive, and set 'Media Source' to File. In a link of Dropbox, you can also write dl=1 instead of dl=0.",
		{ parameters: { mediaUrl: 'https://www.dropbox.com/s/1abc/photo.jpg?dl=1' } },
	],
	[
		'Media URL: no extension',
		'sendMedia',
		{ parameters: { mediaUrl: 'https://example.com/photo' } },
		"'Media URL' does not end in a known file extension | Get the file with its node, e.g. Google Drive, and set 'Media Source' to File, or use a direct link that ends in .jpg, .pdf or similar.",
		{ parameters: { mediaUrl: photo } },
	],
	[
		'Media URL: two links',
		'sendMedia',
		{ parameters: { mediaUrl: `${photo}, ${photo}` } },
		"'Media URL' contains more than one address: 'https://example.com/photo.jpg, https://example.com/photo.jpg' | Use one address per item.",
		{ parameters: { mediaUrl: photo } },
	],
	[
		'Media URL: a space',
		'sendMedia',
		{ parameters: { mediaUrl: 'https://example.com/my photo.jpg' } },
		"'Media URL' contains a space or an invisible character: 'https://example.com/my photo.jpg' | Write a space as %20.",
		{ parameters: { mediaUrl: 'https://example.com/my%20photo.jpg' } },
	],
	[
		'Media URL: an address at home',
		'sendMedia',
		{
			credential: { baseUrl: 'https://api.example.com' },
			parameters: { mediaUrl: 'http://localhost:5678/photo.jpg' },
		},
		"The service could not open 'Media URL', which is in a private network: 'http://localhost:5678/photo.jpg' | Enter an address that opens from anywhere, e.g. https://example.com/photo.jpg. For a file of the workflow, set 'Media Source' to File.",
		{ credential: { baseUrl: '$url' }, parameters: { mediaUrl: photo } },
	],
	[
		"Media Type: another than the file's",
		'sendMedia',
		{ parameters: { mediaType: 'video' } },
		"'Media Type' is 'video', but the media is image/jpeg | Choose the matching 'Media Type', or Document for any file.",
		{ parameters: { mediaType: 'document' } },
	],
	[
		'MIME Type: an extension',
		'sendMedia',
		{ options: { mimeType: 'jpg' } },
		"'MIME Type' is not a MIME type: 'jpg' | Enter a type and a subtype with a slash between them, e.g. image/jpeg.",
		{ options: { mimeType: 'image/jpeg' } },
	],
	[
		'Media Source: a file in memory',
		'sendMedia',
		{ file: { field: 'data' }, parameters: { mediaSource: 'binary' } },
		"n8n has no link to the file in 'data', because it keeps the file in memory | Set the environment variable N8N_DEFAULT_BINARY_DATA_MODE to filesystem and restart n8n.",
		{ file: { field: 'data', storage: 'filesystem' } },
	],
	[
		'Input Data Field Name: no file',
		'sendAudio',
		{ parameters: { audioSource: 'binary' } },
		"This item has no file in 'data' | Add a node before this one that outputs a file, e.g. HTTP Request, Google Drive or Read/Write Files from Disk.",
		{ file: { field: 'data' } },
	],
	[
		'Input Data Field Name: another field',
		'sendAudio',
		{ file: { field: 'voice' }, parameters: { audioSource: 'binary' } },
		"This item has no file in 'data' | Set 'Input Data Field Name' to 'voice'.",
		{ parameters: { binaryPropertyName: 'voice' } },
	],
	[
		'Input Data Field Name: the file itself',
		'sendAudio',
		{
			file: { field: 'data' },
			parameters: { audioSource: 'binary', binaryPropertyName: '={{ $binary.data }}' },
		},
		"'Input Data Field Name' is an object, not text | Enter the name of the field that contains the file, e.g. data, without an expression.",
		{ parameters: { binaryPropertyName: 'data' } },
	],
	[
		'Audio: an image',
		'sendAudio',
		{ file: { field: 'data', mimeType: 'image/png' }, parameters: { audioSource: 'binary' } },
		"The file in 'data' is not audio but image/png | Set 'Input Data Field Name' to the field that contains the audio. If this is audio, set 'MIME Type' in the options",
		{ options: { mimeType: 'audio/ogg' } },
	],
	[
		'Audio (Base64): a link',
		'sendAudio',
		{ parameters: { audioBase64: 'https://example.com/a.ogg' } },
		"'Audio (Base64)' is not valid Base64 | Enter the audio as Base64 text without line breaks.",
		{ parameters: { audioBase64: audio } },
	],
	[
		'Audio (Base64): a file',
		'sendAudio',
		{ file: { field: 'data' }, parameters: { audioBase64: '={{ $binary.data }}' } },
		"'Audio (Base64)' is an object, not text | Enter the audio as Base64 text without line breaks. For a file of the workflow, set 'Audio Source' to File.",
		{ parameters: { audioSource: 'binary' } },
	],
	[
		'Audio (Base64): of an unknown type',
		'sendAudio',
		{ parameters: { audioBase64: 'bm8gYXVkaW8h' } },
		"The MIME type of 'Audio (Base64)' is unknown | Enter audio as Base64 text. If this is audio, set 'MIME Type' in the options, e.g. audio/ogg.",
		{ parameters: { audioBase64: 'bm8gYXVkaW8h' }, options: { mimeType: 'audio/ogg' } },
	],
	[
		"Chat App Mode: a word of one's own",
		'sendAudio',
		{ options: { chatAppMode: 'mine' } },
		"'Chat App Mode' cannot be 'mine' | Choose from the list, or use an expression that returns private or shared.",
		{ options: { chatAppMode: 'private' } },
	],
	[
		'Message ID: an expression that gives nothing',
		'getSmsStatus',
		{ items: [{ messageId: 'm1' }], parameters: { messageId: '={{ $json.id }}' } },
		"The expression in 'Message ID' returned nothing for this item | Check the field name in the input panel.",
		{ parameters: { messageId: '={{ $json.messageId }}' } },
	],
	[
		'Message ID: of the other channel',
		'getSmsStatus',
		{
			parameters: { channel: 'chatApp', messageId: failed.messageId },
			options: { notFound: 'error' },
		},
		"The message was not found | Check 'Channel', the message ID or number, and 'Campaign ID' if it is set.",
		{ parameters: { channel: 'sms' } },
	],
	[
		'Find By: a number without its country',
		'getSmsStatus',
		{ parameters: { findBy: 'to', to: '11 91234-5678' }, credential: { defaultCountryCode: '' } },
		"'To' has no country code: '11 91234-5678' | Set 'Default Country Code' in the credential, e.g. 55, or write the number with + and its country code, e.g. +55 11 91234-5678.",
		{ parameters: { to: '+55 11 91234-5678' } },
	],
	[
		'Campaign ID: a name',
		'getSmsCampaign',
		{ parameters: { campaignId: byId('Boas-vindas') } },
		"The service could not find this campaign: \"Campanha não encontrada.\" | Enter the ID, not the name. Check 'Campaign ID' and 'Channel'.",
		{ parameters: { campaignId: byId(sms.finished) } },
	],
	[
		'Channel: the other one',
		'getChatAppCampaign',
		{ parameters: { campaignId: sms.finished } },
		"The service could not find this campaign: \"Campanha não encontrada.\" | Enter the ID, not the name. Check 'Campaign ID' and 'Channel'.",
		{ parameters: { channel: 'sms' } },
	],
	[
		'Campaign: Delete: one that still sends',
		'deleteCampaign',
		{ parameters: { campaignId: chatApp.scheduled } },
		'The service does not allow deleting this campaign: "Exclusão não permitida." | Check with \'Campaign: Get\' whether its messages are still queued, and delete it later.',
		{ parameters: { campaignId: chatApp.finished } },
	],
	[
		'Limit: 0',
		'listSmsCampaigns',
		{ parameters: { limit: 0 } },
		"'Limit' must be a number, 1 or more | Enter a number, or use an expression that returns one.",
		{ parameters: { limit: 1 } },
	],
	[
		'API Key: Revoke: a name',
		'revokeApiKey',
		{ parameters: { keyId: byId('CRM') } },
		"The service has no API key with the ID 'CRM' | Choose the key from the list, or get its 'id' with 'API Key: Get Many'.",
		{ parameters: { keyId: byId('key-crm') } },
	],
	[
		'URL: no https://',
		'setWebhook',
		{ parameters: { url: 'example.com/notifications' } },
		"'URL' is not a web address: 'example.com/notifications' | Enter the full address, e.g. https://example.com/notifications.",
		{ parameters: { url: 'https://example.com/notifications' } },
	],
	[
		'URL: an address at home',
		'setWebhook',
		{
			credential: { baseUrl: 'https://api.example.com' },
			parameters: { url: 'http://192.168.1.20:5678/webhook/sms' },
		},
		"The service could not open 'URL', which is in a private network: 'http://192.168.1.20:5678/webhook/sms' | Enter an address that opens from anywhere, e.g. https://example.com/notifications.",
		{ credential: { baseUrl: '$url' }, parameters: { url: 'https://example.com/notifications' } },
	],
	[
		'Enable: a word',
		'setWebhook',
		{ parameters: { enable: 'yes' } },
		"'Enable' must be true or false | Use an expression that returns true or false.",
		{ parameters: { enable: '={{ true }}' } },
	],
	[
		'Choices: none',
		'ask',
		{ parameters: { responseType: 'choice', choices: {} } },
		"'Choices' is empty | Add a choice for each possible answer.",
		{ parameters: choices('Yes', 'No') },
	],
	[
		'Choices: no label',
		'ask',
		{ parameters: choices('Yes', '') },
		"'Label' of 'Choices' is empty | Enter the label of the button.",
		{ parameters: choices('Yes', 'No') },
	],
	[
		'Choices: the same twice',
		'ask',
		{ parameters: choices('Yes', 'Yes') },
		"'Choices' has two buttons with the same label: 'Yes' | Give each button a different label.",
		{ parameters: choices('Yes', 'No') },
	],
	[
		'Limit Wait Time: in the past',
		'ask',
		{ options: limit({ limitType: 'atSpecifiedTime', maxDateAndTime: '2020-12-31T09:30:00' }) },
		"'Limit Wait Time' ends before anybody could answer | Enter a time in the future, or an amount above 0.",
		{ options: limit({ limitType: 'atSpecifiedTime', maxDateAndTime: later }) },
	],
	[
		'Limit Wait Time: no date',
		'ask',
		{ options: limit({ limitType: 'atSpecifiedTime' }) },
		"'Max Date and Time' is empty | Pick a time, or use an expression that returns an ISO date and time",
		{ options: limit({ limitType: 'atSpecifiedTime', maxDateAndTime: later }) },
	],
	[
		'a question to two people',
		'ask',
		{ items: two },
		"'Send SMS and Wait for Response' takes one item, not 2 |",
		{ items: [{ to }] },
	],
	[
		'a question that is answered already',
		'ask',
		{ items: [{ to, data: { approved: true } }] },
		"The item already contains 'data.approved', although nobody has answered yet | Remove 'data' from the item with an Edit Fields node before this node.",
		{ items: [{ to }] },
	],
	[
		'a question from an n8n at localhost',
		'ask',
		{ credential: { baseUrl: 'https://api.example.com' }, instanceUrl: 'http://localhost:5678' },
		'The recipient could not open the link to this n8n at http://localhost:5678 | Set the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.40) to the public https address of n8n, then restart n8n.',
	],
	[
		'Base URL: a word',
		'sendSms',
		{ credential: { baseUrl: 'gateway' } },
		"'Base URL' in the Messaging Gateway credential is not a web address | Enter the full address of the service, e.g. https://api.example.com",
		{ credential: { baseUrl: '$url' } },
	],
	[
		"Base URL: nobody's",
		'sendSms',
		{ credential: { baseUrl: 'http://127.0.0.1:9' } },
		`Could not connect to the service at http://127.0.0.1:9 | ${check('Base URL')}`,
		{ credential: { baseUrl: '$url' } },
	],
	[
		'Base URL: of something else',
		'sendSms',
		{ credential: { baseUrl: '$url/v3' } },
		`The service does not know this address: "Not Found" | ${check('Base URL')}: only the part before /v1 or /v2, with its path prefix if it has one.`,
		{ credential: { baseUrl: '$url' } },
	],
	[
		'Base URL: http in place of https',
		'sendSms',
		{ redirectsTo: 'https://api.example.com/v1/sms/enviar' },
		"The service redirects to https://api.example.com/v1/sms/enviar (HTTP 301) | Enter the final address as 'Base URL' in the Messaging Gateway credential.",
		{},
	],
	[
		'API Key: wrong',
		'sendSms',
		{ credential: { apiKey: 'wrong' } },
		`The service rejected the credential: "Token inválido." | ${check('API Key')}.`,
		{ credential: { apiKey: SEEDS.apiKey } },
	],
	[
		'API Key: revoked',
		'sendSms',
		{ credential: { apiKey: SEEDS.apiKeys[4]!.key } },
		`The service rejected the credential: "Token inválido." | ${check('API Key')}.`,
		{ credential: { apiKey: SEEDS.apiKey } },
	],
	[
		'Instance Token: wrong',
		'sendMedia',
		{ credential: { instanceToken: 'wrong' } },
		"The service rejected the credential: \"Token inválido.\" | Check 'API Key' and 'Instance Token' in the Messaging Gateway credential.",
		{ credential: { instanceToken: SEEDS.instanceToken } },
	],
	[
		'Instance Token: missing',
		'getChatAppCampaign',
		{ credential: { instanceToken: '' } },
		"'Instance Token' is missing in the Messaging Gateway credential | Copy the token of your chat-app instance from your messaging service. For SMS, which needs neither, set 'Channel' to SMS",
		{ credential: { instanceToken: SEEDS.instanceToken } },
	],
	[
		'Chat App Name: missing',
		'sendMedia',
		{ credential: { chatAppName: '' } },
		"'Chat App Name' is missing in the Messaging Gateway credential | 'Chat App Name' is the word between /v2/ and /message in the addresses of your service's documentation.",
		{ credential: { chatAppName: 'chatapp' } },
	],
	[
		'Chat App Name: wrong',
		'sendMedia',
		{ credential: { chatAppName: 'wrong' } },
		`The service does not know this address: "Not Found" | ${check('Chat App Name')}: the word between /v2/ and /message in the addresses of your service's documentation.`,
		{ credential: { chatAppName: 'chatapp' } },
	],
	[
		'Default Country Code: a name',
		'sendSms',
		{ credential: { defaultCountryCode: 'Brazil' } },
		"'Default Country Code' in the Messaging Gateway credential is not a country: 'Brazil' | Enter a calling code, e.g. 55, or a country, e.g. BR, or leave it empty.",
		{ credential: { defaultCountryCode: 'BR' } },
	],
	[
		'Only These Countries: a name',
		'sendSms',
		{ credential: { allowedCountries: 'Brazil' } },
		"'Only These Countries' in the Messaging Gateway credential is not a list of countries: 'Brazil' | Enter countries by their two letters, e.g. BR, PT, or leave it empty.",
		{ credential: { allowedCountries: 'BR' } },
	],
	[
		'Only These Countries: not this one',
		'sendSms',
		{ credential: { allowedCountries: 'PT' } },
		"'To' is a number of Brazil: '+5511912345678' | 'Only These Countries' in the credential allows PT. Enter a number of these countries, or add BR to them.",
		{ credential: { allowedCountries: 'PT, BR' } },
	],
	[
		'SMS Schedule Timezone: a city',
		'sendSms',
		{ credential: { smsScheduleTimezone: 'Brasilia' }, parameters: { scheduleAt: later } },
		"'SMS Schedule Timezone' in the Messaging Gateway credential is not a time zone: 'Brasilia' | Enter a name such as America/Sao_Paulo or UTC",
		{ credential: { smsScheduleTimezone: 'America/Sao_Paulo' } },
	],
	[
		'Only Use in This n8n: another',
		'sendSms',
		{ credential: { n8nAddress: 'https://n8n.example.com' } },
		"The Messaging Gateway credential may only be used in the n8n at https://n8n.example.com, and this one is at http://localhost:1/ | If this is the right n8n, correct 'Only Use in This n8n' in the credential.",
		{ credential: { n8nAddress: 'http://localhost:1' } },
	],
	[
		'Do Not Contact Workflow ID: a name',
		'sendSms',
		{ credential: { doNotContactWorkflowId: 'Stop list' }, subWorkflow: noSuchWorkflow },
		"The do-not-contact workflow 'Stop list' did not work: n8n has no published workflow with this ID | Enter the last part of the workflow's address in the editor as its ID in the credential, and publish it.",
		{ credential: { doNotContactWorkflowId: 'Kb3dEf6hJ9kLmN0p' }, subWorkflow: allowAll },
	],
	[
		'Deduplication Workflow ID: a name',
		'sendSms',
		{
			credential: { deduplicationWorkflowId: 'Key store' },
			options: onceBy('order 1'),
			subWorkflow: noSuchWorkflow,
		},
		"The deduplication workflow 'Key store' did not work: n8n has no published workflow with this ID | Enter the last part of the workflow's address in the editor as its ID in the credential, and publish it.",
		{ credential: { deduplicationWorkflowId: 'Kb3dEf6hJ9kLmN0p' }, ...keysInWorkflow() },
	],
	[
		'Campaign ID Parameter: wrong',
		'getSmsCampaign',
		{ credential: { campaignIdParameter: 'id' } },
		'The service rejected a value in the request: "query.id: must NOT have additional properties" | Correct the value that the service names. If it names none of yours, check \'Campaign ID Parameter\' in the Messaging Gateway credential.',
		{ credential: { campaignIdParameter: '' } },
	],
	[
		'Key Status Parameter: wrong',
		'listApiKeys',
		{ credential: { keyStatusParameter: 'estado' }, parameters: { filters: { status: 'active' } } },
		'The service rejected a value in the request: "query.estado: must NOT have additional properties" | Correct the value that the service names. If it names none of yours, check \'Key Status Parameter\' in the Messaging Gateway credential.',
		{ credential: { keyStatusParameter: '' } },
	],
	[
		'Audio Schedule Field: wrong',
		'sendAudio',
		{ credential: { audioScheduleField: 'at' }, parameters: { scheduleAt: later } },
		'The service rejected a value in the request: "at: must NOT have additional properties" | Correct the value that the service names. If it names none of yours, check \'Audio Schedule Field\' in the Messaging Gateway credential.',
		{ credential: { audioScheduleField: '' } },
	],
	[
		'the chat app is disconnected',
		'sendMedia',
		{ connected: false },
		'The chat-app instance is disconnected: "Instância desconectada." | Reconnect the instance in your messaging service.',
		{},
	],
];

// Rest parameters: jest would pass its callback for one that a row leaves out.
test.each(mistakes)('%s', async (...[, id, made, said, done]) => {
	const error = errorOf(await run(id, made));
	expect(error?.slice(0, said.length)).toBe(said);
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
