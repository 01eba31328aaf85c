/** A list of 12,000, of which little or nothing is sent, never keeps n8n's thread for long. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startHost, type FinishedExecution, type Host } from '../../tools/host';
import { startSandboxProcess, type SandboxProcess } from '../../tools/bench/sandboxProcess';
import { chain, gateway, node } from '../../tools/shared/workflows';

const count = 12_000;
const limit = 600; // ms of CPU time

let folder: string;
let host: Host;
let sandbox: SandboxProcess;

const meter = () => path.join(folder, 'meter');

beforeAll(async () => {
	folder = await mkdtemp(path.join(os.tmpdir(), 'n8n-thread-'));
	const preload = path.join(__dirname, 'thread/meter.mjs');
	await writeFile(meter(), '');
	host = await startHost({
		env: { NODE_OPTIONS: `--import ${preload}`, METER_FILE: meter() },
	});
	sandbox = await startSandboxProcess();
});
afterAll(async () => {
	await sandbox?.stop();
	await host?.stop();
	await rm(folder, { recursive: true, force: true });
});

/** The nodes that give so many items. */
const list = (to: string) => [
	node(
		'Rows',
		'n8n-nodes-base.set',
		{
			mode: 'raw',
			jsonOutput: `={{ { rows: Array.from({ length: ${count} }, (_, i) => ({ to: ${to} })) } }}`,
		},
		{ typeVersion: 3.4 },
	),
	node('Items', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'rows' }),
];

const numbers = 'String(5511900000001 + i)';

async function send(to: string, options = {}, onError = 'continueRegularOutput') {
	const credential = await host.client.createCredential(sandbox.credential);
	const parameters = { to: '={{ $json.to }}', text: 'Hello {{ $json.to }}', options };
	const workflow = chain(
		'List',
		...list(to),
		gateway(credential, 'message', 'sendSms', parameters, { onError: onError as never }),
	);
	return await host.client.execute(workflow);
}

/** How long n8n's thread was kept by the node, in ms. */
async function longestBlock({ data }: FinishedExecution): Promise<number> {
	const { startTime, executionTime } = data.resultData.runData.Gateway!.at(-1)!;
	const noted = (await readFile(meter(), 'utf8')).trim().split('\n');
	const blocks = noted
		.map((line) => line.split(' ').map(Number) as [from: number, to: number, ms: number])
		.filter(([from, to]) => to >= startTime && from <= startTime + executionTime);
	const longest = Math.max(0, ...blocks.map(([, , ms]) => ms));
	console.log(`${expect.getState().currentTestName}: ${longest} ms`);
	return longest;
}

it('in a dry run', async () => {
	expect(await longestBlock(await send(numbers, { dryRun: true }))).toBeLessThan(limit);
});

it('of invalid numbers', async () => {
	expect(await longestBlock(await send("'12'"))).toBeLessThan(limit);
});

it('whose last number is invalid, of which nothing is sent', async () => {
	const last = `i < ${count - 1} ? ${numbers} : '12'`;
	const execution = await send(last, {}, 'stopWorkflow');
	expect(execution.status).toBe('error');
	expect(await longestBlock(execution)).toBeLessThan(limit);
});

it('of which all but one were accepted before the Retry', async () => {
	const to = String(5511900000000 + count);
	await sandbox.client.fault({ to, times: 1, fault: { status: 400 } });
	const failed = await send(numbers, {}, 'stopWorkflow');
	expect(await longestBlock(failed)).toBeLessThan(limit);
	const retried = await host.client.waitForExecution(await host.client.retry(failed.id));
	expect(retried.status).toBe('success');
	expect(await longestBlock(retried)).toBeLessThan(limit);
});
