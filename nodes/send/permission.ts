import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import type { Abort } from '../pace/abort';
import { BatchQueue } from '../pace/batchQueue';
import { entryOf, groupBy } from '../text/collections';
import { personOf } from '../text/phoneNumber';
import { quoteValue } from '../text/quote';
import { notSent, notSentFor } from './explain';
import { notStarted, type Job, type Fate } from './job';
import { SubWorkflow, type WorkflowError } from './subWorkflow';

/** An answer is valid for so many ms, because a message may wait for minutes before it leaves. */
const answerValidMs = 30_000;

/** The permissions of a run's messages, by the do-not-contact workflows of their accounts. */
export class Permissions {
	/** The questions for each workflow, by its ID. */
	private readonly queues = new Map<string, BatchQueue<ContactQuestion, boolean>>();
	private readonly answeredAt = new WeakMap<Job, number>();
	/** A workflow gets this of each message besides its number. */
	private readonly origin: IDataObject;

	constructor(
		private readonly context: IExecuteFunctions,
		node: INode,
		private readonly abort: Abort,
	) {
		const { id, name } = context.getWorkflow();
		this.origin = { workflow: { id, name }, node: node.name, execution: context.getExecutionId() };
	}

	/**
	 * Returns what becomes of a message that may not leave; undefined if it may, by an answer that still
	 * counts.
	 *
	 * @throws NodeOperationError when the workflow does not answer
	 */
	async ask(job: Job): Promise<Fate | undefined> {
		const { permissionFrom: id = '', preview, request } = job;
		const answeredAt = this.answeredAt.get(job);
		const isAgain = answeredAt !== undefined;
		if (isAgain && performance.now() - answeredAt < answerValidMs) return undefined;
		const queue = entryOf(this.queues, id, () =>
			permissionQueue(new SubWorkflow(this.context, id, 'do-not-contact workflow')),
		);
		const { recipient = '', channel, segments } = request.message ?? {};
		const to = personOf(recipient);
		const how = { ...(preview && { dryRun: true }), ...(isAgain && { again: true }) };
		const question: ContactQuestion = { to, channel, segments, ...how, ...this.origin };
		const isAllowed = await Promise.race([queue.ask(question), this.abort.stopped]).catch(
			(error: WorkflowError) => {
				throw job.item.invalid(...notSent.notAllowedYet(error));
			},
		);
		if (this.abort.isStopped) return notStarted;
		this.answeredAt.set(job, performance.now());
		if (isAllowed) return undefined;
		const explanation = 'The do-not-contact workflow does not allow this message';
		return notSentFor(request, 'doNotContact', explanation);
	}
}

/** One message: its person's number, with + and country code, and what else the workflow may decide by. */
type ContactQuestion = IDataObject & { to: string };

/**
 * Returns a queue that asks a workflow which numbers may be contacted. The workflow is called with one
 * item per message, each to another number, and returns `{ to, allowed }` for each, in any order, where
 * `allowed` is true or false. If the answer for any of them is missing or unusable, all who ask get a
 * WorkflowError.
 */
export function permissionQueue(workflow: SubWorkflow): BatchQueue<ContactQuestion, boolean> {
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
		return questions.map(({ to }) => isAllowed(to, answers.get(to)));
	});
}

const permissionHint =
	"It has to return one item for each number, with 'to' unchanged and 'allowed' set to true or false.";
