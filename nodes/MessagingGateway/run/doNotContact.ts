import { sleep, type IExecuteFunctions } from 'n8n-workflow';

import { quoteValue } from '../../text/quote';
import type { Pool } from './concurrency';
import { SubWorkflow, type SelectedWorkflow } from './subWorkflow';

/** How many items are read ahead for a call, per place, at most. */
const mostPerPlace = 20;

interface Question {
	to: string;
	resolve: (isAllowed: boolean) => void;
	reject: (error: unknown) => void;
}

/**
 * Asks a workflow which numbers may be contacted. It is called with one item per number, `{ to }` in
 * digits, and returns `{ to, allowed }` for each, in any order, where `allowed` is true or false. One
 * call runs at a time; the next takes everything that has queued up by then, each number once.
 */
export class DoNotContactList {
	private readonly workflow: SubWorkflow;
	private waiting: Question[] = [];
	private isCalling = false;

	/**
	 * @param places limits the requests under way
	 * @param ahead limits the items read ahead, and grows where calls leave places free
	 */
	constructor(
		context: Pick<IExecuteFunctions, 'executeWorkflow'>,
		selected: SelectedWorkflow,
		private readonly places: Pool,
		private readonly ahead: Pool,
		timeoutMs?: number,
	) {
		this.workflow = new SubWorkflow(context, selected, 'do-not-contact workflow', timeoutMs);
	}

	/**
	 * Whether a number may be contacted.
	 *
	 * @param to in digits
	 * @throws WorkflowError when the answer for any number in the same call is missing or unusable
	 */
	async allows(to: string): Promise<boolean> {
		const answer = new Promise<boolean>((resolve, reject) =>
			this.waiting.push({ to, resolve, reject }),
		);
		if (!this.isCalling) void this.callUntilEmpty();
		return await answer;
	}

	private async callUntilEmpty(): Promise<void> {
		this.isCalling = true;
		while (this.waiting.length > 0) {
			await sleep(0); // items that are being read right now join the call
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
