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
		for (const known of this.last.keys()) if (this.isDue(known)) this.last.delete(known);
		this.last.set(kind, ticks());
	}
}
