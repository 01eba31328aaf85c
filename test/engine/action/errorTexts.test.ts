/** What an error shows of a value: only its beginning, and no query of an address. */
import { onceBy } from '../../../tools/shared/deduplication';
import { isLinear, manyTraces } from '../../../tools/shared/linear';
import { parametersFor } from '../../../tools/shared/operations';
import {
	numbers,
	operationIds,
	to,
	useGateway,
	type ActionId,
	type ActionOptions,
} from './support';

const gateway = useGateway();

const asked = {
	parameters: {
		operation: 'sendAndWait',
		message: 'Which?',
		responseType: 'choice',
		choices: { values: [{ label: '…' }, { label: '…' }] },
	},
};
const zoned = {
	parameters: { scheduleAt: '2100-01-01T09:00' },
	credential: { smsScheduleTimezone: '…' },
};

/** Fields whose values may be refused; … stands for the value. */
const places: Array<[ActionId, string, ActionOptions]> = [
	['sendMedia', 'To', { parameters: { to: '…' } }],
	['sendMedia', 'Media URL', { parameters: { mediaUrl: '…' } }],
	['sendMedia', 'MIME Type', { options: { mimeType: '…' } }],
	['sendMedia', 'Schedule At', { parameters: { scheduleAt: '…' } }],
	['sendAudio', 'Chat App Mode', { options: { chatAppMode: '…' } }],
	['sendAudio', 'MIME Type', { options: { mimeType: '…' } }],
	['sendAudio', 'File', { parameters: { binaryPropertyName: '…' } }],
	['sendSms', 'SMS Schedule Timezone', zoned],
	['sendSms', 'Default Country Code', { credential: { defaultCountryCode: '…' } }],
	['sendSms', 'Deduplication', { options: onceBy('…'), items: numbers(2) }],
	['sendSms', 'Deduplication', { options: onceBy('={{ "…" }}'), items: numbers(2) }],
	['sendSms', 'Label', asked],
	['setWebhook', 'URL', { parameters: { url: '…' } }],
	['setWebhook', 'Enable', { parameters: { enable: '=…' } }],
	['listSmsCampaigns', 'Channel', { parameters: { channel: '…' } }],
];
const addresses = ['//cdn.example/a.jpg', 'https://cdn.example /a.jpg', 'cdn.example/a.jpg'];
const values = [
	'x'.repeat(1_000_000),
	...addresses.map((url) => `${url}?X-Amz-Signature=4f1c9a7b`),
];

it.each(places)('%s, %s: an error shows only the beginning', async (action, _, fields) => {
	for (const value of values) {
		const filled = JSON.stringify(fields).replaceAll('…', value);
		const { error } = await gateway.run(action, JSON.parse(filled) as ActionOptions);
		expect(gateway.sandbox.requests()).toEqual([]);
		expect(error?.message).toBeTruthy();
		expect(`${error?.message} ${error?.description}`.length).toBeLessThan(1_000);
		expect(`${error?.message} ${error?.description}`).not.toContain('4f1c9a7b');
	}
});

/** Of 1 MB: what an expression that looks back at each character reads for minutes. */
const hostile = ['eyJ'.repeat(350_000), '5'.repeat(1_000_000), manyTraces];

it.each(operationIds)('%s: 1 MB in a field or in the answer keeps nobody waiting', async (id) => {
	const texts = Object.entries(parametersFor(id)).filter(
		([name, value]) => typeof value === 'string' && name !== 'resource' && name !== 'operation',
	);
	for (const value of hostile) {
		for (const [name] of texts) {
			const action = { items: [{ to, value }], parameters: { [name]: '={{ $json.value }}' } };
			const run = async () => await gateway.run(id, action);
			expect([name, await isLinear(run)]).toEqual([name, true]);
		}
		gateway.sandbox.fault({ fault: { refuse: value } });
		expect(await isLinear(async () => await gateway.run(id))).toBe(true);
		gateway.sandbox.clearFaults();
	}
});
