import { createHash } from 'node:crypto';
import { request } from 'undici';
import { SEEDS, startSandbox, type Sandbox } from '../../../sandbox';
import { audio, call, media, sms } from './http';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const refusedAt = async (method: string, path: string, body?: unknown) => {
	const answer = await call(sandbox, method, path, body);
	expect(answer.status).toBe(422);
	expect(sandbox.requests({ valid: true })).toEqual([]);
	return (answer.body as { detail: Array<{ loc: string[] }> }).detail.map(({ loc }) =>
		loc.join('.'),
	);
};

describe('a request that is not in the interface gets 422 and the validation body', () => {
	it.each([
		['no body', undefined, ['body']],
		['text that is not JSON', '{"to":', ['body']],
		['no object', [], ['body']],
		['an unknown field', { ...sms(), from: 'x' }, ['body.from']],
		['a number that is not digits', sms('+55 11 91234'), ['body.to']],
		['a type code of two digits', { ...sms(), tiposms: '12' }, ['body.tiposms']],
		['a date in ISO 8601', { ...sms(), schedule: '2030-01-01T10:00:00' }, ['body.schedule']],
		['a date that is none', { ...sms(), schedule: '2030-13-01 10:00:00' }, ['body.schedule']],
	])('SMS: %s', async (_name, body, loc) => {
		expect(await refusedAt('POST', '/v1/sms/enviar', body)).toEqual(loc);
		expect(sandbox.accepted()).toEqual([]);
	});

	it.each([
		['not Base64', { ...audio(), audio_base64: 'a-b_' }, ['body.audio_base64']],
		['Base64 with a line break', { ...audio(), audio_base64: 'YWJj\nYWJj' }, ['body.audio_base64']],
		['unknown mode', { ...audio(), chatapp_mode: 'x' }, ['body.chatapp_mode']],
		['a day alone', { ...audio(), scheduled_at: '2030-01-01' }, ['body.scheduled_at']],
	])('audio: %s', async (_name, body, loc) => {
		expect(await refusedAt('POST', '/v2/chatapp/message/sendAudio', body)).toEqual(loc);
	});

	it('media: every field wrong is told', async () => {
		const { message } = media();
		const body = { messagetype: 'text', message: { ...message, mediaurl: 'x', mimetype: 'y' } };
		expect(await refusedAt('POST', '/v2/chatapp/message/sendMedia', body)).toEqual([
			'body.messagetype',
			'body.message.mediaurl',
			'body.message.mimetype',
		]);
	});

	it.each([
		['GET', '/v1/apikeys?state=active', undefined, ['query.state']],
		['DELETE', '/v1/apikeys/key-crm', {}, ['body']],
		['GET', '/webhook', undefined, ['path']],
		['PUT', '/webhook/', { enable: true, url: '' }, ['path']],
		['DELETE', '/v1/apikeys/unknown', undefined, ['path.key_id']],
	])('%s %s', async (method, path, body, loc) => {
		const answer = await call(sandbox, method, path, body);
		expect(answer.status).toBe(422);
		expect(answer.body).toEqual({
			detail: [{ loc: loc[0]?.split('.'), msg: expect.any(String), type: expect.any(String) }],
		});
	});

	it('a body on a GET request', async () => {
		const headers = { 'x-api-key': SEEDS.apiKey, 'content-type': 'application/json' };
		const answer = await request(`${sandbox.url}/v1/apikeys`, {
			method: 'GET',
			headers,
			body: '{}',
		});
		expect(answer.statusCode).toBe(422);
		expect(await answer.body.json()).toMatchObject({ detail: [{ loc: ['body'] }] });
	});

	it('another content type', async () => {
		const headers = { 'content-type': 'text/plain' };
		const answer = await call(sandbox, 'POST', '/v1/sms/enviar', JSON.stringify(sms()), headers);
		expect(answer.status).toBe(422);
	});
});

/** Which fields are required, and some of their values, the interface does not show (§2.2 to §2.4). */
describe('what the interface leaves open is not refused', () => {
	const { message } = media();
	it.each<[string, string, object]>([
		['an SMS without anything', '/v1/sms/enviar', {}],
		['an SMS without a text', '/v1/sms/enviar', { to: message.to }],
		['audio without anything', '/v2/chatapp/message/sendAudio', {}],
		['empty audio', '/v2/chatapp/message/sendAudio', { ...audio(), audio_base64: '' }],
		[
			'audio at a local time',
			'/v2/chatapp/message/sendAudio',
			{ ...audio(), scheduled_at: '2030-01-01T10:00:00' },
		],
		['media without anything', '/v2/chatapp/message/sendMedia', {}],
		['media without a message', '/v2/chatapp/message/sendMedia', { messagetype: 'media' }],
		[
			'media at a time of another format, with another status',
			'/v2/chatapp/message/sendMedia',
			{ ...media(), message: { ...message, scheduled_at: 'tomorrow', status: 'draft' } },
		],
	])('%s', async (_name, path, body) => {
		const answer = await call(sandbox, 'POST', path, body);
		expect(answer.status).toBe(200);
		expect(sandbox.requests()).toMatchObject([{ valid: true, violations: [] }]);
		expect(sandbox.accepted()).toHaveLength(1);
	});
});

describe('a request is recorded', () => {
	it('as it was sent, with its answer', async () => {
		await call(sandbox, 'POST', '/v2/chatapp/message/sendMedia?', media());
		expect(sandbox.requests()).toEqual([
			expect.objectContaining({
				operationId: 'sendMedia',
				method: 'POST',
				path: '/v2/chatapp/message/sendMedia',
				query: {},
				headers: expect.objectContaining({
					'x-api-key': SEEDS.apiKey,
					'x-instance-token': SEEDS.instanceToken,
				}),
				body: media(),
				valid: true,
				violations: [],
				status: 200,
			}),
		]);
	});

	it('with large audio as its length and digest', async () => {
		const content = Buffer.alloc(3_000_000, 'abcdef');
		const answer = await call(
			sandbox,
			'POST',
			'/v2/chatapp/message/sendAudio',
			audio('5511900000001', content),
		);
		expect(answer.status).toBe(200);
		expect(sandbox.accepted()[0]?.body).toMatchObject({
			audio_base64: {
				length: 4_000_000,
				bytes: 3_000_000,
				sha256: createHash('sha256').update(content).digest('hex'),
			},
		});
	});

	it('as invalid, though accepted, when the instance token goes where it is not used', async () => {
		const leak = { 'x-instance-token': SEEDS.instanceToken };
		const answer = await call(sandbox, 'POST', '/v1/sms/enviar', sms(), leak);
		expect(answer.status).toBe(200);
		expect(sandbox.requests({ valid: false })).toHaveLength(1);
	});
});

describe('names that the interface leaves open', () => {
	it('can be others', async () => {
		const names = {
			chatAppName: 'zapp',
			campaignIdParameter: 'id',
			keyStatusParameter: 'filter',
			audioScheduleField: 'when',
		};
		const other = await startSandbox({ names, basePath: '/gateway' });
		try {
			expect(other.credential).toMatchObject({ ...names, baseUrl: other.url });
			const { chatapp_mode, ...rest } = audio();
			const body = { ...rest, zapp_mode: chatapp_mode, when: '2030-01-01T10:00:00-03:00' };
			const answers = [
				await call(other, 'POST', '/v2/zapp/message/sendAudio', body),
				await call(other, 'POST', '/v2/zapp/message/sendAudio', audio()),
				await call(other, 'POST', '/v2/chatapp/message/sendAudio', audio()),
				await call(other, 'GET', '/v1/apikeys?filter=revoked'),
				await call(other, 'GET', `/v1/sms/campaign/messages?id=${SEEDS.campaigns.sms.finished}`),
			];
			expect(answers.map(({ status }) => status)).toEqual([200, 422, 422, 200, 200]);
			const outside = await fetch(new URL('/v1/apikeys', other.url));
			expect([outside.status, outside.headers.get('content-type')]).toEqual([404, 'text/html']);
		} finally {
			await other.close();
		}
	});
});
