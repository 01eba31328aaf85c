/** Query parameter of a registered webhook URL that holds the trigger's secret. */
export const secretParameter = 'token';

/** A webhook URL as it may be shown: the trigger's secret replaced. */
export function maskSecret(url: string): string {
	if (!URL.canParse(url)) return url;
	const masked = new URL(url);
	if (!masked.searchParams.has(secretParameter)) return url;
	masked.searchParams.set(secretParameter, '***');
	return masked.href;
}
