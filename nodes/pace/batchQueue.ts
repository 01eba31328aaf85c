import { sleep } from 'n8n-workflow';

/**
 * Collects questions for calls that answer many at once (group commit): one call is under way at a time,
 * and the next takes everything that waits by then.
 */
export class BatchQueue<Q, A> {
	private queue: Array<{
		question: Q;
		resolve: (answer: A) => void;
		reject: (error: unknown) => void;
	}> = [];
	private isNextWanted = false;
	/** The end of the latest call, under way or wanted. */
	private latest = Promise.resolve();

	/**
	 * @param call answers each question, in their order, or says what will; what it throws is the answer
	 * to all of them
	 */
	constructor(
		private readonly call: (questions: Q[]) => Promise<Array<A | Error | Promise<A | Error>>>,
	) {}

	/** Asks a question with a call that leaves at the end of the tick, or after the one under way. */
	async ask(question: Q): Promise<A> {
		const answer = this.add(question);
		void this.flush();
		return await answer;
	}

	/** Adds a question to the next call, which somebody else makes. */
	async add(question: Q): Promise<A> {
		return await new Promise((resolve, reject) => this.queue.push({ question, resolve, reject }));
	}

	/** Makes a call, now or after the one under way. Resolves when the calls for all that was asked before are over. */
	async flush(): Promise<void> {
		if (this.queue.length > 0 && !this.isNextWanted) {
			this.isNextWanted = true;
			this.latest = this.latest.then(async () => await this.makeCall());
		}
		await this.latest;
	}

	private async makeCall(): Promise<void> {
		await sleep(0); // those who are about to ask join this call
		this.isNextWanted = false;
		const asked = this.queue.splice(0);
		const answers = await this.call(asked.map(({ question }) => question)).catch((error: unknown) =>
			asked.map(() => error),
		);
		asked.forEach(async ({ resolve, reject }, index) => {
			const answer = (await answers[index]) as A | Error;
			if (answer instanceof Error) reject(answer);
			else resolve(answer);
		});
	}
}
