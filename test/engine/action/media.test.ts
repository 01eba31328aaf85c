/** A file of the item becomes a link that n8n signs, which only the service gets to see. */
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, IDataObject, INodeParameters } from 'n8n-workflow';
import { storeBinary } from '../harness';
import { startService } from '../harness/server';
import { jsonOf, to, useGateway, type ActionOptions } from './support';

const gateway = useGateway();
const parameters = { mediaSource: 'binary', mediaUrl: '', binaryPropertyName: 'data' };
const instanceUrl = 'http://127.0.0.1:5678/n8n';

const stored = async (file: Partial<IBinaryData> = {}) => {
	const description = { mimeType: 'application/pdf', ...file };
	return await storeBinary(Buffer.from('content'), {
		storage: 'filesystem',
		...description,
	} as never);
};
const itemWith = (data: IBinaryData) => ({ json: { to }, binary: { data } });
const run = async (data: IBinaryData, options: INodeParameters = {}, more: ActionOptions = {}) =>
	await gateway.run('sendMedia', {
		...{ parameters, options, instanceUrl },
		...{ items: [itemWith(data)], ...more },
	});

const hoursUntil = (time: number) => Math.round((time - Date.now()) / 3_600_000);

const message = (request = gateway.onlyRequest()) =>
	(request.body as { message: IDataObject }).message;

/** What n8n finds behind a link, and until when. */
function openLink(link: unknown) {
	const [start, token = ''] = String(link).split('?token=');
	expect(start).toBe(`${instanceUrl}/rest/binary-data/signed`);
	const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
		exp: number;
	};
	return {
		id: Container.get(BinaryDataService).validateSignedToken(token),
		until: claims.exp * 1000,
	};
}

it.each<[Partial<IBinaryData>, INodeParameters, string, string]>([
	[{ mimeType: 'image/png' }, {}, 'image/png', 'image'],
	[{ mimeType: 'application/pdf' }, {}, 'application/pdf', 'document'],
	[{ mimeType: 'application/octet-stream', fileName: 'Ana.2.JPG' }, {}, 'image/jpeg', 'image'],
	[{ mimeType: 'application/octet-stream' }, {}, 'application/octet-stream', 'document'],
	[{ mimeType: 'text/plain' }, { mimeType: 'image/webp' }, 'image/webp', 'image'],
	[{ mimeType: 'text/html', fileName: 'report.html' }, {}, 'text/html', 'document'],
	[{ mimeType: 'jpeg', fileName: 'Ana.jpg' }, {}, 'image/jpeg', 'image'],
])('%j with %j is sent as %s, %s', async (file, options, mimetype, mediatype) => {
	const data = await stored(file);
	expect((await run(data, options)).error).toBeUndefined();
	expect(message()).toMatchObject({ mimetype, mediatype });
	const { id, until } = openLink(message().mediaurl);
	const copy = await Container.get(BinaryDataService).getAsBuffer({ ...data, id });
	expect(copy.equals(await Container.get(BinaryDataService).getAsBuffer(data))).toBe(true);
	expect(hoursUntil(until)).toBe(24);
});

it('the link to the file of a scheduled message lasts as long as is set from then on', async () => {
	const scheduleAt = new Date(Date.now() + 47 * 3_600_000).toISOString();
	const at = { parameters: { ...parameters, scheduleAt } };
	await run(await stored(), { linkValidFor: 48 }, at);
	expect(hoursUntil(openLink(message().mediaurl).until)).toBe(95);
});

describe('nothing is sent', () => {
	const unknown = async () => await stored({ mimeType: ' ' });
	const invalid = async () => await stored({ mimeType: 'jpeg' });
	const inPublic = { credential: { baseUrl: 'https://api.example.com' } };
	const video = { parameters: { ...parameters, mediaType: 'video' } };
	const forNoTime = { options: { linkValidFor: '={{ null }}' } };
	const dead = { instanceUrl: 'http://127.0.0.1:5678/webhook' };
	const mimeType = 'image/png';
	const inMemory = async () => await storeBinary(Buffer.from('x'), { mimeType });
	const empty = async () => await Promise.resolve({ data: '', mimeType });
	const isEmpty = "The file in 'data' is empty, or n8n does not have it any more | ";

	type Refusal = [string, () => Promise<IBinaryData>, ActionOptions, said: string];
	it.each<Refusal>([
		['in memory', inMemory, {}, 'keeps the file in memory | N8N_DEFAULT_BINARY_DATA_MODE'],
		['from an n8n at localhost', stored, inPublic, 'http://127.0.0.1:5678 | WEBHOOK_URL'],
		['for no time', stored, forNoTime, "'Link Valid For (Hours)' returned nothing | "],
		['of another kind', stored, video, "'Media Type' is 'video' | MIME type says"],
		['of an unknown kind', unknown, {}, "MIME type of the file is unknown | 'MIME Type'"],
		['of no MIME type', invalid, {}, "MIME type of the file is unknown | 'MIME Type'"],
		['without bytes', empty, {}, isEmpty],
		['with a dead link', stored, dead, 'ends with /webhook, which n8n adds itself | WEBHOOK_URL'],
	])('%s', async (_, file, { options, ...more }, said) => {
		const { error } = await run(await file(), options, more);
		const [problem, hint] = said.split(' | ');
		expect(error?.message).toContain(problem);
		expect(error?.description).toContain(hint);
		expect(gateway.sandbox.requests()).toEqual([]);
	});
});

it('a dry run shows where the link leads and when it ends, but not the link', async () => {
	const outputs = jsonOf(await run(await stored(), { dryRun: true }));
	expect(outputs).toMatchObject([{ wouldSend: true, linkHost: '127.0.0.1:5678' }]);
	expect(hoursUntil(Date.parse(String(outputs[0]!.linkEndsAt)))).toBe(24);
	expect(JSON.stringify(outputs)).not.toContain('token');
});

it('each attempt has a link of its own, and Retry sends only what was not sent', async () => {
	const other = { to: '+5511900000002' };
	const items = [itemWith(await stored()), { ...itemWith(await stored()), json: other }];
	gateway.sandbox.fault({ to, times: 2, fault: { tooMany: true, retryAfter: 1 } });
	gateway.sandbox.fault({ ...other, times: 1, fault: { status: 400 } });
	const action = { parameters, instanceUrl, rules: { maxRetries: 1, maxConcurrency: 1 } };
	const failed = await gateway.run('sendMedia', { ...action, items });
	const retried = await gateway.retry(failed, 'sendMedia', action);
	expect(jsonOf(retried)).toMatchObject([{ to }, other]);
	expect(gateway.sandbox.accepted()).toHaveLength(2);
	const links = gateway.sandbox.requests({ to }).map((request) => message(request).mediaurl);
	expect(new Set(links).size).toBe(3);
});

it.each([200, 400, 500])('a link that the service repeats in a %i is not shown', async (status) => {
	const links: string[] = [];
	const service = await startService((response, { body }) => {
		const text = body.toString();
		const link = String((JSON.parse(text) as { message: IDataObject }).message.mediaurl);
		links.push(link);
		const said = `no file at ${link} or ${encodeURIComponent(link)}`;
		const answer = { success: status === 200, messageId: 'm1', message: said, [link]: { text } };
		response.writeHead(status).end(JSON.stringify(answer));
	});
	const credential = { baseUrl: service.url };
	const data = await stored();
	for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
		const action = { credential, onError, parameters };
		const { logs, ...shown } = await run(data, {}, action);
		const all = JSON.stringify([shown, shown.error?.stack, logs]);
		expect(all).toContain('m1'.repeat(status === 200 ? 1 : 0));
		const [, payload, signature] = links.at(-1)!.split('?token=')[1]!.split('.');
		expect(all).not.toContain(payload);
		expect(all).not.toContain(signature);
	}
	expect(links).toHaveLength(2);
	await service.close();
});
