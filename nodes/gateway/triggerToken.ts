/** Query parameter by which triggers recognize the webhook URLs they have registered. */
export const tokenParameter = 'mgt';

/**
 * Its value: `v1.p.<secret>`, for a test `v1.t<until>.<secret>`; with `s` instead of `p` and `t` if it
 * shares deliveries. `.<sealed>` may follow.
 */
export interface Token {
	/** End of the test that the URL was registered for, in ms since 1970; none in production. */
	until?: number;
	/** Whether deliveries are also forwarded to the displaced webhook. */
	shares?: boolean;
	/** 32 bytes as base64url. */
	secret: string;
	/** The displaced webhook, encrypted. */
	sealed?: string;
}

/** Kind and `until`, secret, `sealed`. */
const shape = /v1\.(p|s|[st][1-9a-z][\da-z]{0,9})\.([\w-]{43})(?:\.([\w-]+))?/;
const wholeShape = new RegExp(`^${shape.source}$`);

/** Every token in a text. */
export const anyToken = new RegExp(shape, 'g');

export function formatToken({ until, shares, secret, sealed }: Token): string {
	const kind = shares ? 's' : until === undefined ? 'p' : 't';
	const end = until?.toString(36) ?? '';
	return ['v1', kind + end, secret, ...(sealed ? [sealed] : [])].join('.');
}

export function parseToken(value: unknown): Token | undefined {
	const [, kind = '', secret, sealed] = (typeof value === 'string' && wholeShape.exec(value)) || [];
	if (!secret) return undefined;
	const end = kind.slice(1);
	const until = end === '' ? undefined : parseInt(end, 36);
	return { until, shares: kind.startsWith('s'), secret, sealed };
}

/** The token in a URL that a trigger has registered. */
export function tokenOf(url: string): Token | undefined {
	const values = valuesIn(url);
	return values.length === 1 ? parseToken(values[0]) : undefined;
}

/** Whether a trigger of a newer version of this package has registered it, which only that can read. */
export const isOfNewerVersion = (url: string): boolean =>
	valuesIn(url).some((value) => /^v(?!1\.)\d+\./.test(value));

const valuesIn = (url: string): string[] =>
	URL.canParse(url) ? new URL(url).searchParams.getAll(tokenParameter) : [];
