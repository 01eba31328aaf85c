import { ticks } from './pacing/clock';

const hourMs = 60 * 60 * 1000;

/** What was reported of something that goes on: each kind once an hour. */
export class Reports {
	/** When, in ticks, by kind. */
	private readonly last = new Map<string, number>();

	isDue(kind: string): boolean {
		return ticks() - (this.last.get(kind) ?? -Infinity) >= hourMs;
	}

	note(kind: string): void {
		for (const each of [...this.last.keys()].filter((known) => this.isDue(known))) {
			this.last.delete(each);
		}
		this.last.set(kind, ticks());
	}
}
