import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hostFolder } from '../../tools/host/paths';
import './setup';

/** Ends the shared host. Its log stays, for tests that did not pass. */
export default async function teardown(): Promise<void> {
	const { sharedHost: host } = globalThis;
	if (host) writeFileSync(path.join(hostFolder, 'e2e.log'), host.logs());
	await host?.stop();
	rmSync(path.dirname(process.env.HOST_TARBALL!), { recursive: true, force: true });
}
