/** Query parameter of a registered webhook URL, by which triggers know their own. */
export const tokenParameter = 'mgt';

/**
 * What stands in that parameter: `v1.p.<secret>`, of a test `v1.t<its end>.<secret>`; with `s` in the
 * place of `p` and `t` where deliveries are passed on to what was displaced. Then `.<sealed>`.
 */
export interface Token {
	/** When the test is over that the URL was registered for, in ms since 1970; undefined for no test. */
	until?: number;
	/** Whether each delivery also reaches what the registration has displaced. */
	shares?: boolean;
	/** 32 bytes as base64url. */
	secret: string;
	/** What the registration has displaced, encrypted. */
	sealed?: string;
}

/** Kind and end, secret, seal. */
const shape = /v1\.(p|s|[st][1-9a-z][\da-z]{0,9})\.([\w-]{43})(?:\.([\w-]+))?/;
const wholeShape = new RegExp(`^${shape.source}$`);

/** Each token in a text. */
export const anyToken = new RegExp(shape, 'g');

export function formatToken({ until, shares, secret, sealed }: Token): string {
	const kind = shares ? 's' : until === undefined ? 'p' : 't';
	const end = until?.toString(36) ?? '';
	return ['v1', kind + end, secret, ...(sealed ? [sealed] : [])].join('.');
}

/** Undefined for anything that no trigger has registered. */
export function parseToken(value: unknown): Token | undefined {
	const [, kind = '', secret, sealed] = (typeof value === 'string' && wholeShape.exec(value)) || [];
	if (!secret) return undefined;
	const end = kind.slice(1);
	const until = end === '' ? undefined : parseInt(end, 36);
	return { until, shares: kind.startsWith('s'), secret, sealed };
}

/** The token in a URL that a trigger has registered; undefined in any other. */
export function tokenOf(url: string): Token | undefined {
	const values = URL.canParse(url) ? new URL(url).searchParams.getAll(tokenParameter) : [];
	return values.length === 1 ? parseToken(values[0]) : undefined;
}
