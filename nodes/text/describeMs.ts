/** A pause for a person, e.g. `5 minutes`. */
export function describeMs(ms: number): string {
	const minutes = Math.ceil(ms / 60_000);
	return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
