import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { quoteValue } from '../../text/quote';
import { AskedWorkflow, type ChosenWorkflow } from './askedWorkflow';
import type { Pool } from './concurrency';

/** Items that are read ahead for a call, per place: at most. */
const mostPerPlace = 20;

/** Somebody who waits to know whether a number may be written to. */
interface Asked {
	to: string;
	resolve: (isAllowed: boolean) => void;
	reject: (error: unknown) => void;
}

/**
 * Who must not be written to, which a workflow knows. It is called with an item per number, `{ to }` in
 * digits, and answers one for each, `{ to, allowed }`, in any order: `allowed` is true or false. One call
 * is under way at a time, and the next takes all that waits by then, each number once.
 */
export class Contacts {
	private readonly workflow: AskedWorkflow;
	private waiting: Asked[] = [];
	private isCalling = false;

	/**
	 * @param places those of requests under way
	 * @param ahead those of items read ahead, which are made more where that leaves places free
	 */
	constructor(
		context: Pick<IExecuteFunctions, 'executeWorkflow'>,
		chosen: ChosenWorkflow,
		private readonly places: Pool,
		private readonly ahead: Pool,
		timeoutMs?: number,
	) {
		this.workflow = new AskedWorkflow(context, chosen, 'do-not-contact workflow', timeoutMs);
	}

	/**
	 * Whether a number may be written to.
	 *
	 * @param to in digits
	 * @throws WorkflowError when that is not known, of this number or of another one in the same call
	 */
	async allow(to: string): Promise<boolean> {
		const answer = new Promise<boolean>((resolve, reject) =>
			this.waiting.push({ to, resolve, reject }),
		);
		if (!this.isCalling) void this.call();
		return await answer;
	}

	private async call(): Promise<void> {
		this.isCalling = true;
		while (this.waiting.length > 0) {
			await sleep(0); // those that are just being read come along
			const asked = this.waiting.splice(0);
			try {
				const answers = await this.answers([...new Set(asked.map(({ to }) => to))]);
				asked.forEach(({ to, resolve }) => resolve(answers.get(to)!));
			} catch (error) {
				asked.forEach(({ reject }) => reject(error));
			}
			if (this.places.queued === 0) {
				this.ahead.growTo(Math.min(2 * this.ahead.size, mostPerPlace * this.places.size));
			}
		}
		this.isCalling = false;
	}

	/** Nothing is taken for granted: an answer that lacks one number is none. */
	private async answers(numbers: string[]): Promise<Map<string, boolean>> {
		const outputs = await this.workflow.call(numbers.map((to) => ({ to })));
		const given = new Map<string, unknown[]>();
		for (const { to, allowed } of outputs) {
			given.set(String(to), [...(given.get(String(to)) ?? []), allowed]);
		}
		return new Map(numbers.map((to) => [to, this.readAnswer(to, given.get(to) ?? [])]));
	}

	private readAnswer(to: string, given: unknown[]): boolean {
		const [isAllowed, ...others] = new Set(given);
		if (given.length === 0) throw this.workflow.unusable(`it returned no answer for ${to}`, howTo);
		if (others.length > 0) {
			throw this.workflow.unusable(`it returned different answers for ${to}`, howTo);
		}
		if (typeof isAllowed !== 'boolean') {
			const shown = quoteValue(JSON.stringify(isAllowed) ?? 'nothing', String);
			throw this.workflow.unusable(`it returned ${shown} as 'allowed' for ${to}`, howTo);
		}
		return isAllowed;
	}
}

const howTo =
	"It has to return one item for each number, with 'to' unchanged and 'allowed' set to true or false.";
