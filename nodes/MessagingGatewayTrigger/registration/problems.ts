import { asLine } from '../../text/text';
import { publicAddressHint } from '../../gateway/addresses';
import type { Webhook } from '../../gateway/endpoints/webhook';
import type { Problem } from '../../gateway/node';
import type { WebhookView } from './holder';
import type { Self } from './self';
import { hostOf } from './url';

// The problems of the trigger. They name hosts only, never a path or a query.

type Found = Pick<WebhookView, 'webhook' | 'holder'>;

export const unreachable = (webhookUrl: string, service: string): Problem => ({
	message: `The service at ${hostOf(service)} can't reach this n8n at ${new URL(webhookUrl).origin}`,
	hint: `${publicAddressHint}. A service on the internet can only reach public https addresses, not localhost or a private network.`,
});

export const notAnIp = (entry: string): Problem => ({
	message: `'Allowed IPs' takes up to 500 IP addresses and ranges, not '${asLine(entry)}'`,
	hint: 'Correct it in the options: enter addresses such as 203.0.113.7 or ranges such as 2001:db8::/32.',
});

/** @param option that has an entry without a name or a value */
export const givesNothing = (option: string): Problem => ({
	message: `This workflow receives no deliveries: an entry in '${option}' is empty, or its expression gives nothing`,
	hint: `Fill it in, or remove it from the options. ${plainOrVars}`,
});

const plainOrVars =
	'Enter plain names and values, such as status, or use $vars: there is no item yet, so $json is empty.';

/** n8n cannot evaluate an expression, e.g. one that reads another node, which has not run. */
export const notEvaluated = ({ message }: Error): Problem => ({
	message: `This workflow receives no deliveries: an expression in the options cannot be evaluated (${asLine(message)})`,
	hint: plainOrVars,
});

/** Publishing, or listening for a test event, found the webhook in use. */
export const inUse = (found: Found, self: Pick<Self, 'address'>): Problem =>
	found.holder === 'test'
		? {
				message:
					'The account has one webhook, and another workflow is listening for a test event with it',
				hint: 'Nothing was changed, and this workflow receives no deliveries. Wait until the test is over, in two minutes at most.',
			}
		: {
				message: `The account has one webhook, and ${nameOfUser(found, self)} is using it`,
				hint: `Nothing was changed, and this workflow receives no deliveries. Switch it off there, or set 'If the Webhook Is in Use' to 'Take Over', which gives it back at the end. ${howToHaveBoth}`,
			};

const howToHaveBoth =
	"To have both, see 'Several workflows, one account' in the Docs of this node.";

/** Other triggers of this n8n have kept the service busy for too long. */
export const busy = (service: string): Problem => ({
	message: `The service at ${hostOf(service)} is slow, and other triggers of this n8n are still waiting for it`,
	hint: 'Nothing was changed. Publish this workflow, or start its test, again in a minute. One that is published tries again by itself.',
});

/** A trigger with another API key has the webhook, so that what it gives back cannot be read. */
export const otherKey = ({ webhook }: Found): Problem => ({
	message: `A trigger with another API key, at ${hostOf(webhook!.url)}, has the account's webhook`,
	hint: 'Nothing was changed, and this workflow receives no deliveries. Unpublish the other one, or use the same credential in both: only then can this one read what to give back.',
});

/** The service shows another webhook than it was given. */
export const notKept = (url: string, shown: Webhook | undefined): Problem => ({
	message: `The service did not store the webhook URL unchanged: ${difference(url, shown)}`,
	hint: `The previous webhook was restored. Ask the operator of the service to support URLs of ${url.length} characters with a query, and to show changes at once. If another system uses the webhook, switch it off there: that makes the URL shorter.`,
});

function difference(url: string, shown: Webhook | undefined): string {
	if (!shown) return 'it has none now';
	if (shown.url === url) return 'it is switched off';
	if (url.startsWith(shown.url)) return `${shown.url.length} of ${url.length} characters are left`;
	return hostOf(shown.url) === hostOf(url) ? 'it was changed' : `it points to ${hostOf(shown.url)}`;
}

/** Unpublishing, or the end of a test, was accepted, and undone at once. */
export const notGivenBack = ({ address }: Pick<Self, 'address'>): Problem => ({
	message: `The service accepted the change, but seconds later its webhook still points to this workflow, at ${hostOf(address)}`,
	hint: 'Unpublish again, or set the webhook in your messaging service. Either the service shows changes late, or another n8n has written the webhook at the same moments.',
});

export const tooLong = (limit: number): Problem => ({
	message: 'The URL of the webhook in use is too long to be given back later',
	hint: `Nothing was changed. Switch the webhook off in the system that uses it, and try again. This node registers a URL that contains the previous one, encrypted, and has at most ${limit} characters.`,
});

export const takenBy = (found: Found, self: Pick<Self, 'address' | 'takesOver'>): Problem => ({
	message: `This workflow receives no deliveries: the webhook of its account was taken by ${nameOfUser(found, self)}`,
	hint: `To get it back, switch it off there: within minutes, this node registers again automatically. ${self.takesOver ? 'Or unpublish this workflow, then publish it.' : "Or set 'If the Webhook Is in Use' to 'Take Over' and publish."} ${howToHaveBoth}`,
});

/** The watch found its webhook at another host: another n8n with the same database has registered it. */
export const copied = (url: string, ownAddress: string): Problem => ({
	message: `This workflow receives no deliveries at ${hostOf(ownAddress)}: the webhook of its account points to the same workflow at ${hostOf(url)}`,
	hint: `If this is a copy of the other n8n, unpublish the workflow here. If not, stop the one at ${hostOf(url)}, then restart this one. So that a copy never takes the webhook, set 'Only Use in This n8n' in the credential.`,
});

/** The watch has registered again, which is a problem if it had to at three checks in a row. */
export function repaired({ webhook, holder }: Found): Problem {
	let found = 'its URL had been changed';
	if (holder === 'nobody') found = 'it was gone or switched off';
	if (['foreign', 'trigger'].includes(holder)) found = `${hostOf(webhook!.url)} had taken it`;
	return {
		message: `The webhook of the account had to be registered again: ${found}`,
		hint: 'At three checks in a row, another system had changed it: find that system, and stop it there. This node checks every three minutes: deliveries in between do not reach this workflow.',
	};
}

/** The watch found another account, or cannot be sure that it is the same one. */
export const otherAccount = (url: string): Problem => ({
	message: `The credential now belongs to another account or has another API key, and the webhook there points to ${hostOf(url)}`,
	hint: 'Unpublish this workflow and publish it again. Nothing was changed in the other account.',
});

function nameOfUser({ webhook, holder }: Found, { address }: Pick<Self, 'address'>): string {
	const host = hostOf(webhook!.url);
	if (holder === 'copy') return `this workflow on another n8n at ${host}`;
	const isHere = host === hostOf(address);
	if (holder === 'trigger')
		return `another Messaging Gateway Trigger ${isHere ? 'of this n8n' : 'of another n8n'} at ${host}`;
	return isHere ? `another webhook of this n8n at ${host}` : host;
}
