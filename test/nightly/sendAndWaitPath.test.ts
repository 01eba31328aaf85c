/** Links of an n8n whose editor or webhooks lie below a path. */
import { freePort, startHost, type Host } from '../../tools/host';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { answer, asking, cameOut, linksTo, yesOrNo } from '../e2e/wait/question';

const to = '5511912345678';

let sandbox: Sandbox;
let host: Host | undefined;

beforeAll(async () => (sandbox = await startSandbox()));
beforeEach(() => sandbox.reset());
afterEach(async () => {
	await host?.stop();
	host = undefined;
});
afterAll(async () => await sandbox.close());

/** Starts an n8n with N8N_PATH, whose webhooks are at this path of it. */
async function start(webhookPath: string) {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}${webhookPath}`;
	const env = { N8N_PATH: '/n8n/', N8N_WEBHOOK_URL: url, WEBHOOK_URL: url };
	host = await startHost({ port, env });
	const credential = await host.client.createCredential(sandbox.credential);
	return { client: host.client, workflow: asking(credential, 'Path', yesOrNo) };
}

it('with a path before its webhooks, nothing is sent, and the error says what to set', async () => {
	const { client, workflow } = await start('/n8n/');
	const ended = await client.execute(workflow);
	expect(ended.error?.message).toMatch(
		/^n8n would refuse the link, .* contains a path: http.*\/n8n$/,
	);
	expect(ended.error?.description).toContain('N8N_WEBHOOK_URL');
	expect(sandbox.requests()).toEqual([]);
});

it('with a path before its editor alone, the link works', async () => {
	const { client, workflow } = await start('/');
	const execution = await client.run(await client.createWorkflow(workflow));
	await client.untilItWaits(execution);
	expect((await answer(linksTo(sandbox, to)[0]!, 'approve')).html).toContain('Thank you');
	expect((await client.waitForExecution(execution)).status).toBe('success');
	expect(cameOut(sandbox, to)).toMatchObject([{ data: { approved: true } }]);
});
