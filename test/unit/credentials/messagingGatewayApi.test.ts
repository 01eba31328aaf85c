import {
	NodeHelpers,
	type IHttpRequestOptions,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { credential } from '../../../tools/shared/context';

const type = new MessagingGatewayApi();

/** In the order of the form, which has no titles: n8n shows a notice of a credential as a warning. */
const shown = {
	...{ baseUrl: '', apiKey: '', defaultCountryCode: '', smsScheduleTimezone: '' },
	chatApp: false,
	...{ allowedCountries: '', testMode: false },
	...{ doNotContactWorkflowId: '', deduplicationWorkflowId: '', n8nAddress: '' },
	...{ requestsPerSecond: 0, maxConcurrency: 100 },
	serviceDetails: false,
};
const shownBySwitch = {
	chatApp: {
		...{ chatAppName: '', instanceToken: '', chatAppPause: '1-3' },
		audioScheduleField: 'scheduled_at',
	},
	serviceDetails: {
		...{ sendKeyAs: 'apiKeyHeader', timeout: 30_000, maxRetries: 3 },
		...{ campaignIdParameter: 'campaignId', keyStatusParameter: 'status' },
		...{ allowUnauthorizedCerts: false },
	},
};

/** All but the one that n8n evaluates. */
const fields = type.properties.filter(({ type: kind }) => kind !== 'hidden');

const names = (of: INodeProperties[]) => of.map(({ name }) => name);

/** Names and defaults of stored credentials (design §2); they never change after the first release. */
test('the fields are these, each once: 13 in sight, others behind two switches', () => {
	expect(type.name).toBe('messagingGatewayApi');
	const visible = (values: INodeParameters) =>
		fields.filter((field) => NodeHelpers.displayParameter(values, field, null, null));
	expect(names(visible({}))).toEqual(Object.keys(shown));
	expect(names(visible({}))).toHaveLength(13);
	for (const [name, hidden] of Object.entries(shownBySwitch)) {
		const behind = visible({ [name]: true }).filter((field) => !visible({}).includes(field));
		expect(names(behind)).toEqual(Object.keys(hidden));
		const place = fields.findIndex((field) => field.name === name);
		expect(fields.slice(place + 1, place + 1 + behind.length)).toEqual(behind);
		// n8n would hide what a text shows: `true` as an expression gives it.
		expect(fields[place]).toMatchObject({ type: 'boolean', noDataExpression: true });
	}
	const defaults = Object.fromEntries(fields.map(({ name, default: value }) => [name, value]));
	expect(defaults).toEqual(Object.assign({}, shown, ...Object.values(shownBySwitch)));
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
