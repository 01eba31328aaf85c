import { NodeHelpers, type INodeParameters, type INodePropertyCollection } from 'n8n-workflow';

import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayStatusTrigger } from '../../../nodes/MessagingGatewayStatusTrigger/MessagingGatewayStatusTrigger.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node';
import { node } from '../../../testing/context';

/**
 * Names, values and defaults that users' workflows hold (design §2). They never change after the
 * first release.
 */
const send = { simplify: true };
const sendOptions = [
	'additionalBodyFields',
	'deduplicationKey',
	'deduplicationStore',
	'deduplicationWorkflow',
	'keepNumberAsEntered',
	'scheduleAt',
];
const commonOptions = { maxRetries: 3, timeout: 30000 };
const itemsOptions = { maxConcurrency: 10, requestsPerSecond: 0 };

interface Contract {
	parameters: INodeParameters;
	/** Values that a parameter can have. */
	values?: Record<string, string[]>;
	required?: string[];
	options?: string[];
	collections?: Record<string, string[]>;
	/** Names and defaults of the entries below `values`, of fields and options. */
	entries?: Record<string, INodeParameters>;
	/** It takes one item. */
	waits?: true;
}

const contract: Record<string, Record<string, Contract>> = {
	apiKey: {
		getAll: {
			parameters: { returnAll: false, limit: 50, filters: {} },
			collections: { filters: ['status'] },
		},
		revoke: { parameters: { keyId: { mode: 'list', value: '' } }, required: ['keyId'] },
	},
	campaign: {
		get: {
			parameters: {
				channel: 'chatApp',
				campaignId: { mode: 'id', value: '' },
				output: 'campaign',
			},
			values: { channel: ['chatApp', 'sms'], output: ['campaign', 'messages'] },
			required: ['campaignId'],
		},
		getAll: {
			parameters: { channel: 'chatApp', returnAll: false, limit: 50, includeMessages: false },
			values: { channel: ['chatApp', 'sms'] },
		},
		delete: {
			parameters: { campaignId: { mode: 'id', value: '' } },
			required: ['campaignId'],
		},
	},
	instance: {
		getConnectionState: { parameters: {} },
		logOut: { parameters: { instance: '' }, required: ['instance'] },
	},
	message: {
		sendAudio: {
			parameters: {
				to: '',
				audioSource: 'binary',
				binaryPropertyName: 'data',
				chatAppMode: 'private',
				...send,
			},
			values: { audioSource: ['binary', 'base64'], chatAppMode: ['private', 'shared'] },
			required: ['to', 'binaryPropertyName'],
			options: [...sendOptions, 'mimeType'],
		},
		sendMedia: {
			parameters: { to: '', mediaType: 'image', mediaUrl: '', caption: '', ...send },
			values: { mediaType: ['audio', 'document', 'image', 'video'] },
			required: ['to', 'mediaUrl'],
			options: [...sendOptions, 'mimeType'],
		},
		sendAndWait: {
			parameters: {
				to: '',
				message: '',
				responseType: 'approval',
				approvalOptions: {},
				smsType: '1',
			},
			values: { responseType: ['approval', 'choice', 'freeText'] },
			required: ['to', 'message'],
			options: [
				'keepNumberAsEntered',
				'limitWaitTime',
				'maxSegments',
				'pageTitle',
				'refuseLandlines',
				'removeAccents',
			],
			entries: {
				approvalOptions: {
					approvalType: 'single',
					approveLabel: 'Approve',
					disapproveLabel: 'Decline',
				},
				limitWaitTime: {
					limitType: 'afterTimeInterval',
					resumeAmount: 1,
					resumeUnit: 'hours',
					maxDateAndTime: '',
				},
			},
			waits: true,
		},
		sendSms: {
			parameters: { to: '', text: '', smsType: '1', ...send },
			required: ['to', 'text'],
			options: [...sendOptions, 'maxSegments', 'refuseLandlines', 'removeAccents'],
		},
	},
	webhook: {
		get: { parameters: {} },
		set: { parameters: { url: '', enable: true }, required: ['url'] },
	},
};

const { description } = new MessagingGateway();
const operations = Object.entries(contract).flatMap(([resource, own]) =>
	Object.entries(own).map(([operation, expected]) => ({ resource, operation, expected })),
);

/** The fields that n8n shows for these parameters, without the two dropdowns. */
function visible(parameters: INodeParameters) {
	return description.properties.filter(
		(field) =>
			!['resource', 'operation'].includes(field.name) &&
			field.type !== 'notice' &&
			NodeHelpers.displayParameter(parameters, field, node, description),
	);
}

/** Names and defaults of what stands below `values` in a collection of fixed entries. */
function entriesOf({ type, options }: (typeof description)['properties'][number]) {
	expect(type).toBe('fixedCollection');
	const [values, ...others] = options as INodePropertyCollection[];
	expect([values?.name, others]).toEqual(['values', []]);
	return Object.fromEntries(values!.values.map(({ name, default: value }) => [name, value]));
}

test('the resources and operations are these', () => {
	const values = (name: string, resource?: string) =>
		description.properties
			.filter((field) => field.name === name)
			.filter(({ displayOptions }) => displayOptions?.show?.resource?.[0] === resource)
			.flatMap(({ options = [] }) => options.map((option) => (option as { value: string }).value));
	expect(values('resource').sort()).toEqual(Object.keys(contract).sort());
	for (const [resource, own] of Object.entries(contract)) {
		expect(values('operation', resource).sort()).toEqual(Object.keys(own).sort());
	}
});

describe.each(operations)('$resource: $operation', ({ resource, operation, expected }) => {
	const parameters = { resource, operation, ...expected.parameters };
	const fields = visible(parameters);

	test('shows its parameters, with their defaults, and no other', () => {
		const defaults = fields.map(({ name, default: value }) => [name, value]);
		expect(Object.fromEntries(defaults)).toEqual({
			...expected.parameters,
			options: {},
		});
		expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
	});

	test('has the values, collections and required fields of the contract', () => {
		const names = (options: (typeof fields)[number]['options'], key: 'name' | 'value') =>
			options?.map((option) => (option as unknown as Record<string, string>)[key]);
		const field = (name: string) => fields.find((candidate) => candidate.name === name);
		for (const [name, values] of Object.entries(expected.values ?? {})) {
			expect(names(field(name)?.options, 'value')).toEqual(values);
		}
		for (const [name, entries] of Object.entries(expected.collections ?? {})) {
			expect(names(field(name)?.options, 'name')).toEqual(entries);
		}
		const required = fields.filter((candidate) => candidate.required).map(({ name }) => name);
		expect(required.sort()).toEqual([...(expected.required ?? [])].sort());
	});

	test('has the options of the contract, with their defaults', () => {
		const options = fields.find(({ name }) => name === 'options')?.options as typeof fields;
		const common = { ...commonOptions, ...(expected.waits ? {} : itemsOptions) };
		expect(options.map(({ name }) => name).sort()).toEqual(
			[...(expected.options ?? []), ...Object.keys(common)].sort(),
		);
		const defaults = Object.fromEntries(options.map(({ name, default: value }) => [name, value]));
		expect(defaults).toMatchObject(common);

		for (const [name, entries] of Object.entries(expected.entries ?? {})) {
			expect(entriesOf([...fields, ...options].find((field) => field.name === name)!)).toEqual(
				entries,
			);
		}
	});
});

test('a choice is a label in a list', () => {
	const choices = description.properties.find(({ name }) => name === 'choices')!;
	expect(choices).toMatchObject({ default: {}, typeOptions: { multipleValues: true } });
	expect(entriesOf(choices)).toEqual({ label: '' });
});

test.each<[INodeParameters, boolean]>([
	[{ enable: true }, true],
	[{ enable: false }, false],
	[{ enable: '={{ $json.on }}' }, false], // known for each item alone
])('with %j, one URL is shown, and whether it is needed is %s', (parameters, required) => {
	const shown = visible({ resource: 'webhook', operation: 'set', url: '', ...parameters });
	expect(shown.map(({ name }) => name)).toEqual(['url', 'enable', 'options']);
	expect(shown[0]!.required ?? false).toBe(required);
});

test.each<[INodeParameters, string[], string[]]>([
	[{ operation: 'sendAudio', audioSource: 'binary' }, ['binaryPropertyName'], ['audioBase64']],
	[{ operation: 'sendAudio', audioSource: 'base64' }, ['audioBase64'], ['binaryPropertyName']],
	[{ operation: 'sendAndWait', responseType: 'approval' }, ['approvalOptions'], ['choices']],
	[{ operation: 'sendAndWait', responseType: 'choice' }, ['choices'], ['approvalOptions']],
	[{ operation: 'sendAndWait', responseType: 'freeText' }, [], ['choices', 'approvalOptions']],
	[{ operation: 'getAll', returnAll: false }, ['limit'], []],
	[{ operation: 'getAll', returnAll: true }, [], ['limit']],
])('with %j, %j is shown and %j is not', (parameters, shown, hidden) => {
	const resource = parameters.operation === 'getAll' ? 'apiKey' : 'message';
	const names = visible({ resource, ...parameters }).map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining(shown));
	expect(names.filter((name) => hidden.includes(name))).toEqual([]);
});

test.each([MessagingGateway, MessagingGatewayTrigger, MessagingGatewayStatusTrigger])(
	'what tests the credential of %p is there',
	(Node) => {
		const { description, methods } = new Node();
		const testers = (description.credentials ?? []).map(({ testedBy }) => testedBy);
		expect(testers).toEqual(Object.keys(methods.credentialTest));
		expect(Object.values(methods.credentialTest)).toEqual([expect.any(Function)]);
	},
);
