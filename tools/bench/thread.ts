/**
 * `npx tsx tools/bench/thread.ts`, after `npm run build`: how long n8n's thread is kept at most by a list
 * of 12,000, of which little or nothing is sent, and by values of 1 MB, as a public form may get them.
 * Ends with an error where it is longer than it may be.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { startHost, type FinishedExecution, type Host, type WorkflowJson } from '../host';
import type { FaultRule } from '../sandbox/types';
import { onceBy } from '../shared/deduplication';
import { asJson, chain, gateway, node } from '../shared/workflows';
import { startSandboxProcess, type SandboxProcess } from './sandboxProcess';

const itemCount = 12_000;
/** The limits, in ms of CPU time. */
const cpuLimitsMs = { list: 600, longValues: 200 };

const good = 'String(5511900000001 + i)';
const parts = ['eyJ', '5', ' ', '<', '/', '{{', '1½', '+55 (2030-12-31T'];

interface Machines {
	host: Host;
	sandbox: SandboxProcess;
	/** The file in which n8n notes how long its thread was kept. */
	meter: string;
}

const fromList = (to: string) => `Array.from({ length: ${itemCount} }, (_, i) => ({ to: ${to} }))`;

const lists = {
	good: fromList(good),
	bad: fromList("'12'"),
	lastIsBad: fromList(`i < ${itemCount - 1} ? ${good} : '12'`),
};

/** A workflow that sends to a list. @param rows an expression */
async function listOf(
	{ host, sandbox }: Machines,
	rows: string,
	onError: 'continueRegularOutput' | 'stopWorkflow',
	options: INodeParameters = {},
): Promise<WorkflowJson> {
	const credential = await host.client.createCredential(sandbox.credential);
	const parameters = { to: '={{ $json.to }}', text: 'Hello {{ $json.to }}', options };
	return chain(
		'List',
		asJson('Rows', `={{ { rows: ${rows} } }}`),
		node('Items', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'rows' }),
		gateway(credential, 'message', 'sendSms', parameters, { onError }),
	);
}

const sendListOf = async (...list: Parameters<typeof listOf>): Promise<FinishedExecution> =>
	await list[0].host.client.execute(await listOf(...list));

async function report(
	what: string,
	{ meter }: Machines,
	{ data }: FinishedExecution,
	limit = cpuLimitsMs.list,
) {
	const { startTime, executionTime } = data.resultData.runData.Gateway!.at(-1)!;
	const noted = (await readFile(meter, 'utf8')).trim().split('\n');
	const blocks = noted
		.map((line) => line.split(' ').map(Number) as [from: number, to: number, ms: number])
		.filter(([from, to]) => to >= startTime && from <= startTime + executionTime);
	const longest = Math.max(0, ...blocks.map(([, , ms]) => ms));
	console.log(`${what}: ${longest} ms`);
	if (longest > limit) process.exitCode = 1;
}

async function measure(machines: Machines): Promise<void> {
	const { host, sandbox } = machines;
	const dryRun = await sendListOf(machines, lists.good, 'continueRegularOutput', { dryRun: true });
	await report('a dry run', machines, dryRun);
	const invalid = await sendListOf(machines, lists.bad, 'continueRegularOutput');
	await report('all numbers invalid', machines, invalid);
	const stopped = await sendListOf(machines, lists.lastIsBad, 'stopWorkflow');
	await report('the last number invalid, so that nothing is sent', machines, stopped);

	for (const part of parts) {
		const row = `[{ to: ${JSON.stringify(part)}.repeat(${Math.floor(1e6 / part.length)}) }]`;
		const long = await sendListOf(machines, row, 'continueRegularOutput');
		await report(`1 MB of ${JSON.stringify(part)}`, machines, long, cpuLimitsMs.longValues);
	}

	const to = String(5511900000000 + itemCount);
	const rule: FaultRule = { to, times: 1, fault: { status: 400 } };
	await sandbox.call('POST', '/faults', rule);
	const failed = await sendListOf(machines, lists.good, 'stopWorkflow');
	await report('all sent but one', machines, failed);
	const retried = await host.client.waitForExecution(await host.client.retry(failed.id));
	await report('its Retry', machines, retried);
}

/** Measures a list with built-in keys, all of which n8n reads and rewrites with each call. */
async function measureKeys(machines: Machines): Promise<void> {
	const { client } = machines.host;
	const options = onceBy('={{ $json.to }}');
	const list = await listOf(machines, lists.good, 'continueRegularOutput', options);
	const id = await client.createWorkflow(list);
	for (const what of ['all sent with keys', 'again, so that all are skipped']) {
		await report(what, machines, await client.waitForExecution(await client.run(id)));
	}
}

async function main(): Promise<void> {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'thread-'));
	const meter = path.join(folder, 'meter');
	await writeFile(meter, '');
	const preload = path.join(__dirname, 'threadMeter.mjs');
	const env = { NODE_OPTIONS: `--import ${preload}`, METER_FILE: meter };
	const host = await startHost({ env });
	const sandbox = await startSandboxProcess();
	try {
		await measure({ host, sandbox, meter });
		await measureKeys({ host, sandbox, meter });
	} finally {
		await sandbox.stop();
		await host.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

void main();
