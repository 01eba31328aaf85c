import { HostClient, tick, type CredentialReference, type Login } from '../../tools/host';
import { Editor, isChromiumInstalled } from '../../tools/host/editor';
import { startLastingHost, type LastingHost } from '../../tools/host/lasting';
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

interface Service {
	/** A service for these tests alone, reset before each. */
	sandbox: Sandbox;
	/** Of it. */
	credential: CredentialReference;
}

type SharedHost = Awaited<ReturnType<typeof sharedHost>> & Service;
type OwnHost = LastingHost & Service;

/** The same for the tests of a file; to be read once they have begun. */
export const useHost = (): SharedHost => useHostOf<SharedHost>(sharedHost);

/**
 * An n8n for the tests of a file alone, which may be killed: what they leave in Data Tables, or published, is in
 * no other's way.
 *
 * @param env added to n8n's environment
 */
export function useOwnHost(env: object | (() => Promise<object>) = {}): OwnHost {
	const host = useHostOf<OwnHost>(async (own) => {
		const added = typeof env === 'function' ? ((await env()) as object) : env;
		return await startLastingHost({ n8n: chosen, env: { ...testEnvironment, ...added } }, own);
	});
	afterAll(async () => await host.remove?.());
	return host;
}

function useHostOf<T extends SharedHost | OwnHost>(open: (host: T) => Promise<object>): T {
	const host = {} as T;
	beforeAll(async () => {
		Object.assign(host, await open(host), { sandbox: await startSandbox() });
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
