/** Mistakes of newcomers: each error names the field, says what is wrong, and what to do first. */
import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../../tools/sandbox';
import { audioBase64, to, useGateway, type ActionId, type ActionOptions } from './support';

const gateway = useGateway();
const onError = 'continueRegularOutput';

async function errorOf(id: ActionId, action: ActionOptions): Promise<string> {
	const run = await gateway.run(id, { ...action, onError });
	const { message, hint } = run.outputs[0]![0]!.json.error as IDataObject;
	return `${message as string} | ${hint as string}`;
}

test.each<[string, ActionId, ActionOptions, string]>([
	[
		'a number without its country',
		'sendSms',
		{ items: [{ to: '(11) 91234-5678' }], credential: { defaultCountryCode: '' } },
		"'To' has no country code: '(11) 91234-5678' | Write it with + (+55 11 …), write +{{ … }} if only the + is missing, or set 'Default Country Code' in the credential.",
	],
	[
		'two numbers',
		'sendSms',
		{ items: [{ to: '+55 11 91234-5678, +55 21 99876-5432' }] },
		"'To' contains more than one phone number: '+55 11 91234-5678, +55 21 99876-5432' | Use one number per item: split the list first, e.g. with a Split Out node.",
	],
	[
		'a wrong key',
		'sendSms',
		{ credential: { apiKey: 'wrong' } },
		'The service rejected the credential: "Token inválido." | Check \'API Key\' in the Messaging Gateway credential.',
	],
	[
		'a wrong address of the service',
		'sendSms',
		{ credential: { baseUrl: 'http://127.0.0.1:9' } },
		"Could not connect to the service at http://127.0.0.1:9 | Check 'Base URL' in the Messaging Gateway credential",
	],
	[
		'an expression that gives nothing',
		'sendSms',
		{ items: [{ phone: to }] },
		"The expression in 'To' returned nothing for this item | Check the field name in the input panel.",
	],
	[
		'a sharing link',
		'sendMedia',
		{ parameters: { mediaUrl: 'https://drive.google.com/file/d/1abc/view?usp=sharing' } },
		"'Media URL' does not end in a known file extension | Use a direct link that ends in .jpg, .pdf or similar; sharing links do not work.",
	],
	[
		'a time-out in seconds',
		'sendSms',
		{ options: { timeout: 30 } },
		"'Timeout' is in milliseconds, and 30 are too few to get an answer | Enter 1000 or more, e.g. 30000 for 30 seconds.",
	],
	[
		'the wrong binary field',
		'sendAudio',
		{
			items: [
				{ json: { to }, binary: { file: { mimeType: 'audio/ogg', data: audioBase64 } } },
			] as never,
			parameters: { audioSource: 'binary' },
		},
		"This item has no file in 'data' | Set 'Input Data Field Name' to 'file'.",
	],
	[
		'the wrong channel',
		'getChatAppCampaign',
		{ credential: { instanceToken: '' } },
		"'Instance Token' is missing in the Messaging Gateway credential | Turn on 'Chat App' in the credential. Copy the token of your chat-app instance from your messaging service. For SMS, which needs neither, set 'Channel' to SMS",
	],
	[
		'no name of the chat app',
		'sendMedia',
		{ credential: { chatAppName: '' } },
		"'Chat App Name' is missing in the Messaging Gateway credential | Turn on 'Chat App' in the credential. 'Chat App Name' is the word between /v2/ and /message in the addresses of your service's documentation.",
	],
])('%s', async (_, id, action, expected) => {
	const error = await errorOf(id, action);
	expect(error.slice(0, expected.length)).toBe(expected);
	expect(gateway.sandbox.accepted()).toEqual([]);
});

test('a wrong name of the chat app', async () => {
	// As most services answer at an address that they do not have.
	gateway.sandbox.fault({ fault: { status: 404, body: { detail: 'Not Found' } } });
	const error = await errorOf('sendMedia', { credential: { chatAppName: 'wrong' } });
	expect(error).toContain(
		"Check 'Base URL' and 'Chat App Name' in the Messaging Gateway credential.",
	);
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
