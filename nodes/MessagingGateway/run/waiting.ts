import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

import { isAgentTool } from '../item/humanReview';
import type { Operation } from '../operation';
import { keepQuestion, type AskedQuestion } from '../response/question';

/**
 * Looks whether the execution can wait at all, before anything is sent.
 *
 * @throws NodeOperationError when it cannot
 */
export function checkCanWait(context: IExecuteFunctions, { name }: Operation): void {
	const node = context.getNode();
	if (isAgentTool(node)) {
		throw new NodeOperationError(node, `'${name}' cannot be a tool that an AI agent calls`, {
			description:
				"An agent's tool has to answer at once. To have a person decide on what an agent does, add this node as a human review between the agent and its tool.",
		});
	}
	const items = context.getInputData();
	if (items.length > 1) {
		throw new NodeOperationError(node, `'${name}' takes one item, not ${items.length}`, {
			description:
				"Nothing was sent: an execution can wait for one answer at a time. To ask one person after the other, put the node into a Loop Over Items node with a batch size of 1. To ask all of them at once, let an Execute Sub-workflow node run a workflow with this node for each item, without waiting for its end. To ask once for all items, turn on 'Execute Once' in the settings of this node.",
		});
	}
}

/** Lets the execution wait for the answer to a question that was sent, or may have been. */
export async function waitForAnswer(
	context: IExecuteFunctions & EarlierContext,
	question: AskedQuestion,
): Promise<void> {
	keepQuestion(context.getContext('node'), question);
	context.setSignatureValidationRequired?.();
	await context.putExecutionToWait(new Date(question.until));
}

/** Of n8n before 2.14, which otherwise lets a forged link in; later ones never do. */
interface EarlierContext {
	setSignatureValidationRequired?(): void;
}
