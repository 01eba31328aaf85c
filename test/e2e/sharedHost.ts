import {
	HostClient,
	startHost,
	tick,
	type CredentialReference,
	type Host,
	type Login,
} from '../../tools/host';
import { Editor, isChromiumInstalled } from '../../tools/host/editor';
import { chosen } from '../../tools/host/paths';
import { startSandbox, type Sandbox } from '../../tools/sandbox';
import { testEnvironment } from './environment';

/** The host that setup.ts started, signed in as its owner. */
export async function sharedHost() {
	const { E2E_HOST } = process.env;
	if (!E2E_HOST) throw new Error('setup.ts of the end-to-end tests did not run');
	const { url, owner, pid } = JSON.parse(E2E_HOST) as { url: string; owner: Login; pid: number };
	return { url, client: await HostClient.signIn(url, owner), tick: () => tick(pid) };
}

interface SharedHost extends Awaited<ReturnType<typeof sharedHost>> {
	/** A service for these tests alone, reset before each. */
	sandbox: Sandbox;
	/** Of it. */
	credential: CredentialReference;
}

/** The same for the tests of a file; to be read once they have begun. */
export const useHost = (): SharedHost => useHostOf(sharedHost);

/**
 * An n8n for the tests of a file alone: what they leave in Data Tables, or published, is in no other's way.
 *
 * @param env added to n8n's environment
 */
export function useOwnHost(env: Record<string, string> = {}): SharedHost {
	let own: Host | undefined;
	const host = useHostOf(async () => {
		own = await startHost({ n8n: chosen, env: { ...testEnvironment, ...env } });
		const { url, client, pid } = own;
		return { url, client, tick: () => tick(pid) };
	});
	afterAll(async () => await own?.stop());
	return host;
}

function useHostOf(open: typeof sharedHost): SharedHost {
	const host = {} as SharedHost;
	beforeAll(async () => {
		Object.assign(host, await open(), { sandbox: await startSandbox() });
		host.credential = await host.client.createCredential(host.sandbox.credential);
	});
	beforeEach(() => host.sandbox.reset());
	afterAll(async () => await host.sandbox?.close());
	return host;
}

const needs = isChromiumInstalled ? '' : ': not run, needs Chromium (CHROMIUM_PATH)';

/** Tests that need Chromium: without it they are skipped, and say so. */
export const describeInChromium = (title: string, tests: () => void): void =>
	(isChromiumInstalled ? describe : describe.skip)(`${title}${needs}`, tests);

/** Tests in n8n's editor. */
export const describeInEditor = (
	title: string,
	tests: (host: SharedHost & { editor: Editor }) => void,
): void =>
	describeInChromium(title, () => {
		const host = useHost() as SharedHost & { editor: Editor };
		beforeAll(async () => {
			host.editor = await Editor.start(host.url, host.client);
		});
		afterAll(async () => await host.editor?.stop());
		tests(host);
	});
