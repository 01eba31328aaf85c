import { createHash } from 'node:crypto';
import { request } from 'undici';
import { SEEDS, startSandbox } from '../../../tools/sandbox';
import { audio, call as callOf, media, sms, useSandbox } from './http';

const { sandbox, call } = useSandbox();

const sendSms = '/v1/sms/enviar';
const sendMedia = '/v2/chatapp/message/sendMedia';
const sendAudio = '/v2/chatapp/message/sendAudio';
const { message } = media();

describe('a request that is not in the interface gets 422 and the validation body', () => {
	it.each([
		['no body', sendSms, undefined, 'body'],
		['text that is not JSON', sendSms, '{"to":', 'body'],
		['no object', sendSms, [], 'body'],
		['an unknown field', sendSms, { ...sms(), from: 'x' }, 'body.from'],
		['a number that is not digits', sendSms, sms('+55 11 91234'), 'body.to'],
		['a type code of two digits', sendSms, { ...sms(), tiposms: '12' }, 'body.tiposms'],
		['ISO 8601', sendSms, { ...sms(), schedule: '2030-01-01T10:00:00' }, 'body.schedule'],
		['no such date', sendSms, { ...sms(), schedule: '2030-13-01 10:00:00' }, 'body.schedule'],
		['not Base64', sendAudio, { ...audio(), audio_base64: 'a-b_' }, 'body.audio_base64'],
		['a line break', sendAudio, { ...audio(), audio_base64: 'YWJj\nYWJj' }, 'body.audio_base64'],
		['unknown mode', sendAudio, { ...audio(), chatapp_mode: 'x' }, 'body.chatapp_mode'],
		['a day alone', sendAudio, { ...audio(), scheduled_at: '2030-01-01' }, 'body.scheduled_at'],
		[
			'every field that is wrong',
			sendMedia,
			{ messagetype: 'text', message: { ...message, mediaurl: 'x', mimetype: 'y' } },
			'body.messagetype body.message.mediaurl body.message.mimetype',
		],
	])('%s, sent to %s', async (_name, path, body, locations) => {
		const answer = await call('POST', path, body);
		expect(answer.status).toBe(422);
		const { detail } = answer.body as { detail: Array<{ loc: string[] }> };
		expect(detail.map(({ loc }) => loc.join('.')).join(' ')).toBe(locations);
		expect(sandbox().requests({ valid: true })).toEqual([]);
		expect(sandbox().accepted()).toEqual([]);
	});

	it.each([
		['GET', '/v1/apikeys?state=active', undefined, ['query', 'state']],
		['DELETE', '/v1/apikeys/key-crm', {}, ['body']],
		['DELETE', '/v1/apikeys/unknown', undefined, ['path', 'key_id']],
	])('%s %s', async (method, path, body, loc) => {
		const answer = await call(method, path, body);
		expect(answer.status).toBe(422);
		const detail = [{ loc, msg: expect.any(String), type: expect.any(String) }];
		expect(answer.body).toEqual({ detail });
	});

	it.each([
		['GET', '/webhook'],
		['PUT', '/webhook/'],
	])('%s %s, which are not there, get 404', async (method, path) => {
		expect(await call(method, path)).toMatchObject({ status: 404, body: { detail: 'Not Found' } });
		expect(sandbox().requests({ valid: true })).toEqual([]);
	});

	it('a body on a GET request, and another content type', async () => {
		const headers = { 'x-api-key': SEEDS.apiKey, 'content-type': 'application/json' };
		const get = { method: 'GET', headers, body: '{}' } as const;
		expect((await request(`${sandbox().url}/v1/apikeys`, get)).statusCode).toBe(422);
		const plain = { 'content-type': 'text/plain' };
		expect((await call('POST', sendSms, JSON.stringify(sms()), plain)).status).toBe(422);
	});
});

/** Which fields are required, and some of their values, the interface does not show (§2.2 to §2.4). */
it.each<[string, string, object]>([
	['an SMS without anything', sendSms, {}],
	['an SMS without a text', sendSms, { to: message.to }],
	['audio without anything', sendAudio, {}],
	['empty audio', sendAudio, { ...audio(), audio_base64: '' }],
	['audio at a local time', sendAudio, { ...audio(), scheduled_at: '2030-01-01T10:00:00' }],
	['media without anything', sendMedia, {}],
	['media without a message', sendMedia, { messagetype: 'media' }],
	['a time of another format', sendMedia, { message: { ...message, scheduled_at: 'tomorrow' } }],
	['another status', sendMedia, { message: { ...message, status: 'draft' } }],
])('what the interface leaves open is not refused: %s', async (_name, path, body) => {
	expect((await call('POST', path, body)).status).toBe(200);
	expect(sandbox().requests()).toMatchObject([{ valid: true, violations: [] }]);
	expect(sandbox().accepted()).toHaveLength(1);
});

describe('a request is recorded', () => {
	it('as it was sent, with its answer', async () => {
		await call('POST', `${sendMedia}?`, media());
		expect(sandbox().requests()).toEqual([
			expect.objectContaining({
				...{ operationId: 'sendMedia', method: 'POST', path: sendMedia, query: {} },
				headers: expect.objectContaining({
					'x-api-key': SEEDS.apiKey,
					'x-instance-token': SEEDS.instanceToken,
				}),
				...{ body: media(), valid: true, violations: [], status: 200 },
			}),
		]);
	});

	it('with large audio as its length and digest', async () => {
		const content = Buffer.alloc(3_000_000, 'abcdef');
		await call('POST', sendAudio, audio('5511900100001', content));
		const sha256 = createHash('sha256').update(content).digest('hex');
		expect(sandbox().accepted()[0]?.body).toMatchObject({
			audio_base64: { length: 4_000_000, bytes: 3_000_000, sha256 },
		});
	});

	it('as invalid, though accepted, when the instance token goes where it is not used', async () => {
		const leak = { 'x-instance-token': SEEDS.instanceToken };
		expect((await call('POST', sendSms, sms(), leak)).status).toBe(200);
		expect(sandbox().requests({ valid: false })).toHaveLength(1);
	});
});

it('names that the interface leaves open can be others', async () => {
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
			await callOf(other, 'POST', '/v2/zapp/message/sendAudio', body),
			await callOf(other, 'POST', '/v2/zapp/message/sendAudio', audio()),
			await callOf(other, 'POST', sendAudio, audio()),
			await callOf(other, 'GET', '/v1/apikeys?filter=revoked'),
			await callOf(other, 'GET', `/v1/sms/campaign/messages?id=${SEEDS.campaigns.sms.finished}`),
		];
		expect(answers.map(({ status }) => status)).toEqual([200, 422, 404, 200, 200]);
		expect(other.accepted()).toMatchObject([{ dueAt: Date.parse(body.when) }]);
		const outside = await fetch(new URL('/v1/apikeys', other.url));
		expect([outside.status, outside.headers.get('content-type')]).toEqual([404, 'text/html']);
	} finally {
		await other.close();
	}
});
