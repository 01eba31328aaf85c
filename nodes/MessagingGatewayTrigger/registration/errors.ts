import type { FunctionsBase } from 'n8n-workflow';

import { asLine } from '../../text/text';
import { howToBeReachable } from '../../gateway/addresses';
import type { Webhook } from '../../gateway/endpoints/webhook';
import { ownedBy, type Problem } from '../../gateway/node';
import type { Holder } from './holder';
import type { Self } from './self';
import { hostOf } from './url';

// The errors of the trigger. They name hosts only, never a path or a query. When publishing fails, n8n
// shows the message alone, so that also says what to do.

export const errorOf = (context: Pick<FunctionsBase, 'getNode'>, problem: Problem) =>
	ownedBy(context.getNode()).invalid(problem.message, problem.description);

export const unreachable = (webhookUrl: string, service: string): Problem => ({
	message: `The service at ${hostOf(service)} can't reach this n8n at ${new URL(webhookUrl).origin}. ${howToBeReachable}.`,
	description:
		'n8n takes the address of its webhooks from that variable. A service on the internet can only reach public https addresses, not localhost or a private network.',
});

export const notAnIp = (entry: string): Problem => ({
	message: `'Allowed IPs' takes up to 500 IP addresses and ranges, not '${asLine(entry)}'. Correct it in the options.`,
	description: 'Enter addresses such as 203.0.113.7 or ranges such as 2001:db8::/32.',
});

/** @param option whose expression gives nothing */
export const givesNothing = (option: string): Problem => ({
	message: `This workflow receives no deliveries: an expression in '${option}' gives nothing. Correct it in the options.`,
	description: 'Use $vars, for example: there is no item at that time, so $json has no values.',
});

/** Publishing, or listening for a test event, found the webhook in use. */
export const inUse = (holder: Holder, url: string, self: Pick<Self, 'address'>): Problem => ({
	message:
		holder === 'test'
			? `The account has one webhook, and another workflow is listening for a test event with it. Wait until the test is over, in two minutes at most.`
			: `The account has one webhook, and ${user(holder, url, self)} is using it. Switch it off there, or set 'If the Webhook Is in Use' to 'Take Over'. To have both, see 'Several workflows, one account' in the Docs of this node.`,
	description:
		"Nothing was changed, and this workflow receives no deliveries. 'Take Over' gives the webhook back when you unpublish or when the test ends.",
});

/** A trigger with another API key has the webhook, so that what it gives back cannot be read. */
export const otherKey = (_: Holder, url: string): Problem => ({
	message: `A trigger with another API key, at ${hostOf(url)}, has the account's webhook. Unpublish it, or use the same credential in both.`,
	description:
		'Nothing was changed, and this workflow receives no deliveries. Only a trigger with the same API key can read what the other one gives back when it ends.',
});

/** The service shows another webhook than it was given. */
export const notKept = (url: string, kept: Webhook | undefined): Problem => ({
	message: `The service did not store the webhook URL unchanged: ${difference(url, kept)}. Ask its operator to support URLs of ${url.length} characters with a query, and to show changes at once.`,
	description:
		'The previous webhook was restored. The query proves that a delivery comes from the service, and contains the webhook to give back later. If another system uses the webhook, switch it off there: that makes the URL shorter.',
});

function difference(url: string, kept: Webhook | undefined): string {
	if (!kept) return 'it has none now';
	if (kept.url === url) return 'it is switched off';
	if (url.startsWith(kept.url)) return `${kept.url.length} of ${url.length} characters are left`;
	return hostOf(kept.url) === hostOf(url) ? 'it was changed' : `it points to ${hostOf(kept.url)}`;
}

/** Unpublishing, or the end of a test, was accepted, and undone at once. */
export const notGivenBack = ({ address }: Pick<Self, 'address'>): Problem => ({
	message: `The service accepted the change, but seconds later its webhook still points to this workflow, at ${hostOf(address)}. Unpublish again, or set the webhook in your messaging service.`,
	description:
		'Either the service shows changes late, or another n8n has written the webhook at the same moments.',
});

export const tooLong = (limit: number): Problem => ({
	message:
		'The URL of the webhook in use is too long to be given back later. Switch the webhook off in the system that uses it, and try again.',
	description: `Nothing was changed. This node registers a URL that contains the previous one, encrypted, and has at most ${limit} characters.`,
});

export const takenBy = (
	holder: Holder,
	url: string,
	self: Pick<Self, 'address' | 'takesOver'>,
): Problem => ({
	message: `This workflow receives no deliveries: the webhook of its account was taken by ${user(holder, url, self)}`,
	description: `To get it back, switch it off there: within minutes, this node registers again automatically. ${self.takesOver ? 'Or unpublish this workflow, then publish it.' : "Or set 'If the Webhook Is in Use' to 'Take Over' and publish."} To have both, see 'Several workflows, one account' in the Docs of this node.`,
});

/** The watch found its webhook at another host: another n8n with the same database has registered it. */
export const copied = (url: string, ownAddress: string): Problem => ({
	message: `This workflow receives no deliveries at ${hostOf(ownAddress)}: the webhook of its account points to the same workflow at ${hostOf(url)}`,
	description: `Two n8n instances have this workflow, for example because one is a copy of the other. If this is the copy, unpublish the workflow here. If not, stop the instance at ${hostOf(url)}, then restart this one. So that a copy never takes the webhook, set 'Only Use in This n8n' in the credential.`,
});

export function repairedAgain(holder: Holder, url: string | undefined): Problem {
	let found = 'its URL had been changed';
	if (holder === 'nobody') found = 'it was gone or switched off';
	if (['foreign', 'trigger'].includes(holder)) found = `${hostOf(url!)} had taken it`;
	return {
		message: `The webhook of the account had to be registered again at every check: ${found}`,
		description:
			'Another system keeps changing the webhook of the account. Find it and stop it there. This node checks every three minutes: deliveries in between do not reach this workflow.',
	};
}

/** The watch found another account, or cannot be sure that it is the same one. */
export const otherAccount = (url: string): Problem => ({
	message: `The credential now belongs to another account or has another API key, and the webhook there points to ${hostOf(url)}. Unpublish this workflow and publish it again.`,
	description:
		"This workflow was published with the credential's previous account or API key. Nothing was changed in the other account.",
});

function user(holder: Holder, url: string, { address }: Pick<Self, 'address'>): string {
	const host = hostOf(url);
	if (holder === 'copy') return `this workflow on another n8n at ${host}`;
	const isHere = host === hostOf(address);
	if (holder === 'trigger')
		return `another Messaging Gateway Trigger ${isHere ? 'of this n8n' : 'of another n8n'} at ${host}`;
	return isHere ? `another webhook of this n8n at ${host}` : host;
}
