import { parseArgs } from 'node:util';
import { SEEDS, startSandbox } from './index';

const { values } = parseArgs({
	options: {
		port: { type: 'string', default: '8787' },
		/** Time between two steps of every message; 0: only `POST /_sandbox/advance` moves them. */
		'step-ms': { type: 'string', default: '1000' },
		/** Exits with the process that started it. */
		'with-parent': { type: 'boolean', default: false },
	},
});

async function main() {
	const sandbox = await startSandbox({ port: Number(values.port) });
	const { url, credential } = sandbox;
	const { chatApp, sms } = SEEDS.campaigns;
	console.log(
		`
Sandbox gateway on ${url}, press Ctrl-C to stop

Credential
  Base URL         ${credential.baseUrl}
  API Key          ${credential.apiKey}
  Chat App         on
  Chat App Name    ${credential.chatAppName}
  Instance Token   ${credential.instanceToken}

Campaigns that sends join
  Chat app         ${chatApp.running}
  SMS              ${sms.running}

Messages           ${url}/_sandbox/messages

Controls
  GET              ${url}/_sandbox/requests
  GET              ${url}/_sandbox/accepted
  GET              ${url}/_sandbox/deliveries
  POST, DELETE     ${url}/_sandbox/faults
  GET, PUT         ${url}/_sandbox/webhook
  GET, PUT         ${url}/_sandbox/instance
  POST             ${url}/_sandbox/deliver
  POST             ${url}/_sandbox/advance
  POST             ${url}/_sandbox/reset
`.trim(),
	);

	const stepMs = Number(values['step-ms']);
	const timer = stepMs > 0 ? setInterval(() => void sandbox.advance(), stepMs) : undefined;
	// A runner may forward Ctrl-C, which then arrives twice.
	let stopping: Promise<void> | undefined;
	const stop = () => {
		clearInterval(timer);
		stopping ??= sandbox.close().then(() => process.exit());
	};
	process.on('SIGINT', stop).on('SIGTERM', stop);
	if (values['with-parent']) {
		process.on('disconnect', stop);
		process.stdin.resume().on('close', stop);
	}
}

main().catch((error: NodeJS.ErrnoException) => {
	const hint =
		error.code === 'EADDRINUSE' ? '. Choose another: npm run sandbox -- --port 9000' : '';
	console.error(`Sandbox gateway: ${error.message}${hint}`);
	process.exit(1);
});
