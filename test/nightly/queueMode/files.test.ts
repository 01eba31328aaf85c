/**
 * Files that a worker sends: the links to them are n8n's webhook address, and the main process has what
 * is behind. Of another n8n: `N8N_FOLDER=… npx jest --selectProjects nightly -- queueMode/files`.
 */
import { chosenInstallation } from '../../../tools/host/paths';
import { startQueueMode, type QueueMode } from '../../../tools/host/queue';
import { until } from '../../../tools/host/until';
import { startSandbox, type Sandbox } from '../../../tools/sandbox';
import { startedByPost } from '../../../tools/shared/workflows';
import { describeInQueueMode } from '../../e2e/queueMode/describe';
import { expectFilesBehindLinks, sendFiles, sentFiles, startWebsite } from '../../e2e/files';

jest.setTimeout(1_800_000);

describeInQueueMode('files', () => {
	let n8n: QueueMode;
	let sandbox: Sandbox;
	let website: Awaited<ReturnType<typeof startWebsite>>;

	beforeEach(async () => {
		sandbox = await startSandbox();
		website = await startWebsite();
	});
	afterEach(async () => {
		await n8n?.stop();
		await website.close();
		await sandbox.close();
	});

	/** One main process, one worker; the links as the service gets them, and at the main process. */
	async function send(mode: string) {
		const env = {
			N8N_DEFAULT_BINARY_DATA_MODE: mode,
			N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database', // n8n 1
		};
		n8n = await startQueueMode({ n8n: chosenInstallation, workers: 1, env });
		const { client } = n8n.main;
		const credential = await client.createCredential(sandbox.credential);
		const workflow = startedByPost('files', 'onReceived', sendFiles(credential, website.url));
		const id = await client.createWorkflow(workflow);
		expect((await client.activate(id)).status).toBe('published');
		const [webhook] = n8n.webhooks as [QueueMode['webhooks'][0]];
		await fetch(`${webhook.url}/webhook/files`, { method: 'POST' });
		await until('it is there', async () => (await client.executions(id)).length === 1);
		const execution = (await client.executions(id))[0]!.id;
		const { error } = await client.waitForExecution(execution);
		expect(n8n.workers[0]!.logs()).toContain(`started execution ${execution} `);
		return {
			error,
			links: () => sentFiles(sandbox).map(({ mediaurl }) => mediaurl),
			atMain(link: string) {
				expect(link.startsWith(`${webhook.url}/rest/`)).toBe(true);
				return link.replace(webhook.url, n8n.main.url);
			},
		};
	}

	it('in the database: the main process has them, a webhook process does not', async () => {
		const { error, links, atMain } = await send('database');
		expect(error).toBeUndefined();
		await expectFilesBehindLinks(sandbox, atMain);
		for (const link of links()) expect((await fetch(link)).status).toBe(404);
	});

	it('in a folder of the worker: the main process does not have them', async () => {
		const { error, links, atMain } = await send('filesystem');
		expect(error).toBeUndefined();
		expect(links()).toHaveLength(5);
		for (const link of links()) expect((await fetch(atMain(link))).status).toBe(404);
	});
});
