import { howToBeReachable, isReachable } from '../../text/reachable';
import type { Item } from '../../form/item';

/**
 * The address of the question's page.
 *
 * @param ask tells the question from others of the same node and execution
 * @throws NodeOperationError when nobody could open it
 */
export function readLink(item: Item, ask: string): string {
	const url = item.resumeUrl({ ask });
	rejectPath(item, new URL(url));
	if (isReachable(url, item.serviceOrigin)) return url;
	throw item.invalid(
		`The recipient could not open the link to this n8n at ${new URL(url).origin}`,
		`${howToBeReachable}. n8n takes the address of the link from that variable. A phone reaches public https addresses only, not localhost or a private network.`,
	);
}

/** n8n signs a link as it is sent, and checks it as it arrives: without the path that a proxy takes off. */
function rejectPath(item: Item, { origin, pathname }: URL): void {
	const path = pathname.split('/').slice(0, -3).join('/'); // behind it: endpoint, execution, node
	if (path === '') return;
	throw item.invalid(
		`n8n would refuse the link, since the address of its webhooks has a path: ${origin}${path}`,
		'n8n signs links with that path and checks them without it. Set the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.40) to an address of n8n without a path, e.g. https://n8n.example.com, let your proxy pass that on to n8n, and restart n8n. N8N_PATH may stay for the editor.',
	);
}
