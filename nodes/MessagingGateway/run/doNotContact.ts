import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ticks, type Abort } from '../../gateway/pacing/time';
import { Calls } from '../../gateway/pacing/queues';
import { quoteValue } from '../../text/text';
import { notSent, notSentFor } from './explain';
import type { Flow } from './flow';
import { notStarted, type Fate, type Job } from './job';
import { entryOf, groupBy } from '../../gateway/maps';
import { SubWorkflow, type WorkflowError } from './subWorkflow';

/** For how long an answer counts, in ms: a message may wait for minutes before it leaves. */
const answerCountsMs = 30_000;

/** The lists of the accounts of a run. */
export class DoNotContactLists {
	/** By the workflow's ID. */
	private readonly lists = new Map<string, Calls<Question, boolean>>();
	private readonly answeredAt = new WeakMap<Job, number>();
	/** What a list is told of the message besides its number. */
	private readonly origin: IDataObject;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly flow: Pick<Flow, 'ask'>,
		private readonly abort: Abort,
	) {
		const { id, name } = context.getWorkflow();
		const execution = context.getExecutionId();
		this.origin = { workflow: { id, name }, node: context.getNode().name, execution };
	}

	/**
	 * Returns what becomes of a message that may not leave; undefined if it may, by an answer that still
	 * counts. Asks with the next batch; again at once, as those who wait for it may have all the places.
	 *
	 * @throws NodeOperationError when the list does not answer
	 */
	async ask(job: Job): Promise<Fate | undefined> {
		const { list: id = '', preview, request } = job;
		const answeredAt = this.answeredAt.get(job);
		const isAgain = answeredAt !== undefined;
		if (isAgain && ticks() - answeredAt < answerCountsMs) return undefined;
		const list = entryOf(this.lists, id, () =>
			doNotContactList(new SubWorkflow(this.context, id, 'do-not-contact workflow')),
		);
		const { recipient: to = '', channel, segments } = request.message ?? {};
		const how = { ...(preview && { dryRun: true }), ...(isAgain && { again: true }) };
		const question: Question = { to, channel, segments, ...how, ...this.origin };
		const asked = isAgain ? list.ask(question) : this.flow.ask(list, question);
		if (isAgain) void list.flush();
		const isAllowed = await Promise.race([asked, this.abort.stopped]).catch(
			(error: WorkflowError) => {
				throw job.item.invalid(...notSent.notAllowedYet(error));
			},
		);
		if (this.abort.isStopped) return notStarted;
		this.answeredAt.set(job, ticks());
		if (isAllowed) return undefined;
		const explanation = 'The do-not-contact workflow does not allow this message';
		return notSentFor(request, 'doNotContact', explanation);
	}
}

/** Of one message: its number, with + and country code, and what else the workflow may decide by. */
type Question = IDataObject & { to: string };

/**
 * Asks a workflow which numbers may be contacted. It is called with one item per message, each to
 * another number, and returns `{ to, allowed }` for each, in any order, where `allowed` is true or false. A
 * WorkflowError when the answer for any of them is missing or unusable.
 */
export function doNotContactList(workflow: SubWorkflow): Calls<Question, boolean> {
	const isAllowed = (to: string, answers: IDataObject[] = []): boolean => {
		const [allowed, ...others] = new Set(answers.map((answer) => answer.allowed));
		const wrong = (what: string) => workflow.unusable(`it returned ${what} for ${to}`, howTo);
		if (answers.length === 0) throw wrong('no answer');
		if (others.length > 0) throw wrong('different answers');
		if (typeof allowed === 'boolean') return allowed;
		throw wrong(`${quoteValue(JSON.stringify(allowed) ?? 'nothing', String)} as 'allowed'`);
	};
	return new Calls(async (questions) => {
		const answers = groupBy(await workflow.call(questions), ({ to }) => String(to));
		return questions.map(({ to }) => isAllowed(to, answers.get(to)));
	});
}

const howTo =
	"It has to return one item for each number, with 'to' unchanged and 'allowed' set to true or false.";
