/**
 * `npm start`: this package in a real n8n, with the sandbox and all examples. Publishes the example
 * that watches statuses, and runs until Ctrl-C. Workflows and messages are kept for the next start;
 * `--fresh` deletes them. `--once` ends when all is set up, and keeps nothing. `--dev`, which `npm run dev`
 * is, shows changed forms in the running editor. `--port` and `--sandbox-port` are the editor's and the
 * sandbox's; each port of the sandbox has a kept folder of its own.
 */
import './requireNode';
import { parseArgs } from 'node:util';
import { startSandbox, type Sandbox } from '../sandbox';
import { build, isBuilt } from './build';
import { importComparison } from './demo/comparison';
import { KeptFolder, newPassword } from './demo/keptFolder';
import { compileOnChange } from './demo/reload';
import { adviceOnCompilers, requirePlatform } from './demo/requirements';
import { exampleFiles, importExamples, readExample } from './examples';
import { freePort, HostRequestError, startHost, type Host, type HostClient } from './index';
import { installHost } from './install';
import { chosen } from './paths';

const EDITOR_PORT = '5678'; // n8n's own
const SANDBOX_PORT = '8787';
const STEP = 20_000; // ms between two statuses of a message; n8n polls every minute
const FIRST_FILE = 'form-to-sms';
const STATUS_EXAMPLE = 'Campaign status to row';
const OF_BRAZIL = { defaultCountryCode: '55', smsScheduleTimezone: 'America/Sao_Paulo' };
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone; // n8n's default is New York

async function main(): Promise<void> {
	const flag = { type: 'boolean', default: false } as const;
	const { values } = parseArgs({
		options: {
			...{ once: flag, fresh: flag, dev: flag },
			port: { type: 'string', default: EDITOR_PORT },
			'sandbox-port': { type: 'string', default: SANDBOX_PORT },
		},
	});
	const port = readPort(values.port);
	const sandboxPort = readPort(values['sandbox-port']);
	requirePlatform();
	if (!isBuilt()) await step('Building the package', build);
	await installHost(chosen).catch((error: Error) => {
		throw new Error(`${error.message}${'image' in chosen ? '' : adviceOnCompilers()}`);
	});
	const isKept = !values.once;
	if (isKept) await requireFree(sandboxPort); // or the folder may be in use
	const kept = isKept ? await KeptFolder.open(sandboxPort, values.fresh) : undefined;
	const sandbox = await step('Starting the sandbox', () =>
		startSandbox(kept && { port: sandboxPort, kept: kept.service }),
	);
	try {
		const n8n = await start(port, kept, values.dev);
		try {
			const first = kept?.firstExample ?? (await setUp(n8n.client, sandbox));
			kept?.keep(first);
			if (kept && 'version' in chosen) sandbox.n8nPid = n8n.pid;
			const compiler = values.dev ? await compileOnChange(n8n.userFolder) : undefined;
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

const start = async (port: number, kept: KeptFolder | undefined, reloads: boolean): Promise<Host> =>
	await step('Starting n8n', async () =>
		startHost({
			n8n: chosen,
			port: await freePort(port),
			userFolder: kept?.folder,
			owner: { email: 'owner@example.com', password: kept?.password ?? newPassword() },
			env: {
				NODE_ENV: 'production', // otherwise n8n lets pages of other sites read its answers
				GENERIC_TIMEZONE: ownZone,
				...(reloads && { N8N_DEV_RELOAD: 'true' }),
			},
		}).catch((error: Error) => {
			const isRefused = error instanceof HostRequestError && error.status === 401;
			throw kept && isRefused ? kept.passwordError() : error;
		}),
	);

/** @returns the id of the first example @throws Error when something is refused */
async function setUp(client: HostClient, sandbox: Sandbox): Promise<string> {
	console.log();
	const data = { ...sandbox.credential, ...OF_BRAZIL, serviceDetails: false };
	const account = await client.createCredential(data, 'messagingGatewayApi', 'Sandbox account');
	const { status, message } = await client.testCredential(account.id);
	if (status !== 'OK') throw new Error(`'${account.name}' was refused: ${message}`);
	console.log(`Credential  '${account.name}': ${message}`);
	const credentials = { messagingGatewayApi: account };
	const others = exampleFiles().filter((file) => file !== FIRST_FILE);
	const examples = await importExamples(client, credentials, others);
	await watchStatuses(client, examples);
	await importComparison(client, account, sandbox.url);
	// n8n lists what was changed last first.
	const [[, first] = ['', '']] = await importExamples(client, credentials, [FIRST_FILE]);
	console.log(
		`Statuses    '${STATUS_EXAMPLE}' is published: each change starts an execution, the first within a minute`,
	);
	return first;
}

/** Publishes the example that watches statuses, before any message is sent. */
async function watchStatuses(client: HostClient, examples: Map<string, string>): Promise<void> {
	const { status, triggers } = await client.activate(examples.get(STATUS_EXAMPLE) ?? '');
	if (status === 'published') return;
	const text = triggers.map(({ errorMessage }) => errorMessage).join();
	throw new Error(`'${STATUS_EXAMPLE}' could not be published: ${text || status}`);
}

async function stayUp(
	{ url, owner }: Host,
	sandbox: Sandbox,
	first: string,
	kept: KeptFolder | undefined,
): Promise<void> {
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
			`SMS Timezone    ${OF_BRAZIL.smsScheduleTimezone}`,
			'Chat App        on',
			`Chat App Name   ${chatAppName}`,
			`Instance Token  ${instanceToken}`,
			'',
			"Press Ctrl-C to stop. What you built is kept; 'npm start -- --fresh' starts over.",
		].join('\n'),
	);
	const steps = setInterval(() => {
		kept?.keepService(sandbox.snapshot());
		void sandbox.advance();
	}, STEP);
	await new Promise<void>((resolve) => {
		// npm may pass Ctrl-C on as well. A closed terminal takes no more output.
		process.on('SIGINT', resolve).on('SIGTERM', resolve).on('SIGHUP', resolve);
		process.stdout.on('error', () => {});
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

main().catch((error: Error) => {
	console.error(`\n${error.message}`);
	process.exitCode = 1;
});
