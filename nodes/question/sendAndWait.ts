import type { IExecuteFunctions, IDataObject } from 'n8n-workflow';

import { askBetweenOption } from '../form/fields/sendBetween';
import {
	smsOptions,
	applyCharacters,
	readSmsLength,
	segmentsByCharacters,
} from '../form/fields/smsText';
import { smsToField, keepNumberAsEnteredOption } from '../form/fields/to';
import { isNothing, type Item } from '../form/item';
import { callerOf, dataProxyOf } from '../n8n/agentItems';
import { ownerOfNode } from '../n8n/errors';
import { isAgentTool, isInEngine2, isHumanReview } from '../n8n/nodeKinds';
import type { Operation } from '../send/operation';
import { questionUncertainty, dryRunOption, send } from '../send/sending';
import { postSms } from '../service/endpoints/messages';
import { isObject } from '../text/values';
import { checkLimit, limitWaitTimeOption, questionFields, responseFormTitleOption } from './fields';
import { makeAnswerLink, buttonsOf, waitForAnswer } from './question';

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

/** Checks, before anything is sent, that the execution can wait. @throws NodeOperationError when it cannot */
export function checkCanWait(context: IExecuteFunctions, { name }: Operation): void {
	const node = context.getNode();
	const owner = ownerOfNode(node);
	if (isAgentTool(node)) {
		throw owner.invalid(
			`'${name}' cannot be a tool that an AI agent calls`,
			'To have a person approve what an agent does, add this node as a human review between the agent and its tool. A tool itself has to answer at once.',
		);
	}
	if (isInEngine2(context)) {
		throw owner.invalid(
			`'${name}' does not work in n8n's Engine 2.0`,
			'Nothing was sent, because the execution could not wait for the answer. Run this workflow with the standard engine, in its settings.',
		);
	}
	const { length: count = 'an unknown number of' } = callerOf(context).items ?? {};
	if (isHumanReview(node) && count !== 1) {
		throw owner.invalid(
			`The AI agent has ${count} items, not one`,
			"Put the agent in a Loop Over Items node with a batch size of 1. Nobody was asked, because n8n would run an approved call once for each of the agent's items.",
		);
	}
	const { length } = context.getInputData();
	if (length > 1) {
		throw owner.invalid(
			`'${name}' takes one item, not ${length}`,
			"Nothing was sent, because an execution can wait for only one answer at a time. To ask one person after another, use a Loop Over Items node with a batch size of 1; to ask everybody at once, let that loop call a sub-workflow, without waiting for it. To ask once for all items, turn on 'Execute Once' in this node's settings.",
		);
	}
}

/**
 * Returns the output of a human review that does not ask because the agent has called its tool several
 * times at once; undefined if it may ask. To n8n, all those calls are one node: once the first one waits,
 * n8n takes the input of the others for decisions. So only the last one is asked.
 *
 * n8n passes `chatInput` to the agent as the reviewer's feedback on a call that did not run.
 */
export function refuseParallelCall(context: IExecuteFunctions): IDataObject | undefined {
	const node = context.getNode();
	if (!isHumanReview(node)) return undefined;
	const { $runIndex, $node } = dataProxyOf(context);
	// n8n lists all calls as runs before the first one starts.
	if ($runIndex >= $node[node.name]!.runIndex) return undefined;
	return {
		chatInput:
			'Nobody was asked and this call did not run, because the tool was called several times at once. Make one call at a time, and wait for its result before you make the next one.',
	};
}

/**
 * Adds `chatInput` to the output of a question that was not asked. To n8n, a review without `approved` is a
 * decline, and the agent gets `chatInput` as the reviewer's feedback.
 */
export function addFeedback(context: IExecuteFunctions, json: IDataObject): void {
	const { dryRun, skipped, explanation } = json;
	if (!isHumanReview(context.getNode()) || !(dryRun || skipped)) return;
	const why = dryRun ? 'this is a dry run' : String(explanation);
	json.chatInput = `Nobody was asked and this call did not run: ${why}. Do not make it again now.`;
}
