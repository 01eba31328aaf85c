import {
	jsonParse,
	WAIT_INDEFINITELY,
	type IDataObject,
	type IExecuteFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import type { Item } from '../form/item';
import { readOwnAddress, publicAddressHint } from '../n8n/ownAddress';
import { isReachable } from '../text/host';
import { isObject, visibleIn } from '../text/values';

/** The ways in which a person can answer. */
export type Form =
	| { type: 'approval'; approve: string; disapprove?: string }
	| { type: 'choice'; labels: string[] }
	| { type: 'freeText' };

/** The answer that a button stands for, or the text in the field. */
export interface PostedAnswer {
	/** The value that the page sends. */
	value: string;
	label: string;
	/** The output of the node, below `data`. */
	reply: IDataObject;
}

/** Returns the buttons, from top to bottom; undefined where there is a field for a text instead. */
export function buttonsOf(form: Form): PostedAnswer[] | undefined {
	if (form.type === 'freeText') return undefined;
	if (form.type === 'choice') {
		return form.labels.map((label, at) => ({ value: `${at}`, label, reply: { choice: label } }));
	}
	const { approve, disapprove } = form;
	const approval = { value: 'approve', label: approve, reply: { approved: true } };
	if (disapprove === undefined) return [approval];
	return [approval, { value: 'disapprove', label: disapprove, reply: { approved: false } }];
}

/** A question that was sent, or may have been. */
export interface AskedQuestion {
	/** A part of the link that tells apart the questions of one node and execution, as in a loop. */
	ask: string;
	/** The title of the page; empty: the default one. */
	title: string;
	message: string;
	form: Form;
	/** The end of the time for answers, in ms since 1970. */
	until: number;
	/** The output of the send. */
	sent: IDataObject;
}

const contextKey = 'question';

/**
 * n8n's timer is set so many ms later than the question's own limit. n8n loads the timers of the
 * next 70 s into memory, by execution, and never checks them again: one that is loaded when the answer
 * comes would end the next wait of the execution. No answer counts after the limit, so none comes
 * once n8n has loaded this one.
 */
const timerMarginMs = 75_000;

/**
 * Makes the execution wait for the answer to a question that was sent, or may have been. The question is
 * stored with it: another process may serve the page, where the node's expressions could return
 * something else.
 */
export async function waitForAnswer(
	/** n8n before 2.14 accepts a forged link unless this is called; later versions never do. */
	context: IExecuteFunctions & { setSignatureValidationRequired?(): void },
	question: AskedQuestion,
): Promise<void> {
	context.getContext('node')[contextKey] = JSON.stringify({ v: 1, ...question });
	context.setSignatureValidationRequired?.();
	const hasLimit = question.until < WAIT_INDEFINITELY.getTime();
	await context.putExecutionToWait(new Date(question.until + (hasLimit ? timerMarginMs : 0)));
}

/** Returns the node's latest question in this execution; undefined if there is none that can be read here. */
export function readQuestion(context: IWebhookFunctions): AskedQuestion | undefined {
	// A webhook has no other access to the node's context.
	const kept = context.evaluateExpression(
		`{{ $node[${quoteForExpression(context.getNode().name)}].context.${contextKey} }}`,
	);
	if (typeof kept !== 'string') return undefined;
	const { v, ...question } = jsonParse<AskedQuestion & { v: number }>(kept);
	return v === 1 ? question : undefined;
}

/** Quotes a name so that its braces do not end the expression. */
const quoteForExpression = (text: string): string =>
	JSON.stringify(text).replace(/[{}]/g, (brace) => (brace === '{' ? '\\u007b' : '\\u007d'));

/** Returns the link to the page. @throws NodeOperationError when recipients could not open it */
export function makeAnswerLink(item: Item, ask: string): string {
	const url = signLink(item, ask);
	const { origin } = readOwnAddress(url, item.context.getInstanceBaseUrl(), item);
	const path = new URL(url).pathname.split('/').slice(0, -3).join('/'); // followed by endpoint, execution, node
	if (path !== '') {
		// n8n signs links with the path of its webhook address, but checks them without it.
		throw item.invalid(
			`n8n would refuse the link, because its webhook address contains a path: ${origin}${path}`,
			'Set the environment variable N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.40) to an address of n8n without a path, e.g. https://n8n.example.com, have your proxy forward it to n8n, and restart n8n. You can keep N8N_PATH for the editor.',
		);
	}
	if (isReachable(new URL(url), item.account.origin)) return url;
	throw item.invalid(
		`The recipient could not open the link to this n8n at ${origin}`,
		`${publicAddressHint}. Phones can only open public https addresses, not localhost or a private network.`,
	);
}

/** n8n signs nothing where its own address has no scheme. */
function signLink({ context }: Item, ask: string): string {
	try {
		return context.getSignedResumeUrl({ ask });
	} catch {
		return '';
	}
}

/** The form field with the answer. */
export const replyField = 'answer';

/** The longest text of an answer, in characters as browsers count them. */
export const maxAnswerLength = 5_000;

/** Returns the answer; undefined: none, or too long. @param body of the request as n8n has parsed it */
export function readReply(form: Form, body: unknown): PostedAnswer | undefined {
	const value = isObject(body) && Object.hasOwn(body, replyField) ? body[replyField] : undefined;
	if (typeof value !== 'string') return undefined;
	const buttons = buttonsOf(form);
	if (buttons) return buttons.find((button) => button.value === value);
	const text = value.replace(/\r\n?/g, '\n').trim(); // browsers send CRLF
	if (text.length > maxAnswerLength || visibleIn(text) === '') return undefined;
	return { value, label: text, reply: { text } };
}
