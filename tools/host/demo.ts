/**
 * `npm start`: this package in a real n8n, with the sandbox and all examples. Publishes the example
 * that watches statuses, and runs until Ctrl-C. Workflows and messages are kept for the next start;
 * `--fresh` deletes them. `--once` ends when all is set up. `--queue` starts n8n in queue mode. Both keep
 * nothing. `--dev`, which `npm run dev` is, shows changed forms in the running editor. `--port` and
 * `--sandbox-port` are the editor's and the sandbox's; each port of the sandbox has a kept folder of its own.
 */
import { parseArgs } from 'node:util';
import { startSandbox, type Sandbox } from '../sandbox';
import { build, isBuilt } from './build';
import { importComparison } from './demo/comparison';
import { KeptFolder } from './demo/keptFolder';
import { compileOnChange } from './demo/reload';
import { adviceOnCompilers, requirePlatform } from './demo/requirements';
import {
	exampleFiles,
	importExamples,
	publishSubWorkflows,
	readExample,
	type Credentials,
} from './examples';
import { freePort, startHost, type Host, type HostClient } from './index';
import { installHost } from './install';
import { chosen } from './paths';
import { requirePrograms, startQueueMode, type QueueMode } from './queue';

const EDITOR_PORT = '5678'; // n8n's own
const SANDBOX_PORT = '8787';
const STEP = 20_000; // ms between two statuses of a message; n8n polls every minute
const FIRST_FILE = 'form-to-sms';
const STATUS_EXAMPLE = 'Campaign status to row';
const OF_BRAZIL = { defaultCountryCode: '55', smsScheduleTimezone: 'America/Sao_Paulo' };
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone; // n8n's default is New York
const CREDENTIAL_NAMES: Record<string, string> = {
	messagingGatewayApi: 'Sandbox account',
	postgres: 'PostgreSQL account',
	redis: 'Redis account',
};

async function main(): Promise<void> {
	const flag = { type: 'boolean', default: false } as const;
	const { values } = parseArgs({
		options: {
			...{ once: flag, queue: flag, fresh: flag, dev: flag },
			port: { type: 'string', default: EDITOR_PORT },
			'sandbox-port': { type: 'string', default: SANDBOX_PORT },
		},
	});
	const [port, sandboxPort] = [values.port, values['sandbox-port']].map(readPort) as [
		number,
		number,
	];
	requirePlatform();
	if (values.queue) requirePrograms();
	if (!isBuilt()) await step('Building the package', build);
	await installHost(chosen).catch((error: Error) => {
		throw new Error(`${error.message}${'image' in chosen ? '' : adviceOnCompilers()}`);
	});
	const isKept = !values.once && !values.queue;
	if (isKept) await requireFree(sandboxPort); // or the folder may be in use
	const kept = isKept ? await KeptFolder.open(sandboxPort, values.fresh) : undefined;
	const sandbox = await step('Starting the sandbox', () =>
		startSandbox(kept && { port: sandboxPort, kept: kept.service }),
	);
	try {
		const n8n = await (values.queue
			? startProcesses(port)
			: startOne(port, kept?.folder, values.dev));
		try {
			const first = kept?.firstExample ?? (await demonstrate(n8n, sandbox));
			kept?.keep(first);
			if (kept && 'version' in chosen) sandbox.n8nPid = n8n.main.pid;
			const compiler = values.dev ? await compileOnChange(n8n.main.userFolder) : undefined;
			if (!values.once) await stayUp(n8n, sandbox, first, kept);
			await compiler?.dispose();
		} finally {
			await n8n.stop();
		}
	} finally {
		kept?.keepService(sandbox.snapshot());
		await sandbox.close();
	}
}

function readPort(entered: string): number {
	const port = Number(entered);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new Error(`'${entered}' is no port: enter a number from 1 to 65535.`);
}

async function requireFree(port: number): Promise<void> {
	if ((await freePort(port)) === port) return;
	throw new Error(
		`Port ${port} is in use. Stop what uses it, or choose another: npm start -- --sandbox-port ${port + 1}`,
	);
}

interface Running {
	main: Host;
	/** All processes, `main` included. */
	queue?: QueueMode;
	stop(): Promise<void>;
}

async function startOne(
	port: number,
	userFolder: string | undefined,
	reloads: boolean,
): Promise<Running> {
	const main = await step('Starting n8n', async () =>
		startHost({
			n8n: chosen,
			port: await freePort(port),
			userFolder,
			env: { GENERIC_TIMEZONE: ownZone, ...(reloads && { N8N_DEV_RELOAD: 'true' }) },
		}),
	);
	return { main, stop: () => main.stop() };
}

async function startProcesses(port: number): Promise<Running> {
	const title = 'Starting PostgreSQL, Redis, and n8n: main, webhook process, two workers';
	const queue = await step(title, async () =>
		startQueueMode({ n8n: chosen, port: await freePort(port), workers: 2 }),
	);
	return { main: queue.main, queue, stop: () => queue.stop() };
}

/**
 * @returns the id of the first example
 * @throws Error when something is refused
 */
async function demonstrate(
	{ main: { client }, queue }: Running,
	sandbox: Sandbox,
): Promise<string> {
	console.log();
	const account = await createCredential(client, 'messagingGatewayApi', {
		...sandbox.credential,
		...OF_BRAZIL,
	});
	const credentials: Credentials = { messagingGatewayApi: account };
	for (const [type, data] of Object.entries(queue?.credentials ?? {})) {
		credentials[type] = await createCredential(client, type, data);
	}
	const others = exampleFiles().filter((file) => file !== FIRST_FILE);
	const examples = await importExamples(client, credentials, others);
	await watchStatuses(client, examples);
	await importComparison(client, account, sandbox.url);
	// n8n lists what was changed last first.
	const [[name, first] = ['', '']] = await importExamples(client, credentials, [FIRST_FILE]);
	examples.set(name, first);
	console.log(
		`Statuses    '${STATUS_EXAMPLE}' is published: each change starts an execution, the first within a minute`,
	);
	if (queue) {
		const published = await publishSubWorkflows(client, examples);
		if (published.length > 0) console.log(`Published   ${published.join(', ')}`);
	}
	return first;
}

/** @throws Error when the test of the credential fails */
async function createCredential(client: HostClient, type: string, data: object) {
	const credential = await client.createCredential(data, type, CREDENTIAL_NAMES[type]);
	const { status, message } = await client.testCredential(credential.id);
	if (status !== 'OK') throw new Error(`'${credential.name}' was refused: ${message}`);
	console.log(`Credential  '${credential.name}': ${message}`);
	return credential;
}

/** Publishes the example that watches statuses, before any message is sent. */
async function watchStatuses(client: HostClient, examples: Map<string, string>): Promise<void> {
	const { status, triggers } = await client.activate(examples.get(STATUS_EXAMPLE) ?? '');
	if (status === 'published') return;
	const text = triggers.map(({ errorMessage }) => errorMessage).join();
	throw new Error(`'${STATUS_EXAMPLE}' could not be published: ${text || status}`);
}

async function stayUp(
	{ main, queue }: Running,
	sandbox: Sandbox,
	first: string,
	kept: KeptFolder | undefined,
): Promise<void> {
	const { url, owner } = main;
	const { baseUrl, apiKey, instanceToken, chatAppName } = sandbox.credential;
	console.log(
		[
			'',
			`Editor          ${url}`,
			`Email           ${owner.email}`,
			`Password        ${owner.password}`,
			`${readExample(FIRST_FILE).name.padEnd(15)} ${url}/workflow/${first}`,
			`Messages        ${sandbox.url}/_sandbox/messages`,
			'',
			'To create a credential yourself:',
			`Base URL        ${baseUrl}`,
			`API Key         ${apiKey}`,
			`Country Code    ${OF_BRAZIL.defaultCountryCode}`,
			`Instance Token  ${instanceToken}`,
			`Chat App Name   ${chatAppName}`,
			`SMS Timezone    ${OF_BRAZIL.smsScheduleTimezone}`,
			'',
			...(queue
				? [...addressesOf(queue), 'Press Ctrl-C to stop everything. What you built is removed.']
				: ["Press Ctrl-C to stop. What you built is kept; 'npm start -- --fresh' starts over."]),
		].join('\n'),
	);
	const steps = setInterval(() => {
		kept?.keepService(sandbox.snapshot());
		void sandbox.advance();
	}, STEP);
	await new Promise<void>((resolve) => {
		// npm may pass Ctrl-C on as well.
		process.on('SIGINT', resolve).on('SIGTERM', resolve);
	});
	clearInterval(steps);
	console.log('\nStopping …');
}

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
	const started = Date.now();
	process.stdout.write(`${title} … `);
	const result = await work();
	console.log(`${((Date.now() - started) / 1000).toFixed(1)} s`);
	return result;
}

const addressesOf = ({ webhooks, postgres, redis }: QueueMode): string[] => [
	...webhooks.map(({ url }) => `Webhooks        ${url}`),
	`PostgreSQL      127.0.0.1:${postgres.port}, user postgres, no password`,
	`Redis           127.0.0.1:${redis.port}`,
];

main().catch((error: Error) => {
	console.error(`\n${error.message}`);
	process.exitCode = 1;
});
