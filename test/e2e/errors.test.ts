/** What a person sees in the real n8n when something is not accepted, under each error setting. */
import type { IDataObject, INode } from 'n8n-workflow';
import {
	outputOf,
	type CredentialReference,
	type FinishedExecution,
	type HostClient,
} from '../../tools/host';
import { startSandbox, type Fault, type Sandbox } from '../../tools/sandbox';
import { sharedHost } from './sharedHost';
import { chain, gateway, items, node } from '../../tools/shared/workflows';

let client: HostClient;
let sandbox: Sandbox;
let credential: CredentialReference;

beforeAll(async () => {
	({ client } = await sharedHost());
	sandbox = await startSandbox();
	credential = await client.createCredential(sandbox.credential);
});
beforeEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

const media = { to: '5511912345678', mediaUrl: 'https://example.com/a.jpg' };
const detail = [{ loc: ['body', 'msg'], msg: 'field required', type: 'value_error.missing' }];

const errors: Array<[string, Fault, RegExp, RegExp]> = [
	[
		'Token inválido.',
		{ refuse: 'Token inválido.', status: 401 },
		/rejected the credential/,
		/'API Key'/,
	],
	[
		'Erro interno do servidor.',
		{ refuse: 'Erro interno do servidor.', status: 500 },
		/may have been sent/,
		/Check the message/,
	],
	[
		'msg: field required',
		{ status: 422, body: { detail } },
		/rejected a value/,
		/Additional Body Fields/,
	],
];

it.each(errors)('%s', async (text, fault, message, description) => {
	sandbox.fault({ operation: 'sendMedia', fault });
	const { status, error, data } = await client.execute(
		chain(text, gateway(credential, 'message', 'sendMedia', media)),
	);
	expect(status).toBe('error');
	expect(error).toMatchObject({
		name: 'NodeApiError',
		message: expect.stringMatching(message),
		description: expect.stringMatching(description),
		context: { itemIndex: 0 },
	});
	expect(error?.message).toContain(`"${text}"`);
	if (error?.message.includes('may have been sent')) {
		expect(`${error.message} ${error.description}`).not.toMatch(/again|later|repeat|resend/i);
	}
	expect(sandbox.requests()).toHaveLength(1);
	for (const secret of [sandbox.credential.apiKey, sandbox.credential.instanceToken]) {
		expect(JSON.stringify(data)).not.toContain(secret);
	}
});

describe('five items, one of them bad', () => {
	const rows = ['11', '12', 'nobody', '14', '15'].map((to) => ({
		to: to === 'nobody' ? to : `55119123456${to}`,
	}));

	const run = async (onError: INode['onError']): Promise<FinishedExecution> => {
		const workflow = chain(
			`On error: ${onError ?? ''}`,
			...items(...rows),
			gateway(
				credential,
				'message',
				'sendSms',
				{ to: '={{ $json.to }}', text: 'Hello' },
				{ onError },
			),
		);
		for (const [index, name] of ['Success', 'Failed'].entries()) {
			workflow.nodes.push({
				...node(name, 'n8n-nodes-base.noOp', {}),
				id: name,
				position: [1000, index * 200],
			});
		}
		const target = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
		workflow.connections.Gateway = { main: [target('Success'), target('Failed')] };
		return await client.execute(workflow);
	};

	it('stops, and names what was accepted', async () => {
		const execution = await run('stopWorkflow');
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toBe("'To' is not a phone number: 'nobody'");
		const accepted = sandbox.accepted();
		expect(execution.error?.description).toContain(`Accepted: ${accepted.length} of 5 items`);
		for (const { messageId } of accepted) {
			expect(execution.error?.description).toContain(messageId);
		}
		expect(outputOf(execution, 'Success')).toEqual([]);
	});

	it('continues with the item as an error among the others', async () => {
		const execution = await run('continueRegularOutput');
		const output = outputOf(execution, 'Success');
		expect(output.map(({ json }) => json.to ?? (json.error as IDataObject).message)).toEqual([
			'5511912345611',
			'5511912345612',
			"'To' is not a phone number: 'nobody'",
			'5511912345614',
			'5511912345615',
		]);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
			rows.map(() => ({ item: expect.any(Number) })),
		);
		expect(sandbox.accepted()).toHaveLength(4);
	});

	it('continues with the item on the error branch', async () => {
		const execution = await run('continueErrorOutput');
		expect(outputOf(execution, 'Success').map(({ json }) => json.to)).toEqual([
			'5511912345611',
			'5511912345612',
			'5511912345614',
			'5511912345615',
		]);
		expect(outputOf(execution, 'Failed').map(({ json }) => json)).toEqual([
			{
				to: 'nobody', // n8n adds the fields of the input
				error: {
					message: "'To' is not a phone number: 'nobody'",
					hint: expect.stringContaining('Enter one number with its country code'),
					outcome: 'refused',
				},
			},
		]);
	});
});
