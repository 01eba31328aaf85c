import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { SelectedWorkflow } from '../../form/fields/workflow';
import type { Abort } from '../../gateway/pacing/abort';
import { Calls } from '../../gateway/pacing/calls';
import { ticks } from '../../gateway/pacing/clock';
import { quoteValue } from '../../text/quote';
import { notSent, skipped } from './explain';
import type { Flow } from './flow';
import type { Fate, Job } from './job';
import { answersBy, SubWorkflow, type CallContext, type WorkflowError } from './subWorkflow';

/** For how long an answer holds, in ms: a message may wait for minutes before it leaves. */
const answerHoldsMs = 30_000;

/** The lists that a run asks: the node's own for all items, or else that of each item's account. */
export class DoNotContactLists {
	private readonly byWorkflow = new Map<string, DoNotContactList>();
	private readonly answeredAt = new WeakMap<Job, number>();
	/** What a list is told of the message besides its number. */
	private readonly origin: IDataObject;

	/** @param chosen in the node */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly chosen: SelectedWorkflow | undefined,
		private readonly flow: Pick<Flow, 'ask'>,
		private readonly abort: Abort,
	) {
		const { id, name } = context.getWorkflow();
		const execution = context.getExecutionId();
		this.origin = { workflow: { id, name }, node: context.getNode().name, execution };
	}

	/** The list that has to allow a message. What reaches nobody needs no permission. */
	listFor({ account, request }: Job): DoNotContactList | undefined {
		const selected = this.chosen ?? this.ofAccount(account.doNotContact);
		if (!selected || request.recipient === undefined) return undefined;
		const list =
			this.byWorkflow.get(selected.id) ??
			doNotContactList(this.context, selected, this.chosen ? '' : "credential's ");
		this.byWorkflow.set(selected.id, list);
		return list;
	}

	/** The list's own workflow would call itself without end. It knows whom it writes to. */
	private ofAccount(selected: SelectedWorkflow | undefined): SelectedWorkflow | undefined {
		return selected?.id === this.context.getWorkflow().id ? undefined : selected;
	}

	/**
	 * What becomes of a message that may not leave, with the next batch of questions.
	 *
	 * @throws NodeOperationError when the list does not answer
	 */
	async ask(job: Job): Promise<Fate | undefined> {
		const list = this.listFor(job);
		return list && (await this.refusal(job, this.flow.ask(list, this.questionOf(job))));
	}

	/**
	 * The same for one that is about to leave, if its answer is old by now. Asked once: however long
	 * the list takes, its answer is new. And at once: those who wait for it may have all the places.
	 */
	async askAgain(job: Job): Promise<Fate | undefined> {
		const list = this.listFor(job);
		if (!list || ticks() - (this.answeredAt.get(job) ?? -Infinity) < answerHoldsMs)
			return undefined;
		const asked = list.ask(this.questionOf(job));
		void list.flush();
		return await this.refusal(job, asked);
	}

	private questionOf({ request: { recipient = '', channel } }: Job): Question {
		return { to: recipient, channel, ...this.origin };
	}

	private async refusal(job: Job, asked: Promise<boolean>): Promise<Fate | undefined> {
		const isAllowed = await Promise.race([asked, this.abort.stopped]).catch(
			(error: WorkflowError) => {
				throw job.item.invalid(...notSent.notAllowedYet(error));
			},
		);
		if (this.abort.isStopped) return 'notStarted';
		this.answeredAt.set(job, ticks());
		return isAllowed ? undefined : skipped.doNotContact();
	}
}

interface Question extends IDataObject {
	/** In digits. */
	to: string;
}

/** Whether each number may be contacted. */
type DoNotContactList = Calls<Question, boolean>;

/**
 * Asks a workflow which numbers may be contacted. It is called with one item per number, each number
 * once, and returns `{ to, allowed }` for each, in any order, where `allowed` is true or false. A
 * WorkflowError when the answer for any of them is missing or unusable.
 *
 * @param whose it is, for its errors
 */
export function doNotContactList(
	context: CallContext,
	selected: SelectedWorkflow,
	whose = '',
	timeoutMs?: number,
): DoNotContactList {
	const kind = `${whose}do-not-contact workflow`;
	const workflow = new SubWorkflow(context, selected, kind, timeoutMs);
	const isAllowed = (to: string, answers: IDataObject[] = []): boolean => {
		const [allowed, ...others] = new Set(answers.map((answer) => answer.allowed));
		if (typeof allowed === 'boolean' && others.length === 0) return allowed;
		const shown = quoteValue(JSON.stringify(allowed) ?? 'nothing', String);
		const what =
			answers.length === 0
				? 'no answer'
				: others.length > 0
					? 'different answers'
					: `${shown} as 'allowed'`;
		throw workflow.unusable(`it returned ${what} for ${to}`, howTo);
	};
	return new Calls(async (questions) => {
		const byNumber = new Map(questions.map((question) => [question.to, question]));
		const answers = answersBy('to', await workflow.call([...byNumber.values()]));
		return questions.map(({ to }) => isAllowed(to, answers.get(to)));
	});
}

const howTo =
	"It has to return one item for each number, with 'to' unchanged and 'allowed' set to true or false.";
