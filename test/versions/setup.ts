import { startHost } from '../../host';
import '../e2e/setup';
import { n8nUnderTest } from './n8nUnderTest';

/** As setup.ts of the end-to-end tests, with the n8n under test; their teardown.ts ends it. */
export default async function setup(): Promise<void> {
	const host = await startHost({ n8n: n8nUnderTest() });
	globalThis.sharedHost = host;
	process.env.E2E_HOST_URL = host.url;
	process.env.E2E_HOST_OWNER = JSON.stringify(host.owner);
}
