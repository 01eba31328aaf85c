/** What is entered in the credential's fields, and what it means. Base URL and keys: authenticate.test. */
import type { IDataObject, UserError } from 'n8n-workflow';

import { accountOf, chatAppPath, type Account } from '../../../nodes/account/account';
import { credentialFields } from '../../../nodes/account/credential';

const read = (name: keyof Account, credential: IDataObject) => accountOf(credential as never)[name];

const defaults = {
	...{ defaultCountryCode: undefined, allowedCountries: undefined },
	...{ chatApp: false, serviceDetails: false },
	...{ chatAppName: '', instanceToken: '', chatAppPause: { minMs: 1000, maxMs: 3000 } },
	...{ doNotContactWorkflowId: undefined, deduplicationWorkflowId: undefined },
	...{ requestsPerSecond: Infinity, maxConcurrency: 100, timeout: 30_000, maxRetries: 3 },
	...{ testMode: false, sendKeyAs: 'apiKeyHeader' },
	...{ smsScheduleTimezone: undefined, audioScheduleField: 'scheduled_at' },
	...{ campaignIdParameter: 'campaignId', keyStatusParameter: 'status', n8nAddress: undefined },
};
type Name = keyof Account;
const nameOf = Object.keys(defaults) as Array<keyof typeof defaults>;

test.each(nameOf)('%s has its default: stored, never stored, and of its form', (name) => {
	expect(read(name, {})).toEqual(defaults[name]);
	expect(read(name, { [name]: credentialFields[name].default })).toEqual(defaults[name]);
});

/** What an expression gives that has no value for an item. */
const nothings = [undefined, null, {}, [], true, ' '];

const zones = ['Brasília', 'GMT-3', 'BRT', 'local', 'system'];

test.each<[Name, unknown, unknown]>([
	['defaultCountryCode', '+55', { defaultCallingCode: '55' }],
	['defaultCountryCode', 55, { defaultCallingCode: '55' }],
	['defaultCountryCode', ' br ', { defaultCallingCode: '55', defaultCountry: 'BR' }],
	['defaultCountryCode', 'Brasil', { defaultCallingCode: '55', defaultCountry: 'BR' }],
	['defaultCountryCode', ' Included ', 'included'],
	['allowedCountries', 'br, PT', ['BR', 'PT']],
	['allowedCountries', 'Brazil, United States', ['BR', 'US']],
	['chatAppName', ' wave ', 'wave'],
	['audioScheduleField', ' when ', 'when'],
	['campaignIdParameter', 7, '7'],
	['keyStatusParameter', 'estado', 'estado'],
	['chatAppPause', '0', { minMs: 0, maxMs: 0 }],
	['chatAppPause', ' 1 - 30 ', { minMs: 1000, maxMs: 30_000 }],
	['smsScheduleTimezone', 'America/Sao_Paulo', 'America/Sao_Paulo'],
	['maxConcurrency', 2.9, 2],
	['maxConcurrency', '3', 3],
	['requestsPerSecond', 0.5, 0.5],
	['maxRetries', '0', 0],
	['timeout', 1000, 1000],
	['doNotContactWorkflowId', ' w-1 ', 'w-1'],
	[
		'doNotContactWorkflowId',
		'https://n8n.example.com/workflow/Kb3dEf6hJ9kLmN0p',
		'Kb3dEf6hJ9kLmN0p',
	],
	['doNotContactWorkflowId', 'https://a.test/n8n/workflow/w_1/executions/7?x=1', 'w_1'],
	['deduplicationWorkflowId', 'localhost:5678/workflow/w-1?projectId=p#e', 'w-1'],
	['deduplicationWorkflowId', 7, '7'],
	['sendKeyAs', 'bearer', 'bearer'],
	['testMode', true, true],
	['testMode', ' True ', true],
	['testMode', 'false', false],
])('%s %j means %j', (name, entered, value) => {
	expect(read(name, { [name]: entered } as never)).toEqual(value);
});

test.each<[Name, unknown[], string]>([
	// An expression that gives nothing must not lift a rule of the account.
	['defaultCountryCode', ['Atlantis', '999', '0', ...nothings], 'is not a country: '],
	['allowedCountries', ['Atlantis', '55', 'BR, +351', ...nothings], 'is not a list of countries: '],
	['chatAppPause', ['fast', '3-1', '-1', ...nothings], 'is not a number of seconds: '],
	['smsScheduleTimezone', [...zones, ...nothings], 'is not a time zone: '],
	['chatAppName', nothings, 'is not a name: '],
	['audioScheduleField', nothings, 'is not a name: '],
	['campaignIdParameter', nothings, 'is not a name: '],
	['keyStatusParameter', nothings, 'is not a name: '],
	['sendKeyAs', [...nothings, '', 'Bearer', 'header'], 'is not one of its choices: '],
	['testMode', [undefined, null, {}, [], '', 'on', 1], 'is not on or off: '],
	['doNotContactWorkflowId', nothings, 'is not the ID of a workflow: '],
	['deduplicationWorkflowId', nothings, 'is not the ID of a workflow: '],
	['n8nAddress', nothings, 'is not an address: '],
	['maxConcurrency', [0.9, 'many', '', ...nothings], 'is not a number of 1 or more: '],
	['requestsPerSecond', [-1, '', ...nothings], 'is not a number of 0 or more: '],
	['maxRetries', ['NaN', -1, '', ...nothings], 'is not a number of 0 or more: '],
	['timeout', ['', 30, ...nothings], 'is not a number of 1000 or more: '],
	['chatAppName', ['5'.repeat(1_000_000)], 'is not a name: '],
])('%s that cannot be used', (name, values, is) => {
	for (const entered of values) {
		let error: UserError | undefined;
		try {
			read(name, { [name]: entered } as never);
		} catch (thrown) {
			error = thrown as UserError;
		}
		const said = `'${credentialFields[name].displayName}' in the Messaging Gateway credential ${is}`;
		expect(error?.message.slice(0, said.length)).toBe(said);
		expect(error?.message.length).toBeLessThan(400);
		expect(error?.description).toMatch(/^\S.*\.$/);
	}
});

/** The last three are what an expression gave. */
test.each<[unknown, string]>([
	['Atlantis', 'Atlantis'],
	['a the-key b', 'a *** b'],
	['https://x.example/a?sig=1', 'https://x.example/a?…'],
	[undefined, 'undefined'],
	[null, 'null'],
	[{}, 'an object'],
])('an error quotes %j as %j', (entered, quoted) => {
	const credential = { apiKey: 'the-key', allowedCountries: entered } as never;
	expect(() => read('allowedCountries', credential)).toThrow(`countries: '${quoted}'`);
});

test('each is read once, and none before it is asked for', () => {
	const account = accountOf({ timeout: 'x', chatAppPause: '2' });
	expect(account.chatAppPause).toBe(account.chatAppPause);
	expect(() => account.timeout).toThrow("'Timeout'");
});

test.each([
	[{ chatAppName: ' talk ' }, '/v2/talk/message/x'],
	[{ chatAppName: 'my app' }, '/v2/my%20app/message/x'],
	[{ chatAppName: 'talk', instanceToken: ' ' }, "'Instance Token' is missing"],
	[{}, "'Chat App Name' is missing"],
	[{ instanceToken: undefined }, "'Instance Token' is missing"],
])('a chat-app path with %j: %s', (more, expected) => {
	const credential = { instanceToken: 'token', ...more } as never;
	const path = () => chatAppPath(accountOf(credential), '/message/x');
	if (expected.startsWith('/')) expect(path()).toBe(expected);
	else {
		expect(path).toThrow(expected);
		// The fields may be out of sight.
		expect(path).toThrow(
			expect.objectContaining({ description: expect.stringMatching(/^Turn on 'Chat App' there/) }),
		);
	}
});
