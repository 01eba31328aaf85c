import { HostClient, type Login } from '../../host';

/** The host that setup.ts started, signed in as its owner. */
export async function sharedHost(): Promise<{ url: string; client: HostClient }> {
	const { E2E_HOST_URL: url, E2E_HOST_OWNER: owner } = process.env;
	if (!url || !owner) throw new Error('setup.ts of the end-to-end tests did not run');
	return { url, client: await HostClient.signIn(url, JSON.parse(owner) as Login) };
}
