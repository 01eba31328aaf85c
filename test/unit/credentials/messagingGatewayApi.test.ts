import {
	NodeHelpers,
	type IHttpRequestOptions,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { credential } from '../../../tools/shared/context';

const type = new MessagingGatewayApi();

const defaults = {
	baseUrl: '',
	apiKey: '',
	defaultCountryCode: '',
	allowedCountries: '',
	chatApp: false,
	instanceToken: '',
	chatAppName: '',
	chatAppPause: '1-3',
	advanced: false,
	doNotContactWorkflowId: '',
	n8nAddress: '',
	smsScheduleTimezone: '',
	authentication: 'apiKeyHeader',
	allowUnauthorizedCerts: false,
	audioScheduleField: 'scheduled_at',
	campaignIdParameter: 'campaignId',
	keyStatusParameter: 'status',
};

/** What the editor draws for these values, from top to bottom. */
const drawn = (values: INodeParameters) =>
	type.properties.filter(
		(field) =>
			field.type !== 'hidden' &&
			NodeHelpers.displayParameter({ ...defaults, ...values }, field, null, null),
	);

/** All but the one that n8n evaluates. */
const entered = type.properties.filter(({ name }) => name !== 'expressionFields');

const names = (fields: INodeProperties[]) => fields.map(({ name }) => name);

/** Names and defaults of stored credentials (design §2); they never change. */
test('the fields are these', () => {
	expect(type.name).toBe('messagingGatewayApi');
	const fields = drawn({ chatApp: true, advanced: true });
	expect(names(fields)).toEqual(Object.keys(defaults));
	for (const { name, default: value } of entered) {
		expect({ [name]: value }).toEqual({ [name]: defaults[name as keyof typeof defaults] });
	}
	expect(names(fields.filter(({ required }) => required))).toEqual(['baseUrl', 'apiKey']);
	expect(names(fields.filter(({ typeOptions }) => typeOptions?.password))).toEqual([
		'apiKey',
		'instanceToken',
	]);
});

const ofChatApp = ['instanceToken', 'chatAppName', 'chatAppPause'];
const ofAdvanced = [
	...['doNotContactWorkflowId', 'n8nAddress', 'smsScheduleTimezone'],
	...['authentication', 'allowUnauthorizedCerts'],
	...['audioScheduleField', 'campaignIdParameter', 'keyStatusParameter'],
];
const hidden = [...ofChatApp, ...ofAdvanced].filter((name) => name !== 'authentication');

describe('what is seen first', () => {
	test('is what an SMS needs, and two switches', () => {
		const numbers = ['defaultCountryCode', 'allowedCountries'];
		expect(names(drawn({}))).toEqual(['baseUrl', 'apiKey', ...numbers, 'chatApp', 'advanced']);
	});

	test.each([
		['chatApp', ofChatApp],
		['advanced', ofAdvanced],
	])("'%s' shows the rest", (name, more) => {
		const without = names(drawn({}));
		const shown = names(drawn({ [name]: true }));
		expect(shown.filter((each) => !without.includes(each))).toEqual(more);
		expect(without.filter((each) => !shown.includes(each))).toEqual([]);
	});

	test('is Authentication, too, where it is another than most have', () => {
		const fields = (advanced: boolean) => names(drawn({ authentication: 'bearer', advanced }));
		for (const advanced of [false, true]) {
			expect(fields(advanced).filter((name) => name === 'authentication')).toHaveLength(1);
		}
	});

	// OAUTH_PINNED_FIELDS of n8n 2.41: what is stored under these names is dropped where one is hidden.
	test('hides no name that n8n keeps for OAuth', () => {
		const pinned = [
			...['useDynamicClientRegistration', 'authUrl', 'accessTokenUrl', 'grantType'],
			...['authentication', 'usePkce', 'requestTokenUrl', 'signatureMethod'],
		];
		const fields = entered.filter(({ type: kind }) => kind === 'hidden');
		expect(names(fields).filter((name) => pinned.includes(name))).toEqual([]);
		expect(names(fields)).toEqual(hidden);
	});

	const texts = hidden.filter((name) => name !== 'allowUnauthorizedCerts');
	const set = {
		...Object.fromEntries(texts.map((name) => [name, `my ${name}`])),
		authentication: 'bearer',
		allowUnauthorizedCerts: true,
	};

	// With defaults: what n8n gives to the nodes. Without: what the editor stores.
	test.each([
		['given to the nodes', true],
		['stored', false],
	])('does not switch anything off: what is hidden is %s', (_, withDefaults) => {
		for (const advanced of [undefined, false, true]) {
			const values = {
				baseUrl: 'https://x.example',
				...(advanced !== undefined && { advanced }),
				...set,
			};
			expect(
				NodeHelpers.getNodeParameters(type.properties, values, withDefaults, false, null, null),
			).toMatchObject(set);
		}
	});

	test('has a field that is evaluated and never stored', () => {
		const values = { baseUrl: 'https://x.example', apiKey: '={{ $json.key }}' };
		const stored = NodeHelpers.getNodeParameters(type.properties, values, false, false, null, null);
		expect(stored).toEqual(values);
		expect(names(type.properties)).toContain('expressionFields');
	});

	// Of two fields of one name, n8n's public API describes the last one.
	test('leaves the kind of each field as it is drawn', () => {
		const kinds = Object.fromEntries(entered.map(({ name, type: kind }) => [name, kind]));
		expect(Object.values(kinds)).not.toContain('hidden');
		// It takes `show` for 'required whenever shown'.
		for (const { displayOptions } of type.properties) expect(displayOptions?.show).toBeUndefined();
	});
});

test('authenticate adds the headers', async () => {
	const options: IHttpRequestOptions = { url: `${credential.baseUrl}/v2/x` };
	expect((await type.authenticate(credential, options)).headers).toEqual({
		'X-API-Key': credential.apiKey,
		'X-Instance-Token': credential.instanceToken,
	});
});
