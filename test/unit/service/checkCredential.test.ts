import type { ICredentialTestFunctions, IDataObject } from 'n8n-workflow';

import { testCredential } from '../../../nodes/service/checkCredential';
import { serviceTexts } from '../../../nodes/service/outcome';
import { credential } from '../../../tools/shared/context';

type Answer = { statusCode: number; headers?: IDataObject; body: unknown } | Error;

const answered = (statusCode: number, body: unknown = '', headers: IDataObject = {}): Answer => ({
	statusCode,
	headers,
	body: typeof body === 'string' ? body : JSON.stringify(body),
});
const no = (message: string) => answered(200, { success: false, message });
const invalid = (header: string, msg: string) =>
	answered(422, { detail: [{ loc: ['header', header], msg }] });
const failed = (code: string): Answer => Object.assign(new Error(code), { code });

/** Tests a credential; `key` answers the first request, `instance` the second one. */
async function verdict(key: Answer, instance: Answer = answered(500), more: IDataObject = {}) {
	const requests: string[] = [];
	const helpers = {
		request: async ({ uri }: { uri: string }) => {
			requests.push(uri);
			const answer = requests.length === 1 ? key : instance;
			if (answer instanceof Error) throw answer;
			return answer;
		},
	};
	const context = { helpers } as unknown as ICredentialTestFunctions;
	const data = { ...credential, ...more } as never;
	const result = await testCredential.call(context, { id: '1', name: 'a', type: 'b', data });
	return { ...result, requests };
}

const ok = answered(200, { url: null, enabled: null });
const noChatApp = { chatApp: false };

test('what to correct, after one request', async () => {
	const messages: string[] = [];
	for (const [name, answer] of unusable) {
		const { status, message, requests } = await verdict(answer);
		expect([name, status, requests]).toEqual([name, 'Error', ['https://gateway.example/webhook/']]);
		messages.push(`${name}: ${message}`);
	}
	expect(messages.join('\n')).toMatchSnapshot();
});

/** Of the others: errors.test.ts, which has the same explanations. */
const unusable: Array<[string, Answer]> = [
	['nobody listens', failed('ECONNREFUSED')],
	['a rejected key', no(serviceTexts.invalidToken)],
	['a value that is not accepted', invalid('x-api-key', 'field required')],
	['too busy', answered(429)],
	['their fault', no(serviceTexts.internalError)],
	['no such path', answered(404, { detail: 'Not Found' })],
	['JSON of somebody else', answered(200, { hello: 'world' })],
];

const campaigns = 'https://gateway.example/v1/sms/campaign/messages';

test.each([{ url: null }, { enabled: false }])(
	'without an instance token, the key is tested with a campaign, too: %j',
	async (body) => {
		const { requests, ...result } = await verdict(answered(200, body), ok, noChatApp);
		expect(result).toEqual({ status: 'OK', message: 'Connection successful' });
		expect(requests).toEqual(['https://gateway.example/webhook/', campaigns]);
	},
);

const noKey = { success: false, message: serviceTexts.invalidToken };

test.each<[string, Answer, string]>([
	['a rejected key', no(serviceTexts.invalidToken), 'Error'],
	['401', answered(401), 'Error'],
	['a rejected key, with 403', answered(403, noKey), 'Error'],
	['403, as the key of a chat app', answered(403), 'OK'],
	['no such campaign', no(serviceTexts.campaignNotFound), 'OK'],
	['no such path', answered(404), 'OK'],
	['a validation body', invalid('x', 'field required'), 'OK'],
	['their fault', answered(500), 'OK'],
	['a page', answered(200, '<h1>Login</h1>'), 'OK'],
	['a list of all', answered(200, { success: true, campaigns: [{ campaignId: 'c1' }] }), 'OK'],
	['no answer', failed('ECONNRESET'), 'OK'],
])('without an instance token, only a rejected key fails it: %s', async (_, answer, status) => {
	const result = await verdict(ok, answer, noChatApp);
	expect(result.status).toBe(status);
	expect(result.requests).toHaveLength(2);
	if (status === 'Error') expect(result.message).toContain("'API Key'");
});

const instances: Array<[string, Answer, string]> = [
	['accepted', answered(200, { state: 'open' }), 'OK'],
	['401', answered(401), 'Error'],
	['another refusal', answered(404, { message: 'Rota desconhecida' }), 'Error'],
	['disconnected', no(serviceTexts.instanceDisconnected), 'OK'],
	['rejected', no(serviceTexts.invalidToken), 'Error'],
	['a value that is not accepted', invalid('x-instance-token', 'not a UUID'), 'Error'],
	['busy', answered(429), 'Error'],
	['no answer', failed('ECONNRESET'), 'Error'],
];

test('an instance token is tested, too', async () => {
	const messages: string[] = [];
	for (const [name, answer, status] of instances) {
		const result = await verdict(ok, answer);
		expect([name, result.status]).toEqual([name, status]);
		expect(result.requests[1]).toBe('https://gateway.example/v2/chatapp/instance/connectionState');
		messages.push(`${name}: ${result.message}`);
	}
	expect(messages.join('\n')).toMatchSnapshot();
});

test('a verdict contains no secret, not even in part or from the wrong field', async () => {
	const whole = await verdict(answered(400, { message: `Bad ${credential.apiKey}` }));
	expect(whole.message).toContain('Bad ***');
	const text = 'x'.repeat(190) + credential.apiKey;
	const cut = await verdict(answered(400, { message: text }));
	expect(cut.message).not.toContain(credential.apiKey.slice(0, 6));
});

test.each([
	['chatAppName', "'Chat App Name' is empty. Enter it, or turn off 'Chat App'."],
	['instanceToken', "'Instance Token' is empty. Enter it, or turn off 'Chat App'."],
])('an empty %s is asked for where Chat App is on, and not tried', async (name, said) => {
	const { requests, ...result } = await verdict(ok, ok, { [name]: '' });
	expect(requests).toHaveLength(1);
	expect(result).toEqual({ status: 'Error', message: `The API key works, but ${said}` });
	expect(await verdict(ok, ok, { ...noChatApp, [name]: '' })).toMatchObject({ status: 'OK' });
});

test('a service that does not answer is given up after ten seconds', async () => {
	const end = new AbortController();
	const clock = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(end.signal);
	const request = async () => await new Promise<never>(() => setImmediate(() => end.abort()));
	const tested = { id: '1', name: 'a', type: 'b', data: credential };
	const result = testCredential.call({ helpers: { request } } as never, tested);
	const message = expect.stringContaining('ended without an answer');
	expect(await result).toEqual({ status: 'Error', message });
	expect(clock).toHaveBeenCalledWith(10_000);
}, 5_000);

test.each([{ baseUrl: '' }, { baseUrl: 'gateway' }, { allowedCountries: '-1' }])(
	'a field that cannot be used is refused before anything is sent: %j',
	async (entered) => {
		const { status, message, requests } = await verdict(ok, ok, entered);
		expect([status, requests]).toEqual(['Error', []]);
		expect(message).toMatch(/^'[\w ]+' .*is (not|empty).*\. Enter .*\.$/);
	},
);
