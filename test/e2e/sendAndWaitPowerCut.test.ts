/** n8n dies, and is restarted, between a question and its answer. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort, startHost, type Host } from '../../host';
import { startSandbox, type Sandbox } from '../../sandbox';
import { answer, asking, cameOut, linksTo, open, yesOrNo } from './wait/question';

let userFolder: string;
let port: number;
let host: Host;
let sandbox: Sandbox;

beforeAll(async () => {
	userFolder = await mkdtemp(path.join(os.tmpdir(), 'n8n-question-'));
	port = await freePort();
	host = await startHost({ userFolder, port });
	sandbox = await startSandbox();
});
afterAll(async () => {
	await host?.stop();
	await sandbox?.close();
	await rm(userFolder, { recursive: true, force: true });
});

const numbers = ['5511900000001', '5511900000002', '5511900000003'];

it.each(['kill', 'stop'] as const)('%s: all go on once, and nobody is asked twice', async (how) => {
	sandbox.reset();
	const credential = await host.client.createCredential(sandbox.credential);
	const executions = await Promise.all(
		numbers.map(async (to) => {
			const workflow = asking(credential, 'Power cut', yesOrNo, [{ to }]);
			return await host.client.run(await host.client.createWorkflow(workflow));
		}),
	);
	await Promise.all(executions.map(async (id) => await host.client.untilItWaits(id)));
	await host[how]();
	await expect(open(linksTo(sandbox, numbers[0]!)[0]!)).rejects.toThrow();
	host = await startHost({ userFolder, port });

	for (const [index, to] of numbers.entries()) {
		const [link = '', ...others] = linksTo(sandbox, to);
		expect(others).toEqual([]);
		expect((await open(link)).html).toContain('<form');
		const approved = index % 2 === 0;
		expect((await answer(link, approved ? 'approve' : 'disapprove')).html).toContain('Thank you');
		const { status } = await host.client.waitForExecution(executions[index]!);
		expect(status).toBe('success');
		expect(cameOut(sandbox, to)).toMatchObject([{ data: { approved } }]);
		expect(linksTo(sandbox, to)).toHaveLength(1);
	}
});
