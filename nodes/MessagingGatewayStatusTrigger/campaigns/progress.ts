/**
 * Where a message stands on its way, as far as the interface shows statuses (§3): waiting, on its
 * way, at an end. The set of statuses is open, so any other name has no place.
 */
const places = new Map([
	...['queued', 'pending'].map((status) => [status, 0] as const),
	...['send', 'sent'].map((status) => [status, 1] as const),
	...['delivered', 'error', 'errors'].map((status) => [status, 2] as const),
]);

const placeOf = (status: string): number | undefined => places.get(status.toLowerCase());

/** Whether a status says that a message waits or is on its way. */
export const isUnderWay = (status: string): boolean => (placeOf(status) ?? 2) < 2;

/** Statuses that a message has had, oldest first, each on a line: no status has a line break. */
export type History = string;

/** More are not remembered: a service that counts up in its statuses must not fill n8n's database. */
const longestHistory = 10;
const longestStatus = 100;

/** A status as it is remembered: in one line, cut short; empty where there is none. */
export function asStatus(value: unknown): string {
	const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
	return text.replace(/\s+/g, ' ').trim().slice(0, longestStatus);
}

export const latestOf = (history: History): string => history.slice(history.lastIndexOf('\n') + 1);

/**
 * Takes a status into a history. Statuses only move forward: one that the message has had before, or
 * whose place lies before one that it has had, is no news.
 *
 * @returns undefined where it is no news
 */
export function advance(history: History | undefined, status: string): History | undefined {
	if (status === '') return undefined;
	if (history === undefined) return status;
	if (history === status) return undefined;
	const had = history.split('\n');
	const isBack = had.some((each) => (placeOf(each) ?? 0) > (placeOf(status) ?? 2));
	if (isBack || had.includes(status)) return undefined;
	return [...had, status].slice(-longestHistory).join('\n');
}
