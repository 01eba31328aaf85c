import { inProcess } from '../gateway/inProcess';
import { ticks } from '../gateway/pacing/clock';
import { staticData, type StoringContext } from './staticData';
import { identityOf, isSame } from './token';

/** In ms: how long a replaced secret stays valid, for deliveries under way. */
const replacedCountsFor = 60_000;

/** `at`: in ticks. */
type Valid = { digest?: string; replaced?: { digest?: string; at: number } };

/** Digests of secrets that this process has found right, by node: newer than what n8n has stored. */
const found = inProcess.map<Valid>(1_000);

const of = (context: StoringContext): Valid =>
	found.get(identityOf(context)) ?? { digest: staticData.read(context).digest };

export const validDigests = {
	add(context: StoringContext, digest: string): void {
		const last = of(context);
		const isNews = last.digest !== digest;
		const replaced = { digest: last.digest, at: ticks() };
		found.set(identityOf(context), isNews ? { digest, replaced } : last);
	},

	/** Whether it is the newest one known here, or was a moment ago. */
	has(context: StoringContext, digest: string): boolean {
		const { digest: newest, replaced } = of(context);
		if (isSame(digest, newest)) return true;
		const stillCounts = replaced !== undefined && ticks() - replaced.at < replacedCountsFor;
		return stillCounts && isSame(digest, replaced.digest);
	},
};
