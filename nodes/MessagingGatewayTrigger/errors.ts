import { NodeOperationError, type FunctionsBase } from 'n8n-workflow';

import { asLine } from '../text/quote';
import { howToBeReachable } from '../text/reachable';
import type { Webhook } from '../gateway/endpoints/webhook';
import type { ConflictPolicy, Holder } from './registration/ownership';
import { hostOf } from './url';

/**
 * What goes wrong with a trigger. The texts name hosts only, never a path or a query; and since n8n
 * shows the message alone when a workflow can't be published, that says what to do as well.
 */
interface Problem {
	message: string;
	description: string;
}

export const errorOf = (
	context: Pick<FunctionsBase, 'getNode'>,
	{ message, description }: Problem,
): NodeOperationError => new NodeOperationError(context.getNode(), message, { description });

export const unreachable = (webhookUrl: string, service: string): Problem => ({
	message: `The service at ${hostOf(service)} cannot deliver to this n8n at ${new URL(webhookUrl).origin}. ${howToBeReachable}.`,
	description:
		'n8n takes the address of its webhooks from that variable. A service on the internet reaches public https addresses only, not localhost or a private network.',
});

export const notAnIp = (entry: string): Problem => ({
	message: `'Allowed IPs' has an entry that is not an IP address or range: '${asLine(entry)}'. Correct it in the options.`,
	description: 'Enter addresses such as 203.0.113.7 or ranges such as 2001:db8::/32.',
});

/** Publishing, or listening for a test event, found the webhook in use. */
export const inUse = (holder: Holder, url: string, again: string): Problem => ({
	message:
		holder === 'test'
			? `The account has one webhook, and another workflow is listening for a test event with it. ${again} when that is over, after two minutes at most.`
			: `The account has one webhook, and ${user(holder, url)} is using it. Switch it off there, or set 'If the Webhook Is in Use' to 'Share' or 'Take Over', and ${again.toLowerCase()}.`,
	description:
		"The webhook was left as it is; this workflow receives no deliveries. With 'Share', both receive every delivery. Either gives the webhook back when you unpublish, or when the test is over.",
});

/**
 * The service shows something else than it was given.
 *
 * @param before what it had, which was put back
 */
export const notKept = (url: string, kept?: Webhook, before?: Webhook): Problem =>
	kept && kept.url === before?.url && !url.startsWith(kept.url)
		? {
				message: `The service accepted the webhook URL, but seconds later still shows the one before, at ${hostOf(kept.url)}. Ask its operator for changes that show at once.`,
				description:
					'The one before was set again, since nothing shows that deliveries would reach this workflow.',
			}
		: {
				message: `The service did not keep the webhook URL as it was given: ${difference(url, kept)}. Ask its operator for a webhook that keeps URLs of ${url.length} characters with their query.`,
				description:
					'What was set before was set again. The query tells deliveries of the service from forged ones, and holds what is given back later: where the webhook was in use before, switch it off there and the URL gets shorter.',
			};

function difference(url: string, kept?: Webhook): string {
	if (!kept) return 'it has none now';
	if (kept.url === url) return 'it is switched off';
	if (url.startsWith(kept.url)) return `${kept.url.length} of ${url.length} characters are left`;
	return hostOf(kept.url) === hostOf(url) ? 'it was changed' : `it points to ${hostOf(kept.url)}`;
}

/** What was displaced has to travel in the URL. */
export const tooLong = (limit: number): Problem => ({
	message: `The webhook in use has a URL that is too long to be given back later. Switch it off where it is in use, and try again.`,
	description: `The URL that this node registers holds what it gives back, encrypted, and may have ${limit} characters. The webhook was left as it is.`,
});

/** The watch found the webhook in other hands. */
export const takenBy = (holder: Holder, url: string, policy: ConflictPolicy): Problem => ({
	message: `This workflow receives no deliveries: the webhook of its account was taken by ${user(holder, url)}`,
	description: `The account has one webhook. To have it back, switch it off there: this node then registers again by itself within minutes. ${
		policy === 'refuse'
			? "Or set 'If the Webhook Is in Use' to 'Share' or 'Take Over' and publish."
			: 'Or unpublish this workflow, then publish it.'
	}`,
});

/** The watch found a trigger that shares, but cannot read with whom. */
export const closed = (url: string): Problem => ({
	message: `This workflow may receive no deliveries: the webhook of its account was taken by another Messaging Gateway Trigger, at ${hostOf(url)}, which shares it with addresses that only an n8n with the same API key can read`,
	description:
		'Enter the API key of that trigger in the credential of this workflow, then unpublish and publish it. With different API keys, unpublish the workflow first that was published last.',
});

/** The watch found that another n8n with the same database has the webhook. */
export const copied = (url: string, ownAddress: string): Problem => ({
	message: `This workflow receives no deliveries at ${hostOf(ownAddress)}: the webhook of its account points to the same workflow at ${hostOf(url)}`,
	description: `Two n8n share this workflow, such as when one is a copy of the other. If the copy is this one, unpublish the workflow here. If n8n has moved here, stop it at ${hostOf(url)}, then restart this one.`,
});

/** The watch had to repair the same thing again and again. */
export function repairedAgain(holder: Holder, url: string | undefined): Problem {
	let found = 'its URL had been changed';
	if (holder === 'nobody') found = 'it was gone or switched off';
	if (['foreign', 'trigger'].includes(holder)) found = `${hostOf(url!)} had taken it`;
	return {
		message: `The webhook of the account had to be registered again at every check: ${found}`,
		description:
			'Something else keeps changing the webhook of the account. Find it and stop it there. This node checks every three minutes; deliveries in between do not reach this workflow.',
	};
}

/** The watch found another account, or cannot tell that it is the same one. */
export const otherAccount = (url: string): Problem => ({
	message: `The credential now belongs to another account or has another API key, and the webhook there points to ${hostOf(url)}. Unpublish this workflow and publish it again.`,
	description:
		'This workflow is registered with the account that the credential belonged to when it was published. It leaves the webhook of another account as it is.',
});

function user(holder: Holder, url: string): string {
	if (holder === 'trigger') return `another Messaging Gateway Trigger, at ${hostOf(url)}`;
	return holder === 'copy' ? `this workflow on another n8n, at ${hostOf(url)},` : hostOf(url);
}
