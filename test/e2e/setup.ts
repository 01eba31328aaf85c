import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { packThisPackage, startHost, type Host } from '../../tools/host';
import { chosen } from '../../tools/host/paths';
import { testEnvironment } from './environment';

/** One host for all end-to-end tests of a jest run; they reach it through sharedHost.ts. */
export default async function setup(): Promise<void> {
	const folder = mkdtempSync(path.join(os.tmpdir(), 'package-'));
	process.env.HOST_TARBALL = await packThisPackage(folder);
	const host = await startHost({ n8n: chosen, env: testEnvironment });
	globalThis.sharedHost = host;
	process.env.E2E_HOST = JSON.stringify({ url: host.url, owner: host.owner, pid: host.pid });
}

declare global {
	var sharedHost: Host | undefined;
}
