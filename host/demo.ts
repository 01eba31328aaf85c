/**
 * `npm start`: this package in a real n8n, against the sandbox. Publishes the example that watches
 * statuses, runs the CRM example once, says what happened, and stays up until Ctrl-C; with `--once` it
 * ends after the run. With `--queue` n8n runs in
 * queue mode, and orders that come by webhook show which worker sends what.
 */
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { startSandbox, type Sandbox } from '../sandbox';
import { createCredential } from './demo/credential';
import { runCrmExample } from './demo/crmExample';
import { runOrders } from './demo/orders';
import { watchStatuses } from './demo/statuses';
import { importExamples, publishSubWorkflows, type Credentials } from './examples';
import { freePort, startHost, type Host } from './index';
import { installHost } from './install';
import { chosen, packageFolder } from './paths';
import { requirePrograms, startQueueMode, type QueueMode } from './queue';

const EDITOR_PORT = 5678; // n8n's own
const STEP = 20_000; // ms between two steps of a message's status: n8n looks every minute

async function main(): Promise<void> {
	const flag = { type: 'boolean', default: false } as const;
	const { values } = parseArgs({ options: { once: flag, queue: flag } });
	if (values.queue) requirePrograms();
	await step('Building the package', build);
	await installHost(chosen);
	const sandbox = await step('Starting the sandbox', () => startSandbox());
	try {
		const n8n = await (values.queue ? startProcesses() : startOne());
		try {
			await demonstrate(n8n, sandbox);
			if (!values.once) await stayUp(n8n, sandbox);
		} finally {
			await n8n.stop();
		}
	} finally {
		await sandbox.close();
	}
}

interface Running {
	main: Host;
	/** With all of its processes, `main` included. */
	queue?: QueueMode;
	stop(): Promise<void>;
}

async function startOne(): Promise<Running> {
	const main = await step('Starting n8n', async () =>
		startHost({ n8n: chosen, port: await freePort(EDITOR_PORT) }),
	);
	return { main, stop: () => main.stop() };
}

async function startProcesses(): Promise<Running> {
	const title = 'Starting PostgreSQL, Redis, and n8n: main, webhook process, two workers';
	const queue = await step(title, async () =>
		startQueueMode({ n8n: chosen, port: await freePort(EDITOR_PORT), workers: 2 }),
	);
	return { main: queue.main, queue, stop: () => queue.stop() };
}

/** @throws Error saying what was refused */
async function demonstrate({ main: { client }, queue }: Running, sandbox: Sandbox): Promise<void> {
	console.log();
	const account = await createCredential(client, 'messagingGatewayApi', sandbox.credential);
	const credentials: Credentials = { messagingGatewayApi: account };
	for (const [type, data] of Object.entries(queue?.credentials ?? {})) {
		credentials[type] = await createCredential(client, type, data);
	}
	const examples = await importExamples(client, credentials);
	const watching = await watchStatuses(client, examples);
	await runCrmExample(client, sandbox, examples);
	console.log(watching);
	if (!queue) return;
	const published = await publishSubWorkflows(client, examples);
	if (published.length > 0) console.log(`Published   ${published.join(', ')}`);
	await runOrders(queue, sandbox, account);
}

async function stayUp({ main, queue }: Running, sandbox: Sandbox): Promise<void> {
	const { url, owner } = main;
	console.log(
		[
			'',
			`Editor      ${url}`,
			`Login       ${owner.email} / ${owner.password}`,
			`Messages    ${sandbox.url}/_sandbox/accepted`,
			`Sandbox     ${sandbox.url}`,
			...(queue ? addressesOf(queue) : []),
			'Ctrl-C ends all of it.',
		].join('\n'),
	);
	const steps = setInterval(() => void sandbox.advance(), STEP);
	await new Promise<void>((resolve) => {
		// Ctrl-C reaches this process more than once when npm passes it on as well.
		process.on('SIGINT', resolve).on('SIGTERM', resolve);
	});
	clearInterval(steps);
	console.log('\nEnding …');
}

async function build(): Promise<void> {
	await promisify(execFile)('npm', ['run', 'build'], { cwd: packageFolder }).catch(
		(error: Error & { stdout: string; stderr: string }) => {
			throw new Error(`npm run build:\n${error.stdout}${error.stderr}`);
		},
	);
}

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
	const started = Date.now();
	process.stdout.write(`${title} … `);
	const result = await work();
	console.log(`${((Date.now() - started) / 1000).toFixed(1)} s`);
	return result;
}

const addressesOf = ({ webhooks, postgres, redis }: QueueMode): string[] => [
	...webhooks.map(({ url }) => `Webhooks    ${url}`),
	`PostgreSQL  127.0.0.1:${postgres.port}, user postgres, no password`,
	`Redis       127.0.0.1:${redis.port}`,
];

main().catch((error: Error) => {
	console.error(`\n${error.message}`);
	process.exitCode = 1;
});
