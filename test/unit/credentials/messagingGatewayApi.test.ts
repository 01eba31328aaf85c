import type { IHttpRequestOptions } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { credential } from '../support/context';

const type = new MessagingGatewayApi();

/** Names and defaults that stored credentials hold (design §2); they never change. */
test('the fields are these', () => {
	const fields = type.properties.filter(({ type: kind }) => kind !== 'notice');
	expect(type.name).toBe('messagingGatewayApi');
	expect(Object.fromEntries(fields.map(({ name, default: value }) => [name, value]))).toEqual({
		baseUrl: '',
		apiKey: '',
		instanceToken: '',
		authentication: 'apiKeyHeader',
		chatAppName: 'chatapp',
		campaignIdParameter: 'campaignId',
		keyStatusParameter: 'status',
		audioScheduleField: 'scheduled_at',
		allowUnauthorizedCerts: false,
	});
	expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual([
		'baseUrl',
		'apiKey',
	]);
	expect(fields.filter(({ typeOptions }) => typeOptions?.password).map(({ name }) => name)).toEqual(
		['apiKey', 'instanceToken'],
	);
});

test('authenticate adds the headers', async () => {
	const options: IHttpRequestOptions = {
		url: `${credential.baseUrl}/v2/x`,
		headers: { Accept: 'a' },
	};
	expect((await type.authenticate(credential, options)).headers).toEqual({
		Accept: 'a',
		'X-API-Key': credential.apiKey,
		'X-Instance-Token': credential.instanceToken,
	});
});

test('authenticate refuses another origin without adding anything', async () => {
	const options: IHttpRequestOptions = { url: 'https://evil.example/' };
	await expect(type.authenticate(credential, options)).rejects.toThrow(
		'is not sent to https://evil.example',
	);
	expect(options).toEqual({ url: 'https://evil.example/' });
});
