/** Audio is streamed from n8n's file store, and its file is always closed again. */
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { AudioSummary, RecordedRequest } from '../../../tools/sandbox';
import { storeBinary } from '../harness';
import { listen } from '../harness/server';
import { digits, hurry, jsonOf, numbers, to, until, useGateway } from './support';

const gateway = useGateway();
const parameters = { audioSource: 'binary', audioBase64: '' };
const onError = 'continueRegularOutput';
const megabyte = 1024 * 1024;

/** As many items, each with a file of its own on disk. */
const withFiles = async (count: number, bytes: number) =>
	await Promise.all(
		numbers(count).map(async (json) => {
			const file = { mimeType: 'audio/ogg', storage: 'filesystem' } as const;
			return { json, binary: { data: await storeBinary(randomBytes(bytes), file) } };
		}),
	);

const openFiles = () =>
	readdirSync('/proc/self/fd').filter((fd) => {
		try {
			return readlinkSync(`/proc/self/fd/${fd}`).includes('binary_data');
		} catch {
			return false; // closed meanwhile
		}
	}).length;

/** Base64 as it arrived, or what the sandbox keeps of a large one. */
const audioOf = ({ body }: RecordedRequest) =>
	(body as { audio_base64: string | AudioSummary }).audio_base64;

describe('a file', () => {
	it.each([1, 3 * megabyte - 1])(
		'of %i bytes arrives whole, its length announced',
		async (bytes) => {
			const content = randomBytes(bytes);
			const file = { mimeType: 'audio/ogg', storage: 'filesystem' } as const;
			const data = await storeBinary(content, file);
			const items = [{ json: { to }, binary: { data } }];
			const { error } = await gateway.run('sendAudio', { parameters, items });
			expect(error).toBeUndefined();

			const request = gateway.onlyRequest();
			const base64 = content.toString('base64');
			const rest = JSON.stringify({
				to: digits,
				mimetype: 'audio/ogg',
				chatapp_mode: 'private',
				audio_base64: '',
			});
			expect(request.headers['content-length']).toBe(String(rest.length + base64.length));
			expect(request.headers).not.toHaveProperty('transfer-encoding');
			const sha256 = createHash('sha256').update(content).digest('hex');
			expect(audioOf(request)).toEqual(
				base64.length > 100_000 ? { length: base64.length, bytes, sha256 } : base64,
			);
			await until(() => openFiles() === 0);
		},
	);

	it('is read anew for a request that is repeated', async () => {
		const items = await withFiles(2, megabyte);
		gateway.sandbox.fault({ times: 2, fault: { tooMany: true, retryAfter: 0 } });
		const rules = { maxRetries: 2 };
		const run = await gateway.run('sendAudio', { parameters, items, rules });
		expect(jsonOf(run)).toMatchObject(items.map(({ json }) => json));
		for (const { json } of items) {
			const audio = gateway.sandbox.requests(json).map(audioOf);
			expect(audio.length).toBeGreaterThan(1);
			expect(audio).toEqual(audio.map(() => audio[0]));
			expect(gateway.sandbox.timesAccepted(json)).toBe(1);
		}
		await until(() => openFiles() === 0);
	});
});

describe('no file stays open', () => {
	hurry();

	it.each<[string, RequestListener]>([
		// Services that answer before they have read the body, or not at all.
		['an early 401', (_, response) => response.writeHead(401).end('{}')],
		[
			'a reset in the middle',
			(request) => request.once('data', () => request.socket.resetAndDestroy()),
		],
		['no answer, body unread', () => {}],
	])('after %s', async (_name, handle) => {
		const service = await listen(handle);
		const items = await withFiles(6, 3 * megabyte);
		const credential = { baseUrl: service.url };
		const rules = { timeout: 2_000, maxRetries: 1 };
		const run = await gateway.run('sendAudio', { parameters, items, credential, rules, onError });
		expect(run.outputs[0]).toHaveLength(6);
		await until(() => openFiles() === 0);
		await service.close();
	});

	it('after a stop, once each request has timed out', async () => {
		const service = await listen(() => {});
		const items = await withFiles(12, 3 * megabyte);
		const credential = { baseUrl: service.url };
		const rules = { timeout: 5_000 };
		const execution = await gateway.start('sendAudio', { parameters, items, credential, rules });
		await until(() => openFiles() > 0);
		execution.cancel();
		await execution.finished;
		await until(() => openFiles() === 0);
		await service.close();
	});
});

describe('a file that cannot be read', () => {
	it('never left, and the next one does', async () => {
		const items = await withFiles(2, 1000);
		rmSync(Container.get(BinaryDataService).getPath(items[0]!.binary.data.id!));
		const run = await gateway.run('sendAudio', { parameters, items, onError });
		expect(jsonOf(run)).toMatchObject([
			{
				error: {
					message: expect.stringMatching(/ binary data store of n8n$/),
					hint: expect.stringContaining('Run the node that produces the file again'),
					outcome: 'refused',
				},
			},
			items[1]!.json,
		]);
		expect(gateway.sandbox.requests()).toHaveLength(1);
	});
});
