import type { SelectedWorkflow } from '../../form/fields/workflow';
import { Calls } from '../../gateway/pacing/calls';
import { quoteValue } from '../../text/quote';
import { SubWorkflow, type CallContext, type WorkflowError } from './subWorkflow';

/**
 * Asks a workflow which numbers may be contacted. It is called with one item per number, `{ to }` in
 * digits, and returns `{ to, allowed }` for each, in any order, where `allowed` is true or false.
 */
export class DoNotContactList {
	private readonly workflow: SubWorkflow;

	/**
	 * Whether each number, in digits, may be contacted. Asks for each number once. Throws a
	 * WorkflowError when the answer for any of them is missing or unusable.
	 */
	readonly calls = new Calls<string, boolean>(async (numbers) => {
		if (this.timeout) throw this.timeout;
		const answers = await this.answers([...new Set(numbers)]).catch((error: WorkflowError) => {
			if (error.isTimeout) this.timeout = error;
			throw error;
		});
		return numbers.map((to) => answers.get(to)!);
	});

	/** Set once the workflow has timed out: it would only time out again. */
	private timeout: WorkflowError | undefined;

	constructor(context: CallContext, selected: SelectedWorkflow, timeoutMs?: number) {
		this.workflow = new SubWorkflow(context, selected, 'do-not-contact workflow', timeoutMs);
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
