/**
 * A file that a worker sends: the link to it is n8n's webhook address, and the main process has what is
 * behind. Of another n8n: `N8N_FOLDER=… npx jest --selectProjects nightly -- queueMode/files`.
 */
import { randomBytes } from 'node:crypto';
import { chosenInstallation } from '../../../tools/host/paths';
import { startQueueMode, type QueueMode } from '../../../tools/host/queue';
import { startSandbox, type Sandbox } from '../../../tools/sandbox';
import { chain, gateway, node, startedByPost } from '../../../tools/shared/workflows';
import { describeInQueueMode } from '../../e2e/queueMode/describe';
import { listen } from '../../engine/harness/server';

jest.setTimeout(1_800_000);

const content = randomBytes(5 * 1024 * 1024 + 1);

describeInQueueMode('a file', () => {
	let n8n: QueueMode;
	let sandbox: Sandbox;
	let website: Awaited<ReturnType<typeof listen>>;

	beforeEach(async () => {
		sandbox = await startSandbox();
		website = await listen((_, response) =>
			response.writeHead(200, { 'content-type': 'video/mp4' }).end(content),
		);
	});
	afterEach(async () => {
		await n8n?.stop();
		await website.close();
		await sandbox.close();
	});

	/** One main process, one worker. @returns the link as the service gets it, and at the main process */
	async function send(mode: string): Promise<{ link: string; atMain: string }> {
		const env = {
			N8N_DEFAULT_BINARY_DATA_MODE: mode,
			N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database', // n8n 1
		};
		n8n = await startQueueMode({ n8n: chosenInstallation, workers: 1, env });
		const { client, url } = n8n.main;
		const credential = await client.createCredential(sandbox.credential);
		const options = { response: { response: { responseFormat: 'file' } } };
		const parameters = { url: website.url, options };
		const download = node('Get', 'n8n-nodes-base.httpRequest', parameters, { typeVersion: 4.2 });
		const sends = gateway(credential, 'message', 'sendMedia', {
			to: '+5511912345678',
			mediaSource: 'binary',
			binaryPropertyName: 'data',
		});
		const workflow = chain('File', download, sends);
		const id = await client.publish(startedByPost('file', 'onReceived', workflow));
		await n8n.post('file');
		const execution = await client.waitForExecution(await client.newest(id));
		expect(execution.error).toBeUndefined();
		expect(n8n.workerOf(execution.id)).toBeDefined();
		const [{ body } = { body: {} }, ...more] = sandbox.requests({ valid: true });
		expect(more).toEqual([]);
		const { mediaurl: link, mediatype } = (body as { message: Record<string, string> }).message;
		expect(mediatype).toBe('video');
		const webhook = n8n.webhooks[0]!.url;
		expect(link!.startsWith(`${webhook}/rest/`)).toBe(true);
		return { link: link!, atMain: link!.replace(webhook, url) };
	}

	it('in the database: the main process has it, a webhook process does not', async () => {
		const { link, atMain } = await send('database');
		const answer = await fetch(atMain);
		expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'video/mp4']);
		expect(content.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
		expect((await fetch(atMain.slice(0, -1))).status).toBe(400);
		expect((await fetch(link)).status).toBe(404);
	});

	it('in a folder of the worker: the main process does not have it', async () => {
		expect((await fetch((await send('filesystem')).atMain)).status).toBe(404);
	});
});
