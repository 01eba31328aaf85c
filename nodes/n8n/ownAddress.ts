import { singleSlashes } from '../text/host';
import type { Owner } from './errors';

const setting = 'N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.40)';

export const publicAddressHint = `Set the environment variable ${setting} to the public https address of n8n, then restart n8n`;

/**
 * Reads an address that n8n has made of N8N_WEBHOOK_URL and three names: of a webhook, a file, a waiting execution.
 *
 * @param instanceUrl N8N_EDITOR_BASE_URL, without which n8n takes N8N_WEBHOOK_URL
 * @throws what the owner makes of a setting with which the address would not lead to n8n
 */
export function readOwnAddress(address: string, instanceUrl: string, owner: Owner<Error>): URL {
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (!url?.protocol.startsWith('http'))
		throw owner.invalid(
			'The address of this n8n does not begin with https:// or http://',
			`Set the environment variable ${setting} to its full address, e.g. https://n8n.example.com, then restart n8n.`,
		);
	url.pathname = singleSlashes(url.pathname);
	const path = url.pathname.split('/').slice(0, -3).join('/');
	// n8n's own address at the same host may be nothing but N8N_WEBHOOK_URL again.
	const instance = new URL(instanceUrl, url);
	const isOwn = instance.origin !== url.origin && instance.pathname.replace(/\/$/, '') === path;
	if (path.endsWith('/webhook') && !isOwn)
		throw owner.invalid(
			`The address of this n8n ends with /webhook, which n8n adds itself: ${url.origin}${path}`,
			`Set the environment variable ${setting} to the address without it, then restart n8n. If n8n itself is below ${path}, move it to another path, e.g. /n8n.`,
		);
	return url;
}
