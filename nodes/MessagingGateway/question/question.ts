import { jsonParse } from 'n8n-workflow';
import type { IContextObject, IDataObject, IWebhookFunctions } from 'n8n-workflow';

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
