/** Query parameter of a registered webhook URL, by which triggers know their own. */
export const tokenParameter = 'mgt';

/** What stands in that parameter: `v1.p.<secret>`, of a test `v1.t<its end>.<secret>`; and `.<sealed>`. */
export interface Token {
	/** When the test is over that the URL was registered for, in ms since 1970; undefined for no test. */
	until?: number;
	/** 32 bytes as base64url. */
	secret: string;
	/** What the registration has displaced, encrypted. */
	sealed?: string;
}

const shape = /^v1\.(?:p|t([1-9a-z][\da-z]{0,9}))\.([\w-]{43})(?:\.([\w-]+))?$/;

export function formatToken({ until, secret, sealed }: Token): string {
	const kind = until === undefined ? 'p' : `t${until.toString(36)}`;
	return ['v1', kind, secret, ...(sealed ? [sealed] : [])].join('.');
}

/** Undefined for anything that no trigger has registered. */
export function parseToken(value: unknown): Token | undefined {
	const [, until, secret, sealed] = (typeof value === 'string' && shape.exec(value)) || [];
	if (!secret) return undefined;
	return { until: until === undefined ? undefined : parseInt(until, 36), secret, sealed };
}

/** The token in a URL that a trigger has registered; undefined in any other. */
export function tokenOf(url: string): Token | undefined {
	const values = URL.canParse(url) ? new URL(url).searchParams.getAll(tokenParameter) : [];
	return values.length === 1 ? parseToken(values[0]) : undefined;
}
