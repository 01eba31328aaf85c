import { setTimeout as sleep } from 'node:timers/promises';
import { fetchOnce } from '../host';

const pingInterval = 10; // ms

/** Polls n8n all the time, and records how long its answers take. */
export class Pings {
	private readonly answers: Array<{ from: number; to: number }> = [];

	private isOver = false;

	private readonly running: Promise<void>;

	constructor(url: string) {
		this.running = this.run(url);
	}

	async stop(): Promise<void> {
		this.isOver = true;
		await this.running;
	}

	/** The longest answer between two times, in ms. */
	longest(start: number, end: number): number {
		const then = this.answers.filter(({ from, to }) => to >= start && from <= end);
		return Math.max(...then.map(({ from, to }) => to - from));
	}

	private async run(url: string): Promise<void> {
		while (!this.isOver) {
			const from = Date.now();
			await (await fetchOnce(url)).text();
			this.answers.push({ from, to: Date.now() });
			await sleep(pingInterval);
		}
	}
}
