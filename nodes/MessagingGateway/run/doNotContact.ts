import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ticks, type Abort } from '../../gateway/pacing/time';
import { Calls } from '../../gateway/pacing/queues';
import { quoteValue } from '../../text/text';
import { notSent, skipped } from './explain';
import type { Flow } from './flow';
import { notStarted, type Fate, type Job } from './job';
import { entryOf, groupBy } from '../../gateway/maps';
import { SubWorkflow, type WorkflowError } from './subWorkflow';

/** For how long an answer holds, in ms: a message may wait for minutes before it leaves. */
const answerHoldsMs = 30_000;

/** Why a list is asked. Only a message that is about to be sent for the first time counts for a limit. */
type Purpose = 'send' | 'recheck' | 'dryRun';

/** The lists of the accounts of a run. */
export class DoNotContactLists {
	private readonly workflows = new Map<string, SubWorkflow>();
	/** By purpose and workflow: messages with different purposes go to it in calls of their own. */
	private readonly lists = new Map<string, DoNotContactList>();
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
	 * What becomes of a message that may not leave, with the next batch of questions.
	 *
	 * @throws NodeOperationError when the list does not answer
	 */
	async ask(job: Job): Promise<Fate | undefined> {
		const purpose = job.preview ? 'dryRun' : 'send';
		const { list, question } = this.questionOf(job, purpose);
		return await this.refusal(job, this.flow.ask(list, question));
	}

	/**
	 * The same for one that is about to leave, if its answer is old by now. Asked once: however long
	 * the list takes, its answer is new. And at once: those who wait for it may have all the places.
	 */
	async askAgain(job: Job): Promise<Fate | undefined> {
		if (ticks() - (this.answeredAt.get(job) ?? -Infinity) < answerHoldsMs) return undefined;
		const { list, question } = this.questionOf(job, 'recheck');
		const asked = list.ask(question);
		void list.flush();
		return await this.refusal(job, asked);
	}

	private questionOf({ list: id = '', request }: Job, purpose: Purpose) {
		const workflow = entryOf(this.workflows, id, () => new SubWorkflow(this.context, id, kind));
		const list = entryOf(this.lists, `${purpose} ${id}`, () => doNotContactList(workflow));
		const { recipient: to = '', channel, segments } = request;
		return { list, question: { to, channel, segments, purpose, ...this.origin } };
	}

	private async refusal(job: Job, asked: Promise<boolean>): Promise<Fate | undefined> {
		const isAllowed = await Promise.race([asked, this.abort.stopped]).catch(
			(error: WorkflowError) => {
				throw job.item.invalid(...notSent.notAllowedYet(error));
			},
		);
		if (this.abort.isStopped) return notStarted;
		this.answeredAt.set(job, ticks());
		return isAllowed ? undefined : skipped.doNotContact();
	}
}

interface Question extends IDataObject {
	/** With + and country code. */
	to: string;
	/** Undefined: not an SMS. */
	segments: number | undefined;
	purpose: Purpose;
}

/** Whether each number may be contacted. */
type DoNotContactList = Calls<Question, boolean>;

const kind = 'do-not-contact workflow';

/**
 * Asks a workflow which numbers may be contacted. It is called with one item per message, each to
 * another number, and returns `{ to, allowed }` for each, in any order, where `allowed` is true or false. A
 * WorkflowError when the answer for any of them is missing or unusable.
 */
export function doNotContactList(workflow: SubWorkflow): DoNotContactList {
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
