/** Answers that are compressed, in another charset, or contain numbers beyond 2⁵³. */
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { OPERATIONAL_ERRORS } from '../../../tools/sandbox';
import { startService } from '../harness/server';
import { jsonOf, useGateway, type ActionId } from './support';

const gateway = useGateway();

type Answer = (response: ServerResponse) => void;

/** Runs an operation against a service that answers like this. */
async function run(id: ActionId, answer: Answer) {
	const service = await startService(answer);
	const credential = { baseUrl: service.url };
	const ran = await gateway.run(id, { credential, onError: 'continueRegularOutput' });
	await service.close();
	return { json: jsonOf(ran)[0] };
}

const packings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

it.each(Object.entries(packings))('an answer is unpacked: %s', async (encoding, pack) => {
	const body = JSON.stringify({ success: true, messageId: 'm-1', status: 'pendente' });
	const { json } = await run('sendSms', (response) =>
		response.setHeader('content-encoding', encoding).end(pack(body)),
	);
	expect(json).toMatchObject({ messageId: 'm-1', status: 'pendente' });
});

it('a text in UTF-8 is understood, whatever it claims to be', async () => {
	const { message } = OPERATIONAL_ERRORS.invalidToken;
	const body = JSON.stringify({ success: false, message });
	const type = 'application/json; charset=ISO-8859-1';
	const answer: Answer = (response) => response.setHeader('content-type', type).end(body);
	const { json } = await run('deleteCampaign', answer);
	expect(json).toMatchObject({ error: { message: expect.stringContaining(message) } });
});

it('an ID beyond 2⁵³ comes out as it is', async () => {
	const id = '12345678901234567890';
	const body = `[{"success":true,"messageId":${id}}]`;
	expect((await run('sendSms', (response) => response.end(body))).json).toMatchObject({
		messageId: id,
	});
	const keys = `[{"id":${id}}]`;
	expect((await run('listApiKeys', (response) => response.end(keys))).json).toEqual({ id });
});

it.each<[ActionId, string, unknown]>([
	['deleteCampaign', 'OK', 'OK'],
	['revokeApiKey', '"Removida."', 'Removida.'],
	['getConnectionState', '7', 7],
	['logOutInstance', 'true', true],
])('%s passes on the answer %s', async (id, body, answer) => {
	expect((await run(id, (response) => response.end(body))).json).toMatchObject({ answer });
});

it('shows no key that the service repeats in a campaign', async () => {
	const { apiKey } = gateway.sandbox.credential;
	const messages = [{ to: '5511912345678', messageId: 'm1', status: `sent by ${apiKey}` }];
	const body = JSON.stringify({ campaigns: [{ nome: apiKey, messages }] });
	const { json } = await run('getSmsStatus', (response) => response.end(body));
	expect(json).toMatchObject({ messageId: 'm1', status: 'sent by ***', campaignName: '***' });
});
