import { sleep } from 'n8n-workflow';

/**
 * Group commit: one call is under way at a time, and the next takes everything that waits by then.
 * Whoever asks decides when a call is worth making.
 */
export class Calls<Q, A> {
	private asked: Array<{
		question: Q;
		resolve: (answer: A) => void;
		reject: (error: unknown) => void;
	}> = [];
	private isWanted = false;
	private underWay: Promise<void> | undefined;

	/**
	 * @param call answers each question, in their order, or says what will; what it throws is the answer
	 * to all of them
	 */
	constructor(
		private readonly call: (questions: Q[]) => Promise<Array<A | Error | Promise<A | Error>>>,
	) {}

	/** How many questions the next call takes. */
	get waiting(): number {
		return this.asked.length;
	}

	/** The answer of the next call. */
	async ask(question: Q): Promise<A> {
		return await new Promise((resolve, reject) => this.asked.push({ question, resolve, reject }));
	}

	/** Makes a call, now or after the one under way. Resolves when no call is under way any more. */
	async flush(): Promise<void> {
		if (this.asked.length > 0) {
			this.isWanted = true;
			this.underWay ??= this.callWhileWanted();
		}
		await this.underWay;
	}

	private async callWhileWanted(): Promise<void> {
		while (this.isWanted) {
			await sleep(0); // those who are about to ask join this call
			this.isWanted = false;
			const asked = this.asked.splice(0);
			const answers = await this.call(asked.map(({ question }) => question)).catch(
				(error: unknown) => asked.map(() => error),
			);
			asked.forEach(async ({ resolve, reject }, index) => {
				const answer = (await answers[index]) as A | Error;
				if (answer instanceof Error) reject(answer);
				else resolve(answer);
			});
		}
		this.underWay = undefined;
	}
}
