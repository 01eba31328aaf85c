import type {
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
	IDataObject,
} from 'n8n-workflow';

import { inProcess } from '../n8n/processState';
import { chooseLanguage, phrases } from './languages';
import { noticePage, questionPage, contentSecurityPolicy, recordedPage } from './page';
import { readQuestion, readReply } from './question';

export const webhooks = (['GET', 'HEAD', 'POST'] as const).map(
	(httpMethod): IWebhookDescription => ({
		name: 'default',
		httpMethod,
		path: '={{ $nodeId }}',
		isFullPath: true,
		// The webhook is for waiting executions only: publishing a workflow registers nothing.
		restartWebhook: true,
		responseMode: 'onReceived',
		// If this is empty, the response is what `webhook` returns.
		responseData: '',
	}),
);

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * Serves the link of a message, whose signature n8n has checked. Opening it (link previews and
 * scanners do, too) shows the question; only the form's POST answers it.
 *
 * Never throws: n8n would resume the execution.
 */
export async function respond(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	setHeaders(response);
	const language = chooseLanguage(context.getHeaderData()['accept-language']);
	const show = (status: number, html: string): IWebhookResponseData => {
		response.status(status).end(html);
		return { noWebhookResponse: true };
	};
	const notice = (status: number, name: 'missing' | 'closed' | 'expired' | 'unavailable') =>
		show(status, noticePage(phrases[language]![name], language));
	try {
		const question = readQuestion(context);
		const { ask } = context.getQueryData() as IDataObject;
		// Links of earlier rounds of a loop end up here, too.
		if (!question || ask !== question.ask) return notice(410, 'closed');
		if (Date.now() > question.until) return notice(410, 'expired');
		if (context.getRequestObject().method !== 'POST') {
			return show(200, questionPage(question, language));
		}
		const answer = readReply(question.form, context.getBodyData());
		if (!answer) return notice(422, 'missing');
		const asked = [context.getExecutionId(), context.getNode().id, ask].join(' ');
		if (!claimFirstAnswer(asked, response)) return notice(410, 'closed');
		// n8n's human review reads it, as in n8n's own nodes.
		const data = { ...answer.reply, respondedAt: new Date().toISOString() };
		return {
			// n8n sends this page only if the execution resumes.
			webhookResponse: recordedPage(question.form, answer, language),
			workflowData: [[{ json: { data, sent: question.sent }, pairedItem: { item: 0 } }]],
		};
	} catch (error) {
		context.logger.error(`A question could not be shown: ${(error as Error).message}`);
		return notice(500, 'unavailable');
	}
}

/** The latest questions answered in this process, by execution, node and round. */
const answeredQuestions = inProcess.map<true>(10_000);

/**
 * Returns whether this is the first answer. Two at the same instant both find the execution waiting: n8n
 * before 2.0 resumes it twice, later versions show the second person an error.
 */
function claimFirstAnswer(question: string, response: Response): boolean {
	if (answeredQuestions.has(question)) return false;
	answeredQuestions.set(question, true);
	// If n8n could not resume the execution, or it is unclear, the person may press the button again:
	// since 2.0, n8n resumes only once.
	response.once('close', () => {
		if (!response.writableFinished || response.statusCode >= 400)
			answeredQuestions.delete(question);
	});
	return true;
}

function setHeaders(response: Response): void {
	const policy = [...contentSecurityPolicy, "frame-ancestors 'none'"].join('; ');
	response.setHeader('Content-Type', 'text/html; charset=utf-8');
	response.setHeader('Content-Security-Policy', policy);
	response.setHeader('Cache-Control', 'no-store');
	response.setHeader('Referrer-Policy', 'no-referrer');
	response.setHeader('X-Content-Type-Options', 'nosniff');
	response.setHeader('X-Robots-Tag', 'noindex, nofollow');
}
