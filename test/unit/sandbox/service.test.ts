import { OPERATIONAL_ERRORS, SEEDS, startSandbox, type Sandbox } from '../../../sandbox';
import { audio, call, media, sms } from './http';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const refusal = ({ status, message }: { status: number; message: string }) => ({
	status,
	body: { success: false, message },
});

describe('credentials', () => {
	it.each([
		['a wrong key', { 'x-api-key': 'wrong' }],
		['a revoked key', { 'x-api-key': SEEDS.apiKeys.at(-1)?.key }],
		['no key', { 'x-api-key': undefined }],
		['a wrong bearer', { 'x-api-key': undefined, authorization: 'Bearer wrong' }],
		['a wrong instance token', { 'x-instance-token': 'wrong' }],
		['no instance token', { 'x-instance-token': undefined }],
	])('%s is refused', async (_name, headers) => {
		const path = '/v2/chatapp/instance/connectionState';
		expect(await call(sandbox, 'GET', path, undefined, headers)).toMatchObject(
			refusal(OPERATIONAL_ERRORS.invalidToken),
		);
	});

	it('takes the key as a bearer', async () => {
		const bearer = { 'x-api-key': undefined, authorization: `Bearer ${SEEDS.apiKey}` };
		expect((await call(sandbox, 'GET', '/v1/apikeys', undefined, bearer)).status).toBe(200);
	});
});

describe('API keys', () => {
	it('are listed masked, by status', async () => {
		const all = (await call(sandbox, 'GET', '/v1/apikeys')).body as unknown[];
		expect(all).toHaveLength(SEEDS.apiKeys.length);
		expect(JSON.stringify(all)).not.toContain('sandbox-api-key');
		const { body } = await call(sandbox, 'GET', '/v1/apikeys?status=revoked');
		expect(body).toMatchObject([
			{ id: 'key-old', masked_key: expect.stringMatching(/^•+f8f4$/) },
			{ id: 'key-lost' },
		]);
	});

	it('do not work once revoked', async () => {
		expect((await call(sandbox, 'DELETE', '/v1/apikeys/key-production')).status).toBe(200);
		expect((await call(sandbox, 'GET', '/v1/apikeys')).status).toBe(401);
	});
});

describe('sends', () => {
	it('are answered in the shape of their channel and counted', async () => {
		const { body: mediaBody } = await call(
			sandbox,
			'POST',
			'/v2/chatapp/message/sendMedia',
			media('5511900000001'),
		);
		const { body: audioBody } = await call(
			sandbox,
			'POST',
			'/v2/chatapp/message/sendAudio',
			audio('5511900000002'),
		);
		const { body: smsBody } = await call(
			sandbox,
			'POST',
			'/v1/sms/enviar',
			sms('5511900000003', 'um'),
		);
		const messageId = expect.stringMatching(/^[0-9a-f-]{36}$/);
		expect(mediaBody).toMatchObject({ success: true, messageId, status: 'send' });
		expect(audioBody).toEqual({
			status: 200,
			statusmessage: 'pending',
			message_id: messageId,
			taxa: 0,
		});
		expect(smsBody).toMatchObject([{ success: true, messageId, status: 'pending' }]);

		expect(sandbox.timesAccepted({ to: '5511900000003', text: 'um' })).toBe(1);
		expect(sandbox.timesAccepted({ to: '5511900000003', text: 'dois' })).toBe(0);
		expect(sandbox.accepted({ channel: 'chatApp' }).map(({ operationId }) => operationId)).toEqual([
			'sendMedia',
			'sendAudio',
		]);
	});

	it('join the running campaign, whose messages move', async () => {
		const path = `/v1/sms/campaign/messages?campaignId=${SEEDS.campaigns.sms.running}`;
		for (const to of ['5511900000001', '5511900000002', '5511900000000'])
			await call(sandbox, 'POST', '/v1/sms/enviar', sms(to));
		const counters = [];
		for (let step = 0; step < 4; step++) {
			const { campaigns } = (await call(sandbox, 'GET', path)).body as {
				campaigns: Array<{ statistics: unknown }>;
			};
			counters.push(campaigns[0]?.statistics);
			await sandbox.advance();
		}
		const final = { total: 3, queued: 0, sent: 0, delivered: 2, errors: 1, deliveryRate: 66.67 };
		expect(counters).toEqual([
			{ total: 3, queued: 3, sent: 0, delivered: 0, errors: 0, deliveryRate: 0 },
			{ total: 3, queued: 0, sent: 3, delivered: 0, errors: 0, deliveryRate: 0 },
			final,
			final,
		]);
	});
});

describe('campaigns', () => {
	const { finished, scheduled } = SEEDS.campaigns.chatApp;
	const remove = (campanhaId: string) =>
		call(sandbox, 'DELETE', '/v2/chatapp/campaign/excluir', { campanhaId });

	it('of one channel are listed without an id', async () => {
		const { body } = await call(sandbox, 'GET', '/v2/chatapp/campaign/messages');
		expect(body).toMatchObject({ success: true, campaigns: { length: 3 } });
	});

	it('are not found in the other channel', async () => {
		const path = `/v1/sms/campaign/messages?campaignId=${finished}`;
		expect(await call(sandbox, 'GET', path)).toMatchObject(
			refusal(OPERATIONAL_ERRORS.campaignNotFound),
		);
	});

	it('can be deleted once, unless messages are queued', async () => {
		expect(await remove(scheduled)).toMatchObject(refusal(OPERATIONAL_ERRORS.deletionNotAllowed));
		expect(await remove(finished)).toMatchObject({ status: 200, body: { success: true } });
		expect(await remove(finished)).toMatchObject(refusal(OPERATIONAL_ERRORS.campaignNotFound));
	});
});

describe('the instance', () => {
	it('can be logged out and brought back', async () => {
		const state = () => call(sandbox, 'GET', '/v2/chatapp/instance/connectionState');
		expect(await state()).toMatchObject({ status: 200, body: { instance: { state: 'open' } } });
		const logout = '/v2/chatapp/instance/logout/sandbox-instance';
		expect((await call(sandbox, 'DELETE', logout)).status).toBe(200);

		const disconnected = refusal(OPERATIONAL_ERRORS.instanceDisconnected);
		expect(await state()).toMatchObject(disconnected);
		expect(await call(sandbox, 'POST', '/v2/chatapp/message/sendMedia', media())).toMatchObject(
			disconnected,
		);
		expect((await call(sandbox, 'POST', '/v1/sms/enviar', sms())).status).toBe(200);

		sandbox.instance.connected = true;
		expect((await state()).status).toBe(200);
	});
});
