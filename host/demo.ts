/**
 * `npm start`: this package in a real n8n, against the sandbox. Runs the CRM example once, says what
 * happened, and stays up until Ctrl-C; with `--once` it ends after the run.
 */
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { startSandbox, type Sandbox } from '../sandbox';
import { readExamples, withCredential } from './examples';
import { freePort, outputOf, startHost, type Host } from './index';
import { installHost } from './install';
import { packageFolder } from './paths';

const EDITOR_PORT = 5678; // n8n's own
const STEP = 1_000; // ms between two steps of a message's status
const EXAMPLE = 'CRM contact to SMS';
const SEND = 'Send SMS';

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });
	await step('Building the package', build);
	await installHost();
	const sandbox = await step('Starting the sandbox', () => startSandbox());
	try {
		const host = await step('Starting n8n', async () =>
			startHost({ port: await freePort(EDITOR_PORT) }),
		);
		try {
			await demonstrate(host, sandbox);
			if (!values.once) await stayUp(host, sandbox);
		} finally {
			await host.stop();
		}
	} finally {
		await sandbox.close();
	}
}

/** @throws Error saying what was refused */
async function demonstrate({ client }: Host, sandbox: Sandbox): Promise<void> {
	const credential = await client.createCredential(
		sandbox.credential,
		'messagingGatewayApi',
		'Sandbox account',
	);
	const test = await client.testCredential(credential.id);
	if (test.status !== 'OK') throw new Error(`The credential was refused: ${test.message}`);

	const ids = new Map<string, string>();
	for (const example of readExamples()) {
		ids.set(example.name, await client.createWorkflow(withCredential(example, credential)));
	}
	const workflowId = ids.get(EXAMPLE);
	if (!workflowId) throw new Error(`examples/ has no workflow named '${EXAMPLE}'`);
	const execution = await client.waitForExecution(await client.run(workflowId));
	if (execution.status !== 'success') {
		throw new Error(`'${EXAMPLE}' ended with ${execution.status}: ${execution.error?.message}`);
	}

	const items = outputOf(execution, 'One Item per Contact');
	const sent = outputOf(execution, SEND).map(({ json }) => json);
	const refused = outputOf(execution, SEND, 1).map(({ json }) => json);
	const accepted = sandbox.accepted();
	console.log(
		[
			'',
			`Credential  '${credential.name}': ${test.message}`,
			`Workflow    '${EXAMPLE}', one of ${ids.size} imported: ${execution.status}, ${items.length} contacts`,
			`Sent        to ${list(sent, 'to')}: ${list(sent, 'status')}`,
			`Message IDs ${list(sent, 'messageId')}`,
			`Sandbox     accepted ${accepted.length} messages in ${sandbox.requests({ operation: 'sendSms' }).length} requests`,
			'',
		].join('\n'),
	);
	if (refused.length > 0) throw new Error(`Refused: ${JSON.stringify(refused)}`);
	if (accepted.length !== items.length) {
		throw new Error(`${items.length} contacts, but ${accepted.length} messages were accepted`);
	}
}

async function stayUp({ url, owner }: Host, sandbox: Sandbox): Promise<void> {
	console.log(
		[
			`Editor      ${url}`,
			`Login       ${owner.email} / ${owner.password}`,
			`Sandbox     ${sandbox.url}`,
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

function list(rows: Array<Record<string, unknown>>, field: string): string {
	return rows.map((row) => String(row[field])).join(', ');
}

main().catch((error: Error) => {
	console.error(`\n${error.message}`);
	process.exitCode = 1;
});
