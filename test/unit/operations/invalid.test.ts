import { NodeOperationError, type IDataObject, type INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../../nodes/MessagingGateway/operation';
import { resources } from '../../../nodes/MessagingGateway/operations';
import { credential } from '../../../testing/context';
import { makeItemOf } from '../../../testing/item';
import { neededParameters } from '../../../testing/parameters';
import { nodeLabels, withoutQuotations } from '../support/wording';

const operations = resources.flatMap((resource) => resource.operations);

async function refusal(operation: Operation, parameters: IDataObject, more = {}) {
	const item = await makeItemOf(operation, { ...neededParameters, ...parameters }, more);
	try {
		await operation.request(item);
	} catch (error) {
		return error as NodeOperationError;
	}
	return undefined;
}

const requiredFields = operations.flatMap((operation) =>
	operation.fields
		.filter(({ required }) => required)
		.map((field) => [operation.action, field.displayName, operation, field] as const),
);

test.each(operations.map((operation) => [operation.action, operation] as const))(
	'%s: the valid parameters are sent',
	async (_, operation) => {
		expect(await refusal(operation, {})).toBeUndefined();
	},
);

const emptied = (field: INodeProperties): IDataObject =>
	field.name === 'binaryPropertyName'
		? { audioSource: 'binary', binaryPropertyName: '' }
		: { [field.name]: field.type === 'resourceLocator' ? { mode: 'id', value: '' } : '' };

test.each(requiredFields)(
	'%s: an empty %s is an error of that item',
	async (_, label, operation, field) => {
		const error = await refusal(operation, emptied(field));
		expect(error).toBeInstanceOf(NodeOperationError);
		if (field.name !== 'binaryPropertyName') expect(error?.message).toContain(`'${label}'`);
	},
);

test.each(operations.map((operation) => [operation.action, operation] as const))(
	'%s: without an instance token, chat-app operations alone are refused before the request',
	async (_, operation) => {
		const request = await operation.request(await makeItemOf(operation, neededParameters));
		const error = await refusal(
			operation,
			{},
			{ credential: { ...credential, instanceToken: '' } },
		);
		expect(error?.message).toBe(
			request.path.startsWith('/v2/')
				? "'Instance Token' is missing in the Messaging Gateway credential"
				: undefined,
		);
	},
);

/** Every other way in which an item can be refused. */
test.each<[string, IDataObject]>([
	['sendSms', { to: '12' }],
	['sendSms', { options: { scheduleAt: 'soon' } }],
	['sendSms', { options: { additionalBodyFields: '[]' } }],
	['sendSms', { smsType: '12' }],
	['sendSms', { text: 'x'.repeat(161), options: { maxSegments: 1 } }],
	['sendSms', { text: `’${'ã'.repeat(70)}`, options: { maxSegments: 1 } }],
	['sendAndWait', { message: ' ' }],
	['sendAndWait', { smsType: '12' }],
	['sendAndWait', { responseType: 'choice' }],
	[
		'sendAndWait',
		{ responseType: 'choice', choices: { values: [{ label: 'A' }, { label: 'A' }] } },
	],
	['sendAndWait', { approvalOptions: { values: { approveLabel: ' ' } } }],
	['sendAndWait', { options: { limitWaitTime: { values: { resumeAmount: 0 } } } }],
	['sendAndWait', { options: { limitWaitTime: { values: { limitType: 'atSpecifiedTime' } } } }],
	[
		'sendAndWait',
		{ data: { approved: true }, options: { limitWaitTime: { values: { resumeAmount: 1 } } } },
	],
	['sendMedia', { mediaUrl: 'photo.jpg' }],
	['sendMedia', { options: { mimeType: 'jpeg' } }],
	['sendMedia', { mediaUrl: 'https://x.example/photo' }],
	['sendAudio', { audioBase64: 'x' }],
	['sendAudio', { audioBase64: 'T2dn' }],
	['sendAudio', { audioBase64: '' }],
])("%s with %j: the texts follow n8n's wording", async (value, parameters) => {
	const operation = operations.find((candidate) => candidate.value === value)!;
	const { message, description } = (await refusal(operation, parameters))!;
	expect(description).toMatch(/\.$/);
	expect(message).not.toMatch(/\.$/);
	expect(withoutQuotations(`${message} ${description}`)).not.toMatch(
		/\b(errors?|problems?|failures?|failed|mistakes?)\b/i,
	);
	for (const label of nodeLabels.filter((name) => name.includes(' '))) {
		const outsideQuotes = `${message} ${description}`.replace(/'[^']*'/g, '');
		expect(outsideQuotes).not.toContain(label);
	}
});
