/** An error shows only the beginning of a value, and no query of an address. */
import { onceBy } from '../../../tools/shared/deduplication';
import { numbers, to, useGateway, type ActionId, type ActionOptions } from './support';

const gateway = useGateway();

type Fields = Pick<ActionOptions, 'parameters' | 'options' | 'credential' | 'items'>;

/** Fields whose values may be refused. */
const places: Array<[ActionId, string, (value: string) => Fields]> = [
	['sendMedia', 'To', (value) => ({ parameters: { to: value } })],
	['sendMedia', 'Media URL', (mediaUrl) => ({ parameters: { mediaUrl } })],
	['sendMedia', 'MIME Type', (mimeType) => ({ options: { mimeType } })],
	['sendMedia', 'Schedule At', (scheduleAt) => ({ parameters: { scheduleAt } })],
	['sendAudio', 'Audio Source', (audioSource) => ({ parameters: { audioSource } })],
	['sendAudio', 'Chat App Mode', (chatAppMode) => ({ options: { chatAppMode } })],
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
	['sendSms', 'SMS Type', (smsType) => ({ options: { smsType } })],
	[
		'sendSms',
		'SMS Schedule Timezone',
		(smsScheduleTimezone) => ({
			parameters: { scheduleAt: '2100-01-01T09:00' },
			credential: { smsScheduleTimezone },
		}),
	],
	[
		'sendSms',
		'Default Country Code',
		(defaultCountryCode) => ({ credential: { defaultCountryCode } }),
	],
	['sendSms', 'Deduplication', (key) => ({ options: onceBy(key), items: numbers(2) })],
	[
		'sendSms',
		'Label',
		(label) => ({
			parameters: {
				operation: 'sendAndWait',
				message: 'Which?',
				responseType: 'choice',
				choices: { values: [{ label }, { label }] },
			},
		}),
	],
	['setWebhook', 'URL', (url) => ({ parameters: { url } })],
	['setWebhook', 'Enable', (value) => ({ parameters: { enable: `=${value}` } })],
	['listSmsCampaigns', 'Channel', (channel) => ({ parameters: { channel } })],
];

describe.each(places)('%s, %s', (action, _, fields) => {
	it('of a million characters: the error is short', async () => {
		const { error } = await gateway.run(action, fields('x'.repeat(1_000_000)));
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

it.each(['x'.repeat(300_000), 'https://cdn.example/a.jpg?X-Amz-Signature=4f1c9a7b'])(
	'a key that was used for another number is not shown whole',
	async (key) => {
		const { error } = await gateway.run('sendSms', {
			options: onceBy('={{ $json.key }}'),
			rules: { maxConcurrency: 1 },
			items: [
				{ to, key },
				{ to: '5511912345679', key },
			],
		});
		expect(error?.description).toContain('The deduplication key');
		expect(`${error?.message} ${error?.description}`.length).toBeLessThan(1_000);
		expect(`${error?.message} ${error?.description}`).not.toContain('4f1c9a7b');
	},
);
