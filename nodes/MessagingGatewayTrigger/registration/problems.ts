import { plainOrVars, type Problem } from '../../n8n/errors';
import { publicAddressHint } from '../../n8n/ownAddress';
import type { Webhook } from '../../service/endpoints/webhook';
import { hostOf } from '../../text/host';
import { asLine } from '../../text/quote';
import { publications } from '../publication';
import type { WebhookView } from './holder';
import type { Self } from './self';

// The problems of the trigger. They name hosts only, never a path or a query.

type Found = Pick<WebhookView, 'webhook' | 'holder' | 'token'>;
type Naming = Pick<Self, 'address' | 'workflowId' | 'isTest'>;

export const unreachable = (webhookUrl: string, service: string): Problem => ({
	message: `The service at ${hostOf(service)} can't reach this n8n at ${new URL(webhookUrl).origin}`,
	hint: `${publicAddressHint}. A service on the internet can only reach public https addresses, not localhost or a private network.`,
});

export const notAnIp = (entry: string): Problem => ({
	message: `'${asLine(entry)}' in 'Allowed IPs' is no IP address`,
	hint: 'Correct it in the options: enter addresses such as 203.0.113.7 or ranges such as 2001:db8::/32.',
});

/** @param option that has an entry without a name or a value */
export const givesNothing = (option: string): Problem => ({
	message: `This workflow receives no deliveries: an entry in '${option}' is empty, or its expression gives nothing`,
	hint: `Fill it in, or remove it from the options. ${plainOrVars}`,
});

/** n8n cannot evaluate an expression, e.g. one that reads another node, which has not run. */
export const notEvaluated = ({ message }: Error): Problem => ({
	message: `This workflow receives no deliveries: an expression in the options cannot be evaluated (${asLine(message)})`,
	hint: plainOrVars,
});

/** Publishing, or listening for a test event, found the webhook in use. */
export function inUse(found: Found, self: Naming): Problem {
	const use = found.holder === 'test' ? 'is listening for a test event with it' : 'is using it';
	const orCopy = self.isTest ? ", or copy an execution's data into the editor" : '';
	return {
		message: `The account has one webhook, and ${nameOfUser(found, self)} ${use}`,
		hint: `Nothing was changed. ${wayToFree(found, self)}, then try again${orCopy}. ${howToHaveBoth}`,
	};
}

export const takenBy = (found: Found, self: Naming): Problem => ({
	message: `This workflow receives no deliveries: the webhook of its account was taken by ${nameOfUser(found, self)}`,
	hint: `${wayToFree(found, self)}: within minutes, this node registers again. ${howToHaveBoth}`,
});

const howToHaveBoth =
	"To have both, see 'Several workflows, one account' in the Docs of this node.";

function wayToFree(found: Found, self: Naming): string {
	if (found.holder === 'test') return 'Wait until the test is over, in two minutes at most';
	if (found.holder === 'copy')
		return "Unpublish it in the n8n that is a copy and set 'Only Use in This n8n' in its credential, or stop that n8n and restart this one";
	// Publishing replaces a webhook that is off, so its URL has to be kept elsewhere.
	const off =
		"with 'Webhook: Set' ('Enable' off; note its URL with 'Webhook: Get' first, since publishing replaces it)";
	const { isHere, id } = userOf(found, self);
	if (!isHere) return `Switch it off there, or ${off}`;
	const which = id
		? 'that workflow'
		: "the workflow whose Webhook node has the path at the end of the URL that 'Webhook: Get' shows";
	return `Unpublish ${which}, or switch the webhook off ${off}`;
}

export function notKept(url: string, shown: Webhook | undefined): Problem {
	const off = shown?.enabled ? '' : ', switched off';
	const now = shown
		? `a URL of ${shown.url.length} characters at ${hostOf(shown.url)}${off}`
		: 'none';
	return {
		message: `The service did not save the webhook URL correctly: it shows ${now}`,
		hint: `The previous webhook was restored. Ask the operator of the service to support URLs of ${url.length} characters with a query, and to show changes at once.`,
	};
}

/** The watch has registered again, which is a problem if it had to at three checks in a row. */
export const repaired = ({ holder }: Pick<Found, 'holder'>): Problem => ({
	message: `The webhook of the account had to be registered again: ${holder === 'nobody' ? 'it was gone or switched off' : 'its URL had been changed'}`,
	hint: 'Another system keeps changing it: find that system, and stop it there. Until then, deliveries are lost between two checks, which are three minutes apart.',
});

/** The watch found another account, or cannot be sure that it is the same one. */
export const otherAccount = (url: string): Problem => ({
	message: `The credential now belongs to another account or has another API key, and the webhook there points to ${hostOf(url)}`,
	hint: 'Unpublish this workflow and publish it again. Nothing was changed in the other account.',
});

/** Finds the workflow that has the webhook, by its token. */
function userOf({ webhook, token }: Found, { address }: Naming) {
	const id = token?.workflowId;
	const known = [...publications.values()].find(({ workflow }) => workflow.id === id);
	return { isHere: hostOf(webhook!.url) === hostOf(address), id, name: known?.workflow.name };
}

function nameOfUser(found: Found, self: Naming): string {
	const host = hostOf(found.webhook!.url);
	if (found.holder === 'copy') return `this workflow on another n8n at ${host}`;
	const { isHere, id, name } = userOf(found, self);
	if (id === undefined) return isHere ? `another webhook of this n8n at ${host}` : host;
	const called = `(ID ${asLine(id)})`;
	if (!isHere) return `a workflow ${called} of another n8n at ${host}`;
	if (id === self.workflowId) return 'this workflow, with another trigger or an earlier API key,';
	return `${name ? `workflow '${asLine(name)}'` : 'a workflow'} ${called} of this n8n`;
}
