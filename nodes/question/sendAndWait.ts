import { askBetweenOption } from '../form/fields/sendBetween';
import {
	smsOptions,
	applyCharacters,
	readSmsLength,
	segmentsByCharacters,
} from '../form/fields/smsText';
import { smsToField, keepNumberAsEnteredOption } from '../form/fields/to';
import { isNothing, type Item } from '../form/item';
import { isHumanReview } from '../n8n/nodeKinds';
import { questionUncertainty, dryRunOption, send } from '../send/sending';
import { postSms } from '../service/endpoints/messages';
import { isObject } from '../text/json';
import { checkLimit, limitWaitTimeOption, questionFields, responseFormTitleOption } from './fields';
import { makeAnswerLink, buttonsOf, waitForAnswer } from './question';
import { checkCanWait, refuseParallelCall, addFeedback } from './waiting';

/** The default for human reviews: the model decides how long the arguments are that they show. */
const maxSegmentsOfReview = 10;

/** Interface §4.5. n8n makes a human review of an agent's tools of the value `sendAndWait`, too. */
export const sendAndWait = send({
	value: 'sendAndWait',
	name: 'Send SMS and Wait for Response',
	action: 'Send SMS and wait for response',
	description: 'Ask a person by SMS and wait for the answer: an approval, a choice or a text',
	uncertainty: questionUncertainty,
	waits: { checkCanWait, refuseParallelCall, addFeedback },
	fields: { to: smsToField, ...questionFields },
	options: {
		dryRun: dryRunOption,
		keepNumberAsEntered: keepNumberAsEnteredOption,
		limitWaitTime: limitWaitTimeOption,
		responseFormTitle: responseFormTitleOption,
		sendBetween: askBetweenOption,
		...smsOptions,
		maxSegments: {
			...smsOptions.maxSegments,
			default: 3,
			description:
				'How many SMS segments the question can take with its link. A longer one is not sent.',
		},
	},
	textField: questionFields.message,

	sending(values, item) {
		rejectEarlierAnswer(item);
		const { to } = values;
		const ask = String(item.context.getWorkflowDataProxy(item.index).$runIndex);
		const { responseFormTitle: title, message, form, limitWaitTime: endOf, smsType } = values;
		const link = makeAnswerLink(item, ask);
		const end = `\n${link}`;
		const asked = applyCharacters(item, message, end);
		const text = asked + end;
		const { segments, encoding } = readSmsLength(item, text, {
			name: "'Message' with its link",
			...(isHumanReview(item.entered.node) && { most: maxSegmentsOfReview }),
		});
		return {
			...{ channel: 'sms', to, length: { segments, encoding } },
			contents: [ask, title, asked, form, smsType],
			question: {
				async waitForAnswer(sent, sentAt) {
					const until = endOf(sentAt);
					await waitForAnswer(item.context, { ask, title, message, form, until, sent });
				},
			},
			expires: true,
			request(_, now) {
				checkLimit(item, endOf, now); // it may pass in a long list
				return postSms({ to: to.to, msg: text, tiposms: smsType });
			},
			preview: () => ({
				text: `${asked}\n${new URL(link).origin}/…`, // without its signature
				segmentsBy: segmentsByCharacters(message, end),
				buttons: buttonsOf(form)?.map(({ label }) => label),
			}),
		};
	},
});

/** The fields of an answer, below `data`. */
const answerFields = ['respondedAt', 'approved', 'choice', 'text'];

/**
 * Refuses an item with an earlier question's answer, which would count as this one's: n8n outputs the input
 * item where there is no answer, after the limit and when a stopped execution is retried.
 *
 * @throws NodeOperationError when the item contains one
 */
export function rejectEarlierAnswer(item: Item): void {
	const { approved, data } = item.json;
	const isReview = isHumanReview(item.entered.node);
	const field = answerFields.find((name) => isObject(data) && !isNothing(data[name]));
	// n8n's human review takes `approved` beside `data` for an approval, too.
	if (!field && !(isReview && typeof approved === 'boolean')) return;
	const [removable, found] = field ? ['data', `data.${field}`] : ['approved', 'approved'];
	throw item.invalid(
		`The item already contains '${found}', although nobody has answered yet`,
		`Remove '${removable}' from the item with an Edit Fields node before ${isReview ? 'the AI Agent' : 'this node'}. Without an answer the item continues unchanged, and this would count as the answer.`,
	);
}
