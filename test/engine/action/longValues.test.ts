/** Whatever stands in a field: an error shows the beginning of it, and no query of an address. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useGateway, type ActionId } from './support';

const gateway = useGateway();

type Fields = { parameters?: INodeParameters; options?: INodeParameters; credential?: IDataObject };

/** Where a value may stand that this node refuses. */
const places: Array<[ActionId, string, (value: string) => Fields]> = [
	['sendMedia', 'Media URL', (mediaUrl) => ({ parameters: { mediaUrl } })],
	['sendMedia', 'MIME Type', (mimeType) => ({ options: { mimeType } })],
	['sendMedia', 'Schedule At', (scheduleAt) => ({ options: { scheduleAt } })],
	['sendAudio', 'Audio Source', (audioSource) => ({ parameters: { audioSource } })],
	['sendAudio', 'Chat App Mode', (chatAppMode) => ({ parameters: { chatAppMode } })],
	['sendAudio', 'Audio (Base64)', (audioBase64) => ({ parameters: { audioBase64 } })],
	[
		'sendAudio',
		'the MIME type of a data URI',
		(value) => ({ parameters: { audioBase64: `data:${value};base64,T2dn` } }),
	],
	['sendAudio', 'MIME Type', (mimeType) => ({ options: { mimeType } })],
	[
		'sendAudio',
		'Input Data Field Name',
		(binaryPropertyName) => ({ parameters: { audioSource: 'binary', binaryPropertyName } }),
	],
	['sendSms', 'SMS Type', (smsType) => ({ parameters: { smsType } })],
	[
		'sendSms',
		'SMS Schedule Timezone',
		(smsScheduleTimezone) => ({
			options: { scheduleAt: '2100-01-01T09:00' },
			credential: { smsScheduleTimezone },
		}),
	],
	['setWebhook', 'URL', (url) => ({ parameters: { url } })],
	['setWebhook', 'Enable', (value) => ({ parameters: { enable: `=${value}` } })],
	['listSmsCampaigns', 'Channel', (channel) => ({ parameters: { channel } })],
];

describe.each(places)('%s, %s', (action, _, fields) => {
	it.each([300_000, 5_000_000])('of %d characters: the error is short', async (length) => {
		const { error } = await gateway.run(action, fields('x'.repeat(length)));
		expect(gateway.sandbox.requests()).toEqual([]);
		expect(error?.message).toBeTruthy();
		expect(`${error?.message} ${error?.description}`.length).toBeLessThan(1_000);
	});

	it.each(['//cdn.example/a.jpg', 'https://cdn.example /a.jpg', 'cdn.example/a.jpg'])(
		'%s with a signature: the error shows none',
		async (address) => {
			const { error } = await gateway.run(action, fields(`${address}?X-Amz-Signature=4f1c9a7b`));
			expect(gateway.sandbox.requests()).toEqual([]);
			expect(error?.message).toBeTruthy();
			expect(`${error?.message} ${error?.description}`).not.toContain('4f1c9a7b');
		},
	);
});
