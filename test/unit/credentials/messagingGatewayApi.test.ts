import { NodeHelpers, type IHttpRequestOptions, type INodeProperties } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { credential } from '../../../tools/shared/context';

const type = new MessagingGatewayApi();

/** In the order of the form, which has no titles: n8n shows a notice of a credential as a warning. */
const parts = {
	connection: {
		...{ baseUrl: '', apiKey: '', defaultCountryCode: '' },
		...{ smsScheduleTimezone: '', allowedCountries: '' },
	},
	chatApp: { chatAppName: '', instanceToken: '', chatAppPause: '1-3' },
	sendingRules: {
		testMode: false,
		...{ doNotContactWorkflowId: '', deduplicationWorkflowId: '', n8nAddress: '' },
		...{ requestsPerSecond: 0, maxConcurrency: 100 },
	},
	serviceDetails: {
		...{ sendKeyAs: 'apiKeyHeader', timeout: 30_000, maxRetries: 3 },
		audioScheduleField: 'scheduled_at',
		...{ campaignIdParameter: 'campaignId', keyStatusParameter: 'status' },
		...{ allowUnauthorizedCerts: false },
	},
};

/** All but the one that n8n evaluates. */
const fields = type.properties.filter(({ type: kind }) => kind !== 'hidden');

const names = (of: INodeProperties[]) => of.map(({ name }) => name);

/** Names and defaults of stored credentials (design §2); they never change after the first release. */
test('the fields are these, each once and always shown, and none is a warning', () => {
	expect(type.name).toBe('messagingGatewayApi');
	expect(names(fields)).toEqual(Object.values(parts).flatMap((part) => Object.keys(part)));
	// n8n drops the values of fields that are not shown.
	for (const { displayOptions } of fields) expect(displayOptions).toBeUndefined();
	const defaults = Object.fromEntries(fields.map(({ name, default: value }) => [name, value]));
	expect(defaults).toEqual(Object.assign({}, ...Object.values(parts)));
	expect(names(fields.filter(({ required }) => required))).toEqual(['baseUrl', 'apiKey']);
	expect(names(fields.filter(({ typeOptions }) => typeOptions?.password))).toEqual([
		'apiKey',
		'instanceToken',
	]);
});

// OAUTH_PINNED_FIELDS of n8n 2.41: it treats these names as parts of OAuth.
test('no name is one that n8n keeps for OAuth', () => {
	const pinned = [
		...['useDynamicClientRegistration', 'authUrl', 'accessTokenUrl', 'grantType'],
		...['authentication', 'usePkce', 'requestTokenUrl', 'signatureMethod'],
	];
	expect(names(type.properties).filter((name) => pinned.includes(name))).toEqual([]);
});

test('has a field that is evaluated and never stored', () => {
	const values = { baseUrl: 'https://x.example', apiKey: '={{ $json.key }}' };
	const stored = NodeHelpers.getNodeParameters(type.properties, values, false, false, null, null);
	expect(stored).toEqual(values);
	expect(names(type.properties)).toContain('itemFields');
});

test('authenticate adds the headers', async () => {
	const options: IHttpRequestOptions = { url: `${credential.baseUrl}/v2/x` };
	expect((await type.authenticate(credential, options)).headers).toEqual({
		'X-API-Key': credential.apiKey,
		'X-Instance-Token': credential.instanceToken,
	});
});
