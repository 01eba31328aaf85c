import { OPERATIONAL_ERRORS, SEEDS } from '../../../tools/sandbox';
import { sms, useSandbox } from './http';

const { sandbox, call } = useSandbox();

const refusal = ({ status, message }: { status: number; message: string }) => ({
	status,
	body: { success: false, message },
});
const connectionState = '/v2/chatapp/instance/connectionState';

it.each([
	['a wrong key', { 'x-api-key': 'wrong' }],
	['a revoked key', { 'x-api-key': SEEDS.apiKeys.at(-1)?.key }],
	['no key', { 'x-api-key': undefined }],
	['a wrong bearer', { 'x-api-key': undefined, authorization: 'Bearer wrong' }],
	['a wrong instance token', { 'x-instance-token': 'wrong' }],
	['no instance token', { 'x-instance-token': undefined }],
])('%s is refused', async (_name, headers) => {
	expect(await call('GET', connectionState, undefined, headers)).toMatchObject(
		refusal(OPERATIONAL_ERRORS.invalidToken),
	);
});

it('API keys are listed masked, and do not work once revoked', async () => {
	const { body } = await call('GET', '/v1/apikeys?status=revoked');
	const masked_key = expect.stringMatching(/^•+f8f4$/);
	expect(body).toMatchObject([{ id: 'key-old', masked_key }, { id: 'key-lost' }]);
	expect((await call('DELETE', '/v1/apikeys/key-production')).status).toBe(200);
	expect((await call('GET', '/v1/apikeys')).status).toBe(401);
});

it('sends join the running campaign, whose messages move', async () => {
	const path = `/v1/sms/campaign/messages?campaignId=${SEEDS.campaigns.sms.running}`;
	for (const to of ['5511900100001', '5511900100002', '5511900100000'])
		await call('POST', '/v1/sms/enviar', sms(to));
	const counters = [];
	for (let step = 0; step < 4; step++) {
		const { campaigns } = (await call('GET', path)).body as {
			campaigns: Array<{ statistics: unknown }>;
		};
		counters.push(campaigns[0]?.statistics);
		await sandbox().advance();
	}
	const first = { total: 3, queued: 3, sent: 0, delivered: 0, errors: 0, deliveryRate: 0 };
	const last = { total: 3, queued: 0, sent: 0, delivered: 2, errors: 1, deliveryRate: 66.67 };
	expect(counters).toEqual([first, { ...first, queued: 0, sent: 3 }, last, last]);
});

it('campaigns are not found in the other channel, and deleted once, unless messages are queued', async () => {
	const { finished, scheduled } = SEEDS.campaigns.chatApp;
	const notFound = refusal(OPERATIONAL_ERRORS.campaignNotFound);
	const inSms = `/v1/sms/campaign/messages?campaignId=${finished}`;
	expect(await call('GET', inSms)).toMatchObject(notFound);
	const remove = (campanhaId: string) =>
		call('DELETE', '/v2/chatapp/campaign/excluir', { campanhaId });
	expect(await remove(scheduled)).toMatchObject(refusal(OPERATIONAL_ERRORS.deletionNotAllowed));
	expect(await remove(finished)).toMatchObject({ status: 200, body: { success: true } });
	expect(await remove(finished)).toMatchObject(notFound);
});
