import type { IDataObject } from 'n8n-workflow';

import { BatchQueue } from '../pace/batchQueue';
import { entryOf, groupBy } from '../text/collections';
import { personOf } from '../text/phoneNumber';
import { quoteValue } from '../text/quote';
import { notSent, notSentFor } from './explain';
import { notStarted, type Job, type Fate } from './job';
import type { Run } from './run';
import { SubWorkflow, type WorkflowError } from './subWorkflow';

/** An answer is valid for so many ms, because a message may wait for minutes before it leaves. */
const answerValidMs = 30_000;

/**
 * Asks the do-not-contact workflow of a message's account, unless its last answer still counts. Returns what
 * becomes of a message that may not leave; undefined if it may.
 *
 * @throws NodeOperationError when the workflow does not answer
 */
export async function askPermission(job: Job, run: Run): Promise<Fate | undefined> {
	const { allowedAt, item, permissionFrom: id = '', preview, request } = job;
	const { abort, context, node, permissionQueues } = run;
	const isAgain = allowedAt !== undefined;
	if (isAgain && performance.now() - allowedAt < answerValidMs) return undefined;
	const queue = entryOf(permissionQueues, id, () =>
		permissionQueue(new SubWorkflow(context, id, 'do-not-contact workflow')),
	);
	const { recipient = '', channel, segments } = request.message ?? {};
	const { id: workflowId, name } = context.getWorkflow();
	const question = {
		...{ to: personOf(recipient), channel, segments },
		...(preview && { dryRun: true }),
		...(isAgain && { again: true }),
		...{ workflow: { id: workflowId, name }, node: node.name, execution: context.getExecutionId() },
	};
	const isAllowed = await Promise.race([queue.ask(question), abort.stopped]).catch(
		(error: WorkflowError) => {
			throw item.invalid(...notSent.notAllowedYet(error));
		},
	);
	if (abort.isStopped) return notStarted;
	job.allowedAt = performance.now();
	if (isAllowed) return undefined;
	const explanation = 'The do-not-contact workflow does not allow this message';
	return notSentFor(request, 'doNotContact', explanation);
}

/**
 * Returns a queue that asks a workflow which numbers may be contacted. The workflow is called with one
 * item per message, each to another number, and returns `{ to, allowed }` for each, in any order, where
 * `allowed` is true or false. If the answer for any of them is missing or unusable, all who ask get a
 * WorkflowError.
 */
export function permissionQueue(workflow: SubWorkflow): BatchQueue<IDataObject, boolean> {
	const isAllowed = (to: string, answers: IDataObject[] = []): boolean => {
		const [allowed, ...others] = new Set(answers.map((answer) => answer.allowed));
		const wrong = (what: string) =>
			workflow.toError(`it returned ${what} for ${to}`, permissionHint);
		if (answers.length === 0) throw wrong('no answer');
		if (others.length > 0) throw wrong('different answers');
		if (typeof allowed === 'boolean') return allowed;
		throw wrong(`${quoteValue(JSON.stringify(allowed) ?? 'nothing', String)} as 'allowed'`);
	};
	return new BatchQueue(async (questions) => {
		const answers = groupBy(await workflow.call(questions), ({ to }) => String(to));
		return questions.map(({ to }) => isAllowed(String(to), answers.get(String(to))));
	});
}

const permissionHint =
	"It has to return one item for each number, with 'to' unchanged and 'allowed' set to true or false.";
