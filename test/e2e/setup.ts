import { startHost, type Host } from '../../host';
import { chosen } from '../../host/paths';

/** One host for all end-to-end tests of a jest run; they reach it through sharedHost.ts. */
export default async function setup(): Promise<void> {
	const host = await startHost({ n8n: chosen });
	globalThis.sharedHost = host;
	process.env.E2E_HOST_URL = host.url;
	process.env.E2E_HOST_OWNER = JSON.stringify(host.owner);
}

declare global {
	var sharedHost: Host | undefined;
}
