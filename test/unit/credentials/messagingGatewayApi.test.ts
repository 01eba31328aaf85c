import {
	NodeHelpers,
	type IHttpRequestOptions,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { credential } from '../../../tools/shared/context';

const type = new MessagingGatewayApi();

/** What a switch shows, right below it. Names, order and defaults: unit/properties/forms. */
const shownBySwitch = {
	chatApp: ['chatAppName', 'instanceToken', 'chatAppPause', 'audioScheduleField'],
	serviceDetails: [
		...['sendKeyAs', 'timeout', 'maxRetries', 'campaignIdParameter', 'keyStatusParameter'],
		'allowUnauthorizedCerts',
	],
};

/** All but the one that n8n evaluates. */
const fields = type.properties.filter(({ type: kind }) => kind !== 'hidden');

const names = (of: INodeProperties[]) => of.map(({ name }) => name);

test('13 fields are in sight, others behind two switches', () => {
	const visible = (values: INodeParameters) =>
		fields.filter((field) => NodeHelpers.displayParameter(values, field, null, null));
	expect(visible({})).toHaveLength(13);
	for (const [name, hidden] of Object.entries(shownBySwitch)) {
		const behind = visible({ [name]: true }).filter((field) => !visible({}).includes(field));
		expect(names(behind)).toEqual(hidden);
		const place = fields.findIndex((field) => field.name === name);
		expect(fields.slice(place + 1, place + 1 + behind.length)).toEqual(behind);
		// n8n would hide what a text shows: `true` as an expression gives it.
		expect(fields[place]).toMatchObject({ type: 'boolean', noDataExpression: true });
	}
	const hidden = fields.filter(({ typeOptions }) => typeOptions?.password);
	expect(names(hidden)).toEqual(['apiKey', 'instanceToken']);
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
