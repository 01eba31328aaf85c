/** The errors of items that are refused before their request, as a snapshot. */
import type { IDataObject, INodeProperties, NodeOperationError } from 'n8n-workflow';

import type { Operation } from '../../../nodes/send/operation';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { credential, type ContextOptions } from '../../../tools/shared/context';
import { makeItemOf } from '../../../tools/shared/item';
import { expectThreeSentences } from '../support/wording';

const operations = resources.flatMap(({ operations: all }) => all);

async function textOf(operation: Operation, parameters: IDataObject, more: ContextOptions = {}) {
	const item = await makeItemOf(operation, parameters, more);
	try {
		if (operation.dryRun?.(item)) return 'is tried';
		await operation.request(item);
		return 'is sent';
	} catch (error) {
		const { message, description } = error as NodeOperationError;
		expectThreeSentences(message, description);
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

type Case = [INodeProperties, value: unknown, IDataObject, ContextOptions?];

/** What is said of each field and value; a field that several operations share says the same in all. */
async function saidOf(casesOf: (operation: Operation) => Case[]) {
	const said = new Map<string, Set<string>>();
	for (const operation of operations) {
		for (const [{ displayName }, value, parameters, more] of casesOf(operation)) {
			const key = `${displayName} = ${JSON.stringify(value)}`;
			const texts = said.get(key) ?? new Set();
			said.set(key, texts.add(await textOf(operation, parameters, more)));
		}
	}
	return Object.fromEntries([...said].map(([key, texts]) => [key, [...texts].sort()]));
}

it('invalid fields', async () => {
	const said = await saidOf(({ fields }) =>
		fields
			.filter(({ type }) => type !== 'notice')
			.flatMap((field) =>
				['', ...wrongFor(field)].map((value): Case => {
					const entered = field.type === 'resourceLocator' ? { mode: 'id', value } : value;
					return [field, value, { [field.name]: entered } as IDataObject];
				}),
			),
	);
	expect(said).toMatchSnapshot();
});

it('invalid options', async () => {
	const said = await saidOf(({ options = [] }) =>
		options.flatMap((option) => {
			const entered = { parameters: { options: { [option.name]: '={{ $json.nothing }}' } } };
			return [undefined, null, ...wrongFor(option)].map((value): Case => {
				const options = { [option.name]: value } as IDataObject;
				return [option, value, { options }, entered];
			});
		}),
	);
	expect(said).toMatchSnapshot();
});

const named = (value: string) => operations.find((operation) => operation.value === value)!;
const file = (mimeType: string, more = {}) => ({
	files: { voice: { mimeType, data: 'filesystem', ...more } },
	stored: { 'file-1': Buffer.alloc(0) },
});
const having = (change: object) => ({ credential: { ...credential, ...change } });
const ofFile = { binaryPropertyName: 'voice' };

it.each<[string, IDataObject, ContextOptions?]>([
	...[
		...['12', 'Ana', '2024-12-31', '+39 (0)331 776543', '+55 11 91234-5678, +55 21 99876-5432'],
		...['(00) 00000-0000', '+55 11 99999-9999', 5.51191e12, '+44 9012 345678', '+882 16 123456'],
		...['+55 11 3333-4444', '+54 11 2345-6789', '351912345678'],
	].map((to): [string, IDataObject] => ['sendSms', { to }]),
	['sendSms', { to: '011912345678' }, having({ defaultCountryCode: 'Brazil' })],
	['sendSms', { to: '(11) 91234-5678' }, having({ defaultCountryCode: '' })],
	['sendSms', { to: '51 99876-5432' }, having({ defaultCountryCode: '' })],
	['sendSms', { scheduleAt: 'soon' }],
	['sendSms', { scheduleAt: '2020-01-01T00:00:00' }],
	['sendSms', { scheduleAt: '2090-01-01T00:00:00' }, having({ smsScheduleTimezone: 'Brasilia' })],
	['sendSms', { options: { extraFields: '[]' } }],
	['sendSms', { options: { extraFields: '{ "to": 1 }' } }],
	...['x'.repeat(161), 'ã'.repeat(71), `“${'ã'.repeat(71)}`].map((text): [string, IDataObject] => [
		'sendSms',
		{ text, options: { maxSegments: 1 } },
	]),
	['sendMedia', { mediaUrl: 'photo.jpg' }],
	['sendMedia', { mediaUrl: 'https://x.example/photo' }],
	['sendAudio', ofFile, file('image/png')],
	['sendAudio', ofFile, file('audio/ogg', { data: '' })],
	['sendAudio', ofFile, file('audio/ogg', { id: 'file-1' })],
	['sendAudio', { ...ofFile, options: { mimeType: {} } }, file('audio/ogg')],
	['sendAudio', { ...ofFile, binaryPropertyName: {} }, file('audio/ogg')],
	['sendAudio', {}, having({ instanceToken: '' })],
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
