import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HostClient, type Login } from './client';
import { installCommunityPackage, packThisPackage } from './communityPackage';
import { n8nEnvironment } from './environment';
import { freePort } from './freePort';
import { installHost } from './install';
import { N8nProcess } from './n8nProcess';
import { pinned, type Installation } from './paths';
import { Session } from './session';

export * from './client';
export { standingClock, tick } from './clock';
export { packThisPackage } from './communityPackage';
export { fetchOnce, postJson } from './fetchOnce';
export { freePort } from './freePort';
export { HostRequestError } from './session';

const START_LIMIT = 300_000; // ms; generous, since several may start at once
const LOG_TAIL = 40; // lines
const READY_TEXT = 'Editor is now accessible via';

const testOwner: Login = { email: 'owner@example.com', password: 'Sandbox1' };

export interface HostOptions {
	/** Default: the pinned n8n. */
	n8n?: Installation;
	/** A packed community package. Default: this package. */
	tarball?: string;
	/** Kept when the host stops. Default: a temporary folder, which is removed. */
	userFolder?: string;
	/** The port of the editor, the REST API and webhooks. Default: any free port. */
	port?: number;
	/** The owner's account. Default: that of all tests. */
	owner?: Login;
	/** Added to n8n's environment. */
	env?: Record<string, string>;
}

/** A running n8n with a community package, on 127.0.0.1. */
export interface Host {
	/** The address, without a trailing slash. */
	readonly url: string;
	readonly owner: Login;
	readonly userFolder: string;
	readonly pid: number;
	readonly client: HostClient;
	/** Everything that n8n has logged. */
	logs(): string;
	/** Stops n8n, and removes a temporary user folder. */
	stop(): Promise<void>;
	/** Kills n8n, like a power cut. Its user folder stays until `stop`. */
	kill(): Promise<void>;
}

/**
 * Starts an n8n (installing it first if necessary) with a community package and an owner account.
 *
 * @throws Error with the end of n8n's log when n8n is not ready in time; a temporary user folder, with
 * the whole log, is then kept
 */
export async function startHost(options: HostOptions = {}): Promise<Host> {
	const installation = options.n8n ?? pinned;
	await installHost(installation);
	const userFolder = options.userFolder ?? (await mkdtemp(path.join(os.tmpdir(), 'n8n-host-')));
	const temporary = options.userFolder === undefined;
	mkdirSync(userFolder, { recursive: true });
	const { HOST_TARBALL: packed } = process.env; // packed once for all tests
	const tarball = options.tarball ?? packed ?? (await packThisPackage(userFolder));
	await installCommunityPackage(userFolder, tarball);

	const ports = { editor: await freePort(options.port), taskBroker: await freePort() };
	if (options.port && ports.editor !== options.port) {
		throw new Error(`Port ${options.port} is in use`);
	}
	const n8n = new N8nProcess(
		['start'],
		{
			...n8nEnvironment(userFolder, ports, installation),
			...(temporary && { HOST_TEMPORARY_FOLDER: userFolder }),
			...options.env,
		},
		path.join(userFolder, 'n8n.log'),
		installation,
	);
	const url = `http://127.0.0.1:${ports.editor}`;
	await waitUntilReady(n8n, url);
	const { owner = testOwner } = options;
	await setUpOwner(url, owner);
	const client = await HostClient.signIn(url, owner);

	return {
		url,
		owner,
		userFolder,
		pid: n8n.pid,
		client,
		logs: () => n8n.logs(),
		async stop() {
			await n8n.stop();
			if (temporary) await rm(userFolder, { recursive: true, force: true });
		},
		kill: () => n8n.kill(),
	};
}

/** Older versions are 'ready' before their workflows, which are ready once the editor's URL is logged. */
async function waitUntilReady(n8n: N8nProcess, url: string): Promise<void> {
	const end = Date.now() + START_LIMIT;
	while (n8n.running && Date.now() < end) {
		if (n8n.hasLogged(READY_TEXT)) {
			const response = await fetch(`${url}/healthz/readiness`).catch(() => undefined);
			if (response?.ok) return;
		}
		await sleep(100);
	}
	const reason = n8n.running ? `did not become ready in ${START_LIMIT / 1000} s` : 'ended';
	await n8n.stop();
	const tail = n8n.logs().trimEnd().split('\n').slice(-LOG_TAIL).join('\n');
	throw new Error(`The host n8n ${reason}. The end of ${n8n.logFile}:\n${tail}`);
}

/** Sets up the owner as the editor of a new n8n does. A kept user folder already has one. */
async function setUpOwner(url: string, owner: Login): Promise<void> {
	const session = new Session(url);
	const { userManagement } = await session.request<{
		userManagement: { showSetupOnFirstLoad: boolean };
	}>('GET', '/rest/settings');
	if (!userManagement.showSetupOnFirstLoad) return;
	const names = { firstName: 'Sandbox', lastName: 'Owner' };
	await session.request('POST', '/rest/owner/setup', { ...owner, ...names });
}
