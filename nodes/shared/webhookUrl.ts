/** Query parameter of a registered webhook URL that holds the trigger's secret. */
export const secretParameter = 'token';

const mask = '***';

/** A webhook URL as it may be shown: the trigger's secret, 64 hexadecimal digits, replaced. */
export function maskSecret(url: string): string {
	if (!URL.canParse(url)) return url;
	const masked = new URL(url);
	const values = masked.searchParams.getAll(secretParameter);
	if (!values.some((value) => /^[\da-f]{64}$/i.test(value))) return url;
	masked.searchParams.set(secretParameter, mask);
	return masked.href;
}

/** Whether a URL is one that `maskSecret` has changed, and so leads nowhere. */
export function isMasked(url: string): boolean {
	return URL.canParse(url) && new URL(url).searchParams.get(secretParameter) === mask;
}
