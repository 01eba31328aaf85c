/** A file arrives byte for byte from wherever n8n keeps it: in the request, or behind its link. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { outputOf, startHost, type Host } from '../../tools/host';
import { startSandbox, type AudioSummary, type Sandbox } from '../../tools/sandbox';
import { chain, gateway, node } from '../../tools/shared/workflows';
import { expectFilesBehindLinks, sendFiles, startWebsite } from '../e2e/files';

const tiny = randomBytes(1);
const large = randomBytes(5 * 1024 * 1024 + 1);

const hashOf = (content: ArrayBuffer | Buffer) =>
	createHash('sha256')
		.update(Buffer.from(content as Buffer))
		.digest('hex');

describe.each(['filesystem', 'database', 'default'])('files kept in the mode %s', (mode) => {
	let folder: string;
	let host: Host;
	let sandbox: Sandbox;

	beforeAll(async () => {
		folder = await mkdtemp(path.join(os.tmpdir(), 'n8n-audio-'));
		const env = { N8N_DEFAULT_BINARY_DATA_MODE: mode, N8N_RESTRICT_FILE_ACCESS_TO: folder };
		host = await startHost({ env });
		sandbox = await startSandbox();
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => {
		await host?.stop();
		await sandbox?.close();
		await rm(folder, { recursive: true, force: true });
	});

	it('are opened by their links, except in memory', async () => {
		const website = await startWebsite();
		try {
			const credential = await host.client.createCredential(sandbox.credential);
			const { error } = await host.client.execute(sendFiles(credential, website.url));
			if (mode !== 'default') return await expectFilesBehindLinks(sandbox);
			expect(error?.message).toContain('keeps the file in memory');
			expect(sandbox.requests()).toEqual([]);
		} finally {
			await website.close();
		}
	});

	it('are sent as they are, the large and the tiny one', async () => {
		await writeFile(path.join(folder, 'large.ogg'), large);
		await writeFile(path.join(folder, 'tiny.ogg'), tiny);
		const credential = await host.client.createCredential(sandbox.credential);
		const readFiles = node(
			'Files',
			'n8n-nodes-base.readWriteFile',
			{ operation: 'read', fileSelector: `${folder}/*.ogg`, options: {} },
			{ typeVersion: 1 },
		);
		const send = gateway(credential, 'message', 'sendAudio', {
			to: '=551191234567{{ $itemIndex }}',
			audioSource: 'binary',
			binaryPropertyName: 'data',
		});
		const execution = await host.client.execute(chain('Audio', readFiles, send));
		expect(execution.error).toBeUndefined();
		expect(outputOf(execution, 'Gateway')).toHaveLength(2);

		const stored = outputOf(execution, 'Files').map(({ binary }) => binary?.data?.id);
		const inStore = mode === 'default' ? undefined : expect.stringMatching(new RegExp(`^${mode}`));
		expect(stored).toEqual([inStore, inStore]);

		const audio = sandbox
			.requests()
			.map(({ body }) => (body as { audio_base64: string | AudioSummary }).audio_base64);
		const sha256 = hashOf(large);
		expect(audio).toContainEqual(tiny.toString('base64'));
		expect(audio).toContainEqual(expect.objectContaining({ bytes: large.length, sha256 }));
		expect(sandbox.requests({ valid: true })).toHaveLength(2);
		expect(sandbox.accepted()).toHaveLength(2);
	});
});
