import { HostClient, tick, type Login } from '../../tools/host';

/** The host that setup.ts started, signed in as its owner. */
export async function sharedHost() {
	const { E2E_HOST } = process.env;
	if (!E2E_HOST) throw new Error('setup.ts of the end-to-end tests did not run');
	const { url, owner, pid } = JSON.parse(E2E_HOST) as { url: string; owner: Login; pid: number };
	return { url, client: await HostClient.signIn(url, owner), tick: () => tick(pid) };
}
