import type {
	IDataObject,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { remember } from '../../gateway/memory';
import { readReply } from './reply';
import { contentSecurityPolicy, headerOnlyPolicy, noticePage, questionPage } from './page';
import { readQuestion, type AskedQuestion } from './question';
import { chooseLanguage, phrases } from './languages';

const page: Omit<IWebhookDescription, 'httpMethod'> = {
	name: 'default',
	path: '={{ $nodeId }}',
	isFullPath: true,
	// Of a waiting execution: nothing is registered when a workflow is published.
	restartWebhook: true,
	responseMode: 'onReceived',
	// Empty, the answer is what `webhook` returns.
	responseData: '',
};

/** The page of a question, and its form. */
export const webhooks = ['GET', 'HEAD', 'POST'].map((httpMethod) => ({
	...page,
	httpMethod,
})) as IWebhookDescription[];

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * Serves the link that a message holds: shows the question to everything that opens it, people, link
 * previews and scanners alike, and takes the answer that the page's form posts. n8n has checked the
 * link's signature before.
 *
 * Never throws: n8n would go on with the execution.
 */
export async function respond(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	const language = chooseLanguage(context.getHeaderData()['accept-language']);
	const show = (status: number, html: string): IWebhookResponseData => {
		setHeaders(response);
		response.status(status).end(html);
		return { noWebhookResponse: true };
	};
	const notice = (status: number, name: 'closed' | 'expired' | 'unavailable') =>
		show(status, noticePage(phrases[language]![name], language));
	try {
		const question = readQuestion(context);
		const { ask } = context.getQueryData() as IDataObject;
		// The link of an earlier round of a loop opens here, too.
		if (!question || ask !== question.ask) return notice(410, 'closed');
		if (Date.now() > question.until) return notice(410, 'expired');
		if (context.getRequestObject().method !== 'POST') {
			return show(200, questionPage(question, language));
		}
		const reply = readReply(question.form, context.getBodyData());
		if (typeof reply === 'string') return show(422, questionPage(question, language, reply));
		const asked = [context.getExecutionId(), context.getNode().id, ask].join(' ');
		if (!claim(asked, response)) return notice(410, 'closed');
		setHeaders(response);
		return {
			// n8n sends it when the execution goes on, and something else when that is not to be.
			webhookResponse: noticePage(phrases[language]!.recorded, language),
			workflowData: [[{ json: output(reply, question), pairedItem: { item: 0 } }]],
		};
	} catch (error) {
		context.logger.error(`A question could not be shown: ${(error as Error).message}`);
		return notice(500, 'unavailable');
	}
}

/** Questions that this process has an answer to, by execution, node and round: the latest 10,000. */
const claims = remember<true>(10_000);

/**
 * Whether an answer is the first. Two at the same instant both find the execution waiting; n8n before
 * 2.0 goes on with both of them, and a later one tells the second person of an error.
 */
function claim(question: string, response: Response): boolean {
	if (claims.has(question)) return false;
	claims.set(question, true);
	// n8n could not go on with it, or nobody knows: the person may press again. From n8n 2.0 on, n8n
	// itself goes on once.
	response.once('close', () => {
		if (!response.writableFinished || response.statusCode >= 400) claims.delete(question);
	});
	return true;
}

function setHeaders(response: Response): void {
	const policy = [...contentSecurityPolicy, ...headerOnlyPolicy].join('; ');
	response.setHeader('Content-Type', 'text/html; charset=utf-8');
	response.setHeader('Content-Security-Policy', policy);
	response.setHeader('Cache-Control', 'no-store');
	response.setHeader('Referrer-Policy', 'no-referrer');
	response.setHeader('X-Content-Type-Options', 'nosniff');
	response.setHeader('X-Robots-Tag', 'noindex, nofollow');
}

/** `data` is what n8n's own nodes give, and its review of an agent's tools reads. */
const output = (reply: IDataObject, { sent }: AskedQuestion): IDataObject => ({
	data: { ...reply, respondedAt: new Date().toISOString() },
	sent,
});
