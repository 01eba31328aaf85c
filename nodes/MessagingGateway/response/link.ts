import { howToBeReachable, isReachable } from '../../shared/reachable';
import type { Item } from '../item/item';

/**
 * The address of the question's page.
 *
 * @param ask tells the question from others of the same node and execution
 * @throws NodeOperationError when the recipient's phone could not open it
 */
export function readLink(item: Item, ask: string): string {
	const url = item.resumeUrl({ ask });
	if (isReachable(url, item.serviceOrigin)) return url;
	throw item.invalid(
		`The recipient could not open the link to this n8n at ${new URL(url).origin}`,
		`${howToBeReachable}. n8n takes the address of the link from that variable. A phone reaches public https addresses only, not localhost or a private network.`,
	);
}
