import type { FastifyRequest } from 'fastify';
import type { Operation } from './document';
import { violation } from './errors';
import { withoutLargeAudio } from './records';
import type { RecordedRequest, ValidationDetail } from './types';
import type { Validate } from './validation';

/**
 * Parses a request and checks it against the document. The body is complete, where the record's may be
 * shortened; the refusals say why the request is refused, and the record may contain further violations.
 */
export function receive(
	request: FastifyRequest,
	operation: Operation | undefined,
	validate: Validate,
) {
	const body = parseBody(request);
	const refusals = operation ? check(request, operation, body, validate) : [NO_OPERATION];
	const violations =
		operation && carriesUnwelcomeToken(request, operation)
			? [...refusals, UNWELCOME_TOKEN]
			: refusals;
	const record: RecordedRequest = {
		operationId: operation?.id ?? null,
		method: request.method,
		path: request.url.split('?')[0] ?? '',
		query: request.query as Record<string, unknown>,
		headers: request.headers,
		body: withoutLargeAudio(body),
		at: request.receivedAt,
		answeredAt: null,
		valid: violations.length === 0,
		violations,
		status: null,
	};
	return { record, body, refusals };
}

function check(
	{ params: path, query, headers: header }: FastifyRequest,
	operation: Operation,
	body: unknown,
	validate: Validate,
): ValidationDetail[] {
	const hasBody = body !== undefined;
	const violations = validate(operation.id, { path, query, header, ...(hasBody && { body }) });
	const isJson = /^application\/json\b/i.test(header['content-type'] ?? '');
	return operation.body && hasBody && !isJson ? [...violations, NOT_JSON] : violations;
}

const NO_OPERATION = violation('not_found', 'no such operation', 'path');

const NOT_JSON = violation('content_type', 'must be application/json', 'header', 'content-type');

/** Only recorded: a service would hardly refuse a token that it does not use (§5.2). */
const UNWELCOME_TOKEN = violation(
	'unwelcome',
	'must not be sent to this operation',
	'header',
	'x-instance-token',
);

const carriesUnwelcomeToken = (request: FastifyRequest, operation: Operation) =>
	!operation.usesInstance &&
	Object.keys(request.headers).some((name) => name.startsWith('x-instance-token'));

/** Parsed JSON, text that is not JSON as it is, `undefined` without a body. */
function parseBody({ body, headers }: FastifyRequest): unknown {
	if (!Buffer.isBuffer(body)) {
		// Fastify does not read the body of a GET request.
		const hasBody = Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers;
		return hasBody ? '' : undefined;
	}
	if (body.length === 0) return undefined;
	const text = body.toString();
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}
