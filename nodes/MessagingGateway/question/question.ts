import { jsonParse } from 'n8n-workflow';
import type { IContextObject, IDataObject, IWebhookFunctions } from 'n8n-workflow';

import type { Item } from '../../form/item';
import { howToBeReachable, isReachable } from '../../text/reachable';

/** How a person can answer. */
export type Form =
	| { type: 'approval'; approve: string; disapprove?: string }
	| { type: 'choice'; labels: string[] }
	| { type: 'freeText' };

interface Asking {
	/** Tells it from what the same node asks in the same execution, as in a loop: part of its link. */
	ask: string;
	/** Of the page; empty for the page's own. */
	title: string;
	message: string;
	form: Form;
}

/** What a person is to be asked. */
export interface Question extends Asking {
	/** When no answer counts any more. @param sentAt like what it gives in ms since 1970 */
	endOf(sentAt: number): number;
}

/** A question that was sent, or may have been. */
export interface AskedQuestion extends Asking {
	/** When no answer counts any more, in ms since 1970. */
	until: number;
	/** What became of the message. */
	sent: IDataObject;
}

const key = 'question';

/**
 * Keeps the question as it is asked now with the execution, until it is answered: the page is
 * another process's, and the node's expressions could give something else there.
 *
 * @param store n8n's context of the node
 */
export function keepQuestion(store: IContextObject, question: AskedQuestion): void {
	store[key] = JSON.stringify(question);
}

/** The latest question that the node has asked in this execution; undefined where there is none. */
export function readQuestion(context: IWebhookFunctions): AskedQuestion | undefined {
	// A webhook has no access to the node's context but this.
	const kept = context.evaluateExpression(
		`{{ $node[${quoteForExpression(context.getNode().name)}].context.${key} }}`,
	);
	return typeof kept === 'string' ? jsonParse<AskedQuestion>(kept) : undefined;
}

/** A brace in a name must not end the expression. */
const quoteForExpression = (text: string): string =>
	JSON.stringify(text).replace(/[{}]/g, (brace) => (brace === '{' ? '\\u007b' : '\\u007d'));

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
		`${howToBeReachable}. Phones can only open public https addresses, not localhost or a private network.`,
	);
}

/** n8n signs a link as it is sent, and checks it as it arrives: without the path that a proxy takes off. */
function rejectPath(item: Item, { origin, pathname }: URL): void {
	const path = pathname.split('/').slice(0, -3).join('/'); // behind it: endpoint, execution, node
	if (path === '') return;
	throw item.invalid(
		`n8n would refuse the link, because its webhook address contains a path: ${origin}${path}`,
		'Set the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.40) to an address of n8n without a path, e.g. https://n8n.example.com, have your proxy forward it to n8n, and restart n8n. You can keep N8N_PATH for the editor.',
	);
}
