/** The errors of items that are refused before their request, as a snapshot. */
import type { IDataObject, INodeProperties, NodeOperationError } from 'n8n-workflow';

import type { Operation } from '../../../nodes/MessagingGateway/operation';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { credential, type ContextOptions } from '../../../tools/shared/context';
import { makeItemOf } from '../../../tools/shared/item';

const operations = resources.flatMap(({ name, operations: all }) =>
	all.map((operation) => ({ title: `${name}: ${operation.name}`, operation })),
);

async function textOf(operation: Operation, parameters: IDataObject, more: ContextOptions = {}) {
	const item = await makeItemOf(operation, parameters, more);
	try {
		if (operation.dryRun?.(item)) return 'is tried';
		await operation.request(item);
		return 'is sent';
	} catch (error) {
		const { message, description } = error as NodeOperationError;
		return `${message} | ${description}`;
	}
}

/** Invalid values by type of field. */
const wrong: Record<string, unknown[]> = {
	boolean: ['perhaps'],
	number: ['many', 0],
	options: ['other'],
};
const wrongFor = ({ type }: INodeProperties) => wrong[type] ?? [{}, []];

describe.each(operations)('$title', ({ operation }) => {
	const set = ({ type, name }: INodeProperties, value: unknown) => ({
		[name]: type === 'resourceLocator' ? { mode: 'id', value } : value,
	});

	it('invalid fields', async () => {
		const fields = operation.fields.filter(({ type }) => type !== 'notice');
		for (const field of fields) {
			for (const value of ['', ...wrongFor(field)]) {
				const text = await textOf(operation, set(field, value) as IDataObject);
				expect(text).toMatchSnapshot(`${field.displayName} = ${JSON.stringify(value)}`);
			}
		}
	});

	it('invalid options', async () => {
		for (const option of operation.options ?? []) {
			const entered = { parameters: { options: { [option.name]: '={{ $json.nothing }}' } } };
			for (const value of [undefined, null, ...wrongFor(option)]) {
				const options = { [option.name]: value } as IDataObject;
				const text = await textOf(operation, { options }, entered);
				expect(text).toMatchSnapshot(`${option.displayName} = ${JSON.stringify(value)}`);
			}
		}
	});
});

const named = (value: string) =>
	operations.find(({ operation }) => operation.value === value)!.operation;
const file = (mimeType: string, more = {}) => ({
	files: { voice: { mimeType, data: 'filesystem', ...more } },
	stored: { 'file-1': Buffer.alloc(0) },
});
const ofFile = { audioSource: 'binary', binaryPropertyName: 'voice' };

it.each<[string, IDataObject, ContextOptions?]>([
	...['12', '(11) 91234-5678', '5511912345678.5', '2024-12-31', '192.168.100.200'].map(
		(to): [string, IDataObject] => ['sendSms', { to }],
	),
	...['+39 (0)331 776543', '+55 11 3333-4444/45', '123.456.789-09', 'Ana'].map(
		(to): [string, IDataObject] => ['sendSms', { to }],
	),
	[
		'sendSms',
		{ to: '011912345678' },
		{ credential: { ...credential, defaultCountryCode: 'Brazil' } },
	],
	['sendSms', { options: { scheduleAt: 'soon' } }],
	['sendSms', { options: { scheduleAt: '2020-01-01T00:00:00' } }],
	[
		'sendSms',
		{ options: { scheduleAt: '2090-01-01T00:00:00' } },
		{ credential: { ...credential, smsScheduleTimezone: 'Brasilia' } },
	],
	['sendSms', { options: { additionalBodyFields: '[]' } }],
	['sendSms', { options: { additionalBodyFields: '{ "to": 1 }' } }],
	...['x'.repeat(161), 'ã'.repeat(71), `“${'ã'.repeat(71)}`].map((text): [string, IDataObject] => [
		'sendSms',
		{ text, options: { maxSegments: 1 } },
	]),
	['sendMedia', { mediaUrl: 'photo.jpg' }],
	['sendMedia', { mediaUrl: 'https://x.example/photo' }],
	['sendAudio', { audioBase64: 'x' }],
	['sendAudio', { audioBase64: 'T2dn' }],
	['sendAudio', { audioBase64: 'data:image/png;base64,T2dn' }],
	['sendAudio', ofFile, file('image/png')],
	['sendAudio', ofFile, file('audio/ogg', { data: '' })],
	['sendAudio', ofFile, file('audio/ogg', { id: 'file-1' })],
	['sendAudio', { ...ofFile, options: { mimeType: {} } }, file('audio/ogg')],
	['sendAudio', { ...ofFile, binaryPropertyName: {} }, file('audio/ogg')],
	['sendAudio', {}, { credential: { ...credential, instanceToken: '' } }],
	...[{ labels: [] }, { labels: ['A', 'A'] }].map(({ labels }): [string, IDataObject] => [
		'sendAndWait',
		{ responseType: 'choice', choices: { values: labels.map((label) => ({ label })) } },
	]),
	['sendAndWait', { approvalOptions: { values: { approveLabel: ' ' } } }],
	...[{ resumeAmount: 0 }, { limitType: 'atSpecifiedTime' }].map(
		(values): [string, IDataObject] => ['sendAndWait', { options: { limitWaitTime: { values } } }],
	),
	['logOut', { instance: '..' }],
	['set', { url: 'x.example' }],
	['set', { url: 'https://x.example/****' }],
	...[true, false].flatMap((enable): Array<[string, IDataObject]> => [
		['set', { enable, url: '' }],
		['set', { enable, url: 'https://x.example/?mgt=***' }],
	]),
	['revoke', { keyId: { mode: 'id', value: '..' } }],
	['getAll', { filters: { status: {} } }],
])('%s with %j', async (value, parameters, more = {}) => {
	expect(await textOf(named(value), parameters, more)).toMatchSnapshot();
});
