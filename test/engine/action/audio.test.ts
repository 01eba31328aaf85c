/** An audio file is read at its turn, and large ones of a list leave one at a time. */
import { createHash, randomBytes } from 'node:crypto';
import type { AudioSummary, RecordedRequest } from '../../../tools/sandbox';
import { storeBinary } from '../harness';
import { digits, jsonOf, mostAtOnce, numbers, to, useGateway } from './support';

const gateway = useGateway();
const megabyte = 1024 * 1024;
const file = { mimeType: 'audio/ogg', storage: 'filesystem' } as const;

/** As many items, each with a file of its own on disk. */
const withFiles = async (count: number, bytes: number) =>
	await Promise.all(
		numbers(count).map(async (json) => ({
			json,
			binary: { data: await storeBinary(randomBytes(bytes), file) },
		})),
	);

/** Base64 as it arrived, or what the sandbox keeps of a large one. */
const audioOf = ({ body }: RecordedRequest) =>
	(body as { audio_base64: string | AudioSummary }).audio_base64;

it.each([1, 3 * megabyte - 1])('a file of %i bytes arrives whole', async (bytes) => {
	const content = randomBytes(bytes);
	const items = [{ json: { to }, binary: { data: await storeBinary(content, file) } }];
	expect((await gateway.run('sendAudio', { items })).error).toBeUndefined();
	const request = gateway.onlyRequest();
	expect(request.body).toMatchObject({ to: digits, mimetype: 'audio/ogg' });
	const base64 = content.toString('base64');
	const sha256 = createHash('sha256').update(content).digest('hex');
	expect(audioOf(request)).toEqual(
		base64.length > 100_000 ? { length: base64.length, bytes, sha256 } : base64,
	);
});

describe.each([
	['the shared instance', { options: { chatAppMode: 'shared' } }],
	['the own one without a pause', { credential: { chatAppPause: '0' } }],
])('through %s', (_, action) => {
	it.each([
		['large files leave one at a time', 2 * megabyte, 1],
		['small ones together', 1000, 6],
	])('%s', async (_what, bytes, atOnce) => {
		const items = await withFiles(6, bytes);
		gateway.sandbox.fault({ fault: { delayMs: 300 * atOnce } }); // on a busy machine, six begin within a second
		expect(jsonOf(await gateway.run('sendAudio', { ...action, items }))).toHaveLength(6);
		expect(mostAtOnce(gateway.sandbox.requests())).toBe(atOnce);
	});
});
