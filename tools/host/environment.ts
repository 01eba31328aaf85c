import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { contentsOf } from './container/image';
import { pinned, type Installation, type NpmInstallation } from './paths';

interface Ports {
	editor: number;
	taskBroker: number;
}

/**
 * The environment of n8n. Of the caller's environment it gets only PATH, HOME and TMPDIR: jest's
 * `NODE_ENV=test`, proxies and the developer's own N8N_ variables would change its behaviour. An image
 * brings its own programs.
 */
export function n8nEnvironment(
	userFolder: string,
	ports: Ports,
	n8n: Installation = pinned,
): NodeJS.ProcessEnv {
	const url = `http://127.0.0.1:${ports.editor}/`;
	const disabled = ['mcp-registry', 'instance-ai'].filter((name) => hasModule(n8n, name));
	return {
		...('image' in n8n ? { HOME: userFolder } : foldersOfThisMachine(n8n)),

		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(ports.editor),
		N8N_RUNNERS_BROKER_PORT: String(ports.taskBroker),
		N8N_EDITOR_BASE_URL: url,
		N8N_SECURE_COOKIE: 'false', // plain http
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
		// n8n refuses all requests after a database ping that took 5 s, as on a busy machine.
		DB_PING_INTERVAL_SECONDS: '3600',

		// No calls home, and no dialogs before the editor.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true', // as before n8n 3
		...(disabled.length > 0 && { N8N_DISABLED_MODULES: disabled.join() }),
		EXTERNAL_FRONTEND_HOOKS_URLS: '',
	};
}

const foldersOfThisMachine = ({ folder, nodeBinary }: NpmInstallation): NodeJS.ProcessEnv => ({
	// A start takes less CPU time.
	NODE_COMPILE_CACHE: path.join(folder, 'node_modules', '.compile-cache'),
	// The task runner of the Code node is started as plain `node`.
	PATH: [path.dirname(nodeBinary), process.env.PATH].join(path.delimiter),
	HOME: os.homedir(),
	TMPDIR: os.tmpdir(),
});

/** n8n refuses to start if N8N_DISABLED_MODULES names a module that it does not have. */
export const hasModule = (n8n: Installation, name: string): boolean =>
	'image' in n8n
		? contentsOf(n8n).modules.includes(name)
		: existsSync(path.join(n8n.n8nBinary, '../../dist/modules', name));
