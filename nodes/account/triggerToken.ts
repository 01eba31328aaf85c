/** The query parameter by which triggers recognize the webhook URLs they have registered. */
export const tokenParameter = 'mgt';

/** The parameter's value: `v1.p.<workflow>.<secret>`, for a test `v1.t<until>.<workflow>.<secret>`. */
export interface Token {
	/** The end of the test that the URL was registered for, in ms since 1970; none in production. */
	until?: number;
	workflowId: string;
	/** 32 bytes as base64url. */
	secret: string;
}

/** Matches kind and `until`, the workflow as base64url, secret. */
const tokenShape = /v1\.(p|t[1-9a-z][\da-z]{0,9})\.([\w-]{1,200})\.([\w-]{43})/;
const wholeTokenShape = new RegExp(`^${tokenShape.source}$`);

export const anyToken = new RegExp(tokenShape, 'g');

export function formatToken({ until, workflowId, secret }: Token): string {
	const kind = until === undefined ? 'p' : `t${until.toString(36)}`;
	return ['v1', kind, Buffer.from(workflowId).toString('base64url'), secret].join('.');
}

export function parseToken(value: unknown): Token | undefined {
	const [, kind = '', workflow = '', secret] =
		(typeof value === 'string' && wholeTokenShape.exec(value)) || [];
	if (!secret) return undefined;
	const until = kind === 'p' ? undefined : parseInt(kind.slice(1), 36);
	return { until, workflowId: Buffer.from(workflow, 'base64url').toString(), secret };
}

export function tokenOf(url: string): Token | undefined {
	const values = URL.canParse(url) ? new URL(url).searchParams.getAll(tokenParameter) : [];
	return values.length === 1 ? parseToken(values[0]) : undefined;
}
