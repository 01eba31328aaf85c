import { hintsFor } from '../../../nodes/send/operation';
import fc from 'fast-check';
import { NodeApiError, UserError } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { buildProperties } from '../../../nodes/MessagingGateway/form';
import { findOperation, resources } from '../../../nodes/MessagingGateway/operations';
import { explanations } from '../../../nodes/service/explanations';
import { Run } from '../../../nodes/send/run';
import { toNodeApiError } from '../../../nodes/service/requestError';
import * as judging from '../../../nodes/service/judge/answer';
import * as failing from '../../../nodes/service/judge/failure';
import {
	refused,
	refusedForNow,
	serviceTexts,
	type Outcome,
	type Reason,
} from '../../../nodes/service/outcome';
import { runs } from '../support/runs';
import { uncertainty } from '../support/uncertainty';
import { makeContext, node } from '../../../tools/shared/context';
import {
	expectThreeSentences,
	flatten,
	namesInQuotes,
	nodeLabels,
	withoutQuotations,
} from '../support/wording';

const credentialLabels = new MessagingGatewayApi().properties.map(({ displayName }) => displayName);

const request = { path: '/v2/chatapp/message/sendMedia' };

type Options = Parameters<typeof toNodeApiError>[3];

const send = hintsFor(findOperation('message', 'sendMedia')!);
/** Only operations with campaigns have this hint. */
const { campaignNotFound } = hintsFor(findOperation('campaign', 'get')!);
const hints = { ...send, campaignNotFound };

/** The error that the action node makes of an outcome. */
function explain(
	outcome: Outcome,
	options: Options = {},
	origin = 'https://gateway.example',
	type = node.type,
) {
	if (outcome.kind === 'accepted') throw new Error('Nothing to explain');
	return toNodeApiError({ ...node, type }, { origin }, outcome, { hints, request, ...options });
}

/** The same for an AI agent. */
const explainToAgent = (outcome: Outcome, options: Options) =>
	explain(outcome, options, undefined, 'messagingGatewayTool');

const judgeFailure = (error: unknown) => failing.judgeFailure(error, String);
const judgeUnreadable = (error: unknown) => failing.judgeUnreadable(error, String);

const answered = (statusCode: number, said: unknown = '', headers = {}) => {
	const body = typeof said === 'string' ? said : JSON.stringify(said);
	return judging.judgeAnswer({ statusCode, headers, body }, 'object', String);
};
const failed = (code: string) => judgeFailure(Object.assign(new Error(code), { code }));
const sent = { success: true, message: 'ok', messageId: 'm-1', status: 'send' };
const judgeSend = (said: object) =>
	judging.judgeAnswer({ statusCode: 200, headers: {}, body: JSON.stringify(said) }, 'sent', String);
const no = (message: string) => answered(200, { success: false, message });

const large = { statusCode: 200, headers: {}, body: '', unread: { kind: 'tooLarge', status: 200 } };
const invalid = { detail: [{ loc: ['body', 'to'], msg: 'too short' }] };

const table: Array<[string, Outcome]> = [
	['a rejected key', no(serviceTexts.invalidToken)],
	['no campaign', no(serviceTexts.campaignNotFound)],
	['no deletion', no(serviceTexts.deletionNotPermitted)],
	['no instance', no(serviceTexts.instanceDisconnected)],
	['their fault', no(serviceTexts.internalError)],
	['an unknown text', no('Sem saldo.')],
	['a text with 401', answered(401, 'Who?')],
	['no text with 403', answered(403)],
	['a page with 403', answered(403, '<h1>Blocked</h1>')],
	['a long page', answered(403, `<p>Blocked</p>${'x'.repeat(5_000)}`)],
	['a text of a proxy with 403', answered(403, 'RBAC: access denied')],
	['a text with 403', answered(403, { detail: 'Forbidden' })],
	['a page with 401', answered(401, '<h1>Unauthorized</h1>')],
	['a proxy that wants a password', answered(407, '<h1>Squid</h1>')],
	['nothing new', answered(304)],
	['too much', judging.judgeAnswer(large as judging.HttpAnswer, 'object', String)],
	['no such address', answered(404)],
	['a validation body', answered(422, invalid)],
	['a redirect', answered(301, '', { location: 'https://new.example/v1' })],
	['a redirect nowhere', answered(302)],
	['429', answered(429)],
	['503', answered(503, '', { 'retry-after': '1' })],
	['a proxy', answered(503)],
	['yes and no', answered(400, { success: true })],
	['a status that says no', judgeSend({ ...sent, status: 'REJECTED_NO_CREDIT' })],
	['an error beside an ID', judgeSend({ messageId: 'm-1', error: 'Sem saldo.' })],
	['500', answered(500)],
	['a page', answered(200, '<h1>Login</h1>')],
	['nothing', answered(200)],
	['other JSON', answered(200, '7')],
	['an answer that says nothing', judgeSend({ success: null, status: 'pending' })],
	['no connection', failed('ECONNREFUSED')],
	['no such host', failed('ENOTFOUND')],
	['a certificate', failed('CERT_HAS_EXPIRED')],
	['a certificate of its own', failed('DEPTH_ZERO_SELF_SIGNED_CERT')],
	['a certificate of nobody known', failed('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
	['no answer', failed('ECONNRESET')],
	['a request that may not leave', judgeFailure(new UserError('not sent to https://evil.example'))],
	['a file that is gone', judgeUnreadable(new Error('no such file'))],
];

const expectOnly = (names: string[], allowed: string[]) =>
	names.forEach((name) =>
		expect(allowed).toContainEqual(
			expect.stringMatching(new RegExp(`^${name.replace(/[()]/g, '\\$&')}( \\(|$)`)),
		),
	);

/** Variants that differ from the first one. */
test('every text, from the first to the last word', () => {
	const ofSms = { request: { path: '/v1/sms/enviar' } };
	const variants: Array<[string, Options]> = [
		['chat app', {}],
		['SMS', ofSms],
		['SMS that may have been sent', { ...ofSms, uncertainty }],
		['no hint of a node, no request', { hints: undefined, request: undefined }],
	];
	const lines = table.flatMap(([name, outcome]) => {
		const texts = variants.map(([variant, options]) => {
			const { message, description } = explain(outcome, options);
			return [variant, `${message} | ${description}`];
		});
		return texts
			.filter(([, text], index) => index === 0 || text !== texts[0]![1])
			.map(([variant, text]) => `${name}, ${variant}: ${text}`);
	});
	expect(lines.join('\n')).toMatchSnapshot();
});

describe.each(table)('%s', (_, outcome) => {
	test("has three sentences at most, and follows n8n's wording", () => {
		const alone = explain(outcome);
		expectThreeSentences(alone.message, alone.description);
		const { message, description } = explain(outcome, { uncertainty });
		expectThreeSentences(message, description);
		expect(withoutQuotations(`${message} ${description}`)).not.toMatch(
			/\b(errors?|problems?|failures?|failed|mistakes?)\b/i,
		);
		expect(message).not.toMatch(/\.$/);
		expect(description).toMatch(/\.$/);
	});

	test('names only what is on the screen, and of no other node', () => {
		const { description } = explain(outcome);
		expectOnly(namesInQuotes(description), [...credentialLabels, ...nodeLabels]);
		const alone = explain(outcome, { hints: undefined, request: undefined });
		expect(alone.description).toMatch(/^[A-Z'].*\.$/);
		const names = namesInQuotes(`${alone.message} ${alone.description}`);
		expectOnly(names, [...credentialLabels, 'Retry']);
	});
});

test.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EACCES', 'ENOENT'])(
	'%s in the text of the service does not make n8n replace the message',
	(code) => {
		const text = `connect ${code} 10.0.0.5:5432`;
		const { message } = explain(answered(500, { success: false, message: text }), { uncertainty });
		expect(message).toBe(
			`The message may have been sent: the service could not process the request: "${text}"`,
		);
	},
);

test('in doubt, a person reads what the service says, and no page', () => {
	const text = 'NOT SENT, erneut versuchen';
	const own = answered(500, { success: false, message: text });
	expect(explain(own, { uncertainty }).message).toContain(`"${text}"`);
	expect(explain(answered(200, `<h1>${text}</h1>`), { uncertainty }).message).not.toContain(text);
	for (const page of [`<h1>${text}</h1>`, { reply: text }, [text]]) {
		for (const status of [303, 408, 500, 503]) {
			const { message, description } = explain(answered(status, page), { uncertainty });
			expect(`${message} ${description}`).not.toContain(text);
			expect(message).toMatch(/^The message may have been sent: .*\(HTTP \d+\)$/);
		}
	}
});

test('in doubt, a person reads what to do if it was not sent, and an agent does not', () => {
	for (const operation of resources.flatMap((each) => each.operations)) {
		if (!operation.uncertainty) continue;
		const { mayHave, check } = operation.uncertainty;
		expect(mayHave).toMatch(/ may have been /);
		expect(check).toMatch(/'(Campaign: Get|Message: Get Status|Instance: Get Connection State)'/);
		if (!operation.uncertainty.checkOfAgent) continue;
		const checkIn = (type: string) =>
			new Run(makeContext({ node: { type } }), operation).uncertainty?.check;
		expect(checkIn(node.type)).toMatch(/which also lists earlier .* another key\.$/);
		expect(checkIn(`${node.type}Tool`)).toMatch(/until you know that it was not\.$/);
	}
});

test('in doubt, an agent reads neither, but the code of the network', () => {
	const text = 'NOT SENT, erneut versuchen';
	for (const body of [{ success: false, message: text }, `<h1>${text}</h1>`]) {
		const { message, description } = explainToAgent(answered(500, body), { uncertainty });
		expect(`${message} ${description}`).not.toContain(text);
	}
	const { description } = explainToAgent(failed('ECONNRESET'), { uncertainty });
	expect(description).toContain('(ECONNRESET)');
	const refusal = answered(400, { success: false, message: text });
	expect(explainToAgent(refusal, { uncertainty }).message).toContain(text);
});

/** n8n 2.41 has it; its schedule of polls reads it. */
const hasFailure = 'failure' in new NodeApiError(node, {}, { failure: { cause: 'node-defect' } });

const inSeconds = { 'retry-after': '7' };
const revoked = { detail: serviceTexts.invalidToken };

it.each<[string, Outcome, string?, number?]>([
	['a limit', answered(429, '', inSeconds), 'rate-limited', 7_000],
	['a pause', answered(503, '', inSeconds), 'temporarily-unavailable', 7_000],
	['a fault', answered(500), 'temporarily-unavailable'],
	['a revoked key', answered(400, revoked), 'credential-invalid'],
	['an unknown key', answered(401), 'credential-invalid'],
	['a campaign that is gone', answered(404, serviceTexts.campaignNotFound)],
])('says in words of n8n what was not accepted: %s', (_, outcome, ...[cause, retryAfterMs]) => {
	const expected = cause && { cause, ...(retryAfterMs && { retryAfterMs }) };
	const { failure } = explain(outcome) as NodeApiError;
	expect(failure).toEqual(hasFailure ? expected : undefined);
	const isInDoubt = outcome.kind === 'unknown';
	const { failure: inDoubt } = explain(outcome, { uncertainty });
	expect(inDoubt).toEqual(isInDoubt || !hasFailure ? undefined : expected); // waiting is no help
});

describe('what may have been carried out', () => {
	/** What an AI agent would take for an order to send once more. */
	const order =
		/\b(try|again|once more|later|retry|retries|repeat(ed)?|re-?send|re-?sent|tent[ea]r?)\b|novamente|mais tarde|de novo|outra vez|mais uma vez|reenvi|repit/i;

	const uncertainties = resources.flatMap(({ operations }) =>
		operations.flatMap((operation) => operation.uncertainty ?? []),
	);
	const texts = fc.option(
		fc.oneof(
			fc.string(),
			fc.constantFrom(
				...Object.values(serviceTexts),
				'Please try again later.',
				'Tente novamente.',
			),
		),
		{ nil: undefined },
	);
	const kinds = Object.keys(explanations).filter(
		(situation): situation is Reason['kind'] =>
			!(situation in serviceTexts) &&
			!['notAuthorized', 'notFound', 'proxyLogin'].includes(situation),
	);

	test('never tells an agent to try again, whatever the reason', () => {
		const reasons = fc.record({
			kind: fc.constantFrom(...kinds),
			status: fc.constantFrom(undefined, 200, 303, 401, 404, 408, 429, 500, 503),
			text: texts,
			page: texts,
			location: fc.option(fc.webUrl(), { nil: undefined }),
		});
		fc.assert(
			fc.property(reasons, fc.constantFrom(...uncertainties), (reason, doubt) => {
				const isCode = reason.kind === 'noAnswer';
				const made = { ...reason, ...(isCode && { text: 'ECONNRESET' }) };
				const inDoubt: Outcome = { kind: 'unknown', reason: made };
				const { message, description } = explainToAgent(inDoubt, { uncertainty: doubt });
				expect(`${message} ${description}`).not.toMatch(order);
				expect(message.startsWith(`${doubt.mayHave}: `)).toBe(true);
				expect(description?.startsWith(doubt.check)).toBe(true);
			}),
			runs,
		);
	});
});

test.each<[number | undefined, string | undefined]>([
	[undefined, undefined],
	[60_000, undefined],
	[60_001, '2 minutes'],
	[300_000, '5 minutes'],
	[7_200_001, '121 minutes'],
])('a service that wants to be left alone for %j ms: %j', (retryAfterMs, pause) => {
	const busy = refusedForNow({ kind: 'unavailable' }, retryAfterMs);
	const { description } = explain(busy, { inPause: '. Wait.' });
	if (pause) expect(description).toBe(`The service asks for a pause of ${pause}. Wait.`);
	else expect(description).not.toContain('Wait.');
	expect(explain(busy).description).not.toContain('asks for a pause');
});

test('what a request has to say itself is said in place of that', () => {
	const more = { hint: 'Check it.', again: 'Wait.' };
	const explanation = { message: 'Not listed', ...more };
	const text = serviceTexts.campaignNotFound;
	const error = explain(refused({ kind: 'rejected', status: 422, text, explanation }));
	expect(error.message).toBe('Not listed');
	expect(error.description).toBe('Check it. Wait.');
	expect(error.httpCode).toBe('422');
});

const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource, operation })),
);

test.each(operations)(
	'$resource.name: $operation.name: its hints name what its own form has',
	({ resource, operation }) => {
		const form = buildProperties([{ ...resource, operations: [operation] }]);
		const labels = [
			...flatten(form).map(({ displayName }) => displayName),
			...nodeLabels.filter((label) => label.includes(': ')), // other operations
			...credentialLabels,
		];
		for (const text of Object.values(hintsFor(operation)).filter((each) => each)) {
			for (const name of namesInQuotes(text)) expect(labels).toContain(name);
			expect(text).toMatch(/\.$/);
		}
	},
);

test('only an operation with a campaign ID says to check it, and the name of its parameter', () => {
	const notFound = no(serviceTexts.campaignNotFound);
	expect(explain(notFound).description).toContain("'Campaign ID Parameter'");
	for (const [resource, name] of [
		['message', 'sendAudio'],
		['instance', 'logOut'],
		['webhook', 'set'],
	] as const) {
		const own = hintsFor(findOperation(resource, name)!);
		expect(explain(notFound, { hints: own }).description).not.toMatch(/campaign|not its name/i);
	}
});

test.each([
	[
		'http://gateway.example',
		answered(400, '<h1>The plain HTTP request was sent to HTTPS port</h1>'),
	],
	['http://gateway.example', failed('ECONNRESET')],
	['http://gateway.example', failed('HPE_INVALID_CONSTANT')],
])('%s where the service may speak https: %#', (origin, outcome) => {
	const { description } = explain(outcome, { uncertainty }, origin);
	expect(description).toMatch(/'Base URL' .* https/);
	expect(explain(outcome, { uncertainty }).description).not.toContain('https');
	expect(explain(failed('ETIMEDOUT'), { uncertainty }, origin).description).not.toContain('https');
});

test('what the service says is in the error as it came, but not for an agent in doubt', () => {
	const text = 'Erro:\n tente novamente';
	const fault = answered(500, { success: false, message: text });
	expect(explain(fault).context.answer).toBe(text);
	expect(explain(fault, { uncertainty }).context.answer).toBe(text);
	expect(explainToAgent(fault, { uncertainty }).context).not.toHaveProperty('answer');
	expect(explainToAgent(answered(400, { message: text }), { uncertainty }).context.answer).toBe(
		text,
	);
	expect(explain(answered(422, invalid)).context.answer).toEqual(invalid.detail);
	expect(explain(answered(403, '<h1>Blocked</h1>')).context).not.toHaveProperty('answer');
});
