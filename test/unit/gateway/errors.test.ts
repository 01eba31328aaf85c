import fc from 'fast-check';
import { NodeApiError, UserError } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { adviceFor } from '../../../nodes/MessagingGateway/form';
import { buildProperties } from '../../../nodes/MessagingGateway/form';
import { findOperation, resources } from '../../../nodes/MessagingGateway/operations';
import { toNodeApiError } from '../../../nodes/gateway/errors';
import { explanations } from '../../../nodes/gateway/explanations';
import * as judging from '../../../nodes/gateway/judge/answer';
import * as failing from '../../../nodes/gateway/judge/failure';
import { refusedForNow, type Outcome, type Reason } from '../../../nodes/gateway/outcome';
import { serviceTexts } from '../../../nodes/gateway/serviceTexts';
import { answer } from '../support/answers';
import { node } from '../../../testing/context';
import { flatten, namesInQuotes, nodeLabels, withoutQuotations } from '../support/wording';

const uncertainty = { mayHave: 'The message may have been sent', check: 'Look it up.' };

const credentialLabels = new MessagingGatewayApi().properties.map(({ displayName }) => displayName);

const request = { path: '/v2/chatapp/message/sendMedia' };

type Options = Parameters<typeof toNodeApiError>[3];

const send = adviceFor(findOperation('message', 'sendMedia')!);
/** That of a campaign is told of none but operations with campaigns. */
const { campaignNotFound } = adviceFor(findOperation('campaign', 'get')!);
const advice = { ...send, campaignNotFound };

/** Tells what the action node tells of an outcome. */
function explain(
	outcome: Outcome,
	options: Options = {},
	origin = 'https://gateway.example',
	type = node.type,
) {
	if (outcome.kind === 'accepted') throw new Error('Nothing to explain');
	return toNodeApiError({ ...node, type }, { origin }, outcome, { advice, request, ...options });
}

/** The same to an AI agent. */
const tell = (outcome: Outcome, options: Options) =>
	explain(outcome, options, undefined, 'messagingGatewayTool');

const judgeAnswer = (answered: judging.HttpAnswer) =>
	judging.judgeAnswer(answered, 'object', String);
const judgeFailure = (error: unknown) => failing.judgeFailure(error, String);
const judgeUnreadable = (error: unknown) => failing.judgeUnreadable(error, String);

const answered = (statusCode: number, body: unknown = '', headers = {}) =>
	judgeAnswer({
		statusCode,
		headers,
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
const failed = (code: string) => judgeFailure(Object.assign(new Error(code), { code }));
const no = (message: string) => answered(200, { success: false, message });

/** Outcome → what the message has to hold, what the description has to name. */
// prettier-ignore
const table: Array<[string, Outcome, RegExp, RegExp]> = [
	['a rejected key', no(serviceTexts.invalidToken), /rejected the credential: "Token inválido\."/, /'API Key'.*'Instance Token'/],
	['no campaign', no(serviceTexts.campaignNotFound), /campaign: "Campanha não encontrada\."/, /'Campaign ID'/],
	['no deletion', no(serviceTexts.deletionNotPermitted), /deleted: "Exclusão não permitida\."/, /'Campaign: Get'/],
	['no instance', no(serviceTexts.instanceDisconnected), /disconnected: "Instância desconectada\."/, /'Instance: Get Connection State'/],
	['their fault', no(serviceTexts.internalError), /"Erro interno do servidor\."/, /Try again later/],
	['an unknown text', no('Sem saldo.'), /: "Sem saldo\."$/, /values of this item/],
	['a text with 401', answered(401, 'Who?'), /: "Who\?"$/, /'API Key'/],
	['no text with 403', answered(403), /proxy or firewall.*\(HTTP 403\)$/, /'API Key'/],
	['a page with 403', answered(403, '<h1>Blocked</h1>'), /proxy or firewall.*: "Blocked"$/, /let requests from n8n to https:\/\/gateway\.example pass/],
	['a proxy that wants a password', answered(407, '<h1>Squid</h1>'), /A proxy .*\(HTTP 407\)$/, /HTTPS_PROXY/],
	['nothing new', answered(304), /unknown kind \(HTTP 304\)$/, /a cache/],
	['too much', judging.judgeAnswer({ statusCode: 200, headers: {}, body: '', unread: { kind: 'tooLarge', status: 200 } }, 'object', String), /more than 16 MB \(HTTP 200\)$/, /less at once.*'Base URL'/],
	['no such address', answered(404), /\(HTTP 404\)$/, /'Base URL'.*'Chat App Name'/],
	['a validation body', answered(422, { detail: [{ loc: ['body', 'to'], msg: 'too short' }] }), /"to: too short"$/, /'Additional Body Fields'/],
	['a redirect', answered(301, '', { location: 'https://new.example/v1' }), /redirects to https:\/\/new\.example\/v1 \(HTTP 301\)$/, /'Base URL'/],
	['a redirect nowhere', answered(302), /another address/, /'Base URL'/],
	['429', answered(429), /too many requests \(HTTP 429\)$/, /'Requests per Second'.*'Max Concurrency'.*'Max Retries'/],
	['503', answered(503, '', { 'retry-after': '1' }), /not available right now \(HTTP 503\)$/, /'Max Retries'/],
	['a proxy', answered(503), /not available right now \(HTTP 503\)$/, /'Max Retries'/],
	['yes and no', answered(400, { success: true }), /yes and no at once \(HTTP 400\)$/, /became of the request/],
	['500', answered(500), /could not process the request \(HTTP 500\)$/, /side of the service/],
	['a page', answered(200, '<h1>Login</h1>'), /other than JSON: "Login"$/, /'Base URL'/],
	['nothing', answered(200), /empty answer \(HTTP 200\)$/, /'Base URL'/],
	['other JSON', answered(200, '7'), /unknown kind: "7"$/, /'Base URL'/],
	['no connection', failed('ECONNREFUSED'), /connect to the service at https:\/\/gateway\.example$/, /'Base URL'.*\(ECONNREFUSED\)/],
	['a certificate', failed('CERT_HAS_EXPIRED'), /connect to the service/, /\(CERT_HAS_EXPIRED\).*'Ignore SSL Issues'/],
	['no answer', failed('ECONNRESET'), /ended without an answer$/, /\(ECONNRESET\).*'Timeout'/],
	['a request that may not leave', judgeFailure(new UserError('not sent to https://evil.example')), /not allowed to leave: not sent to/, /'Base URL'/],
	['a file that is gone', judgeUnreadable(new Error('no such file')), /could not be read/, /Nothing was sent.*\(no such file\)/],
];

describe.each(table)('%s', (_, outcome, message, description) => {
	test('says what happened and how to put it right', () => {
		const error = explain(outcome, { itemIndex: 3 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(description);
		expect(error.context.itemIndex).toBe(3);
		expect(error.httpCode).toBe(
			'reason' in outcome ? (outcome.reason.status?.toString() ?? null) : '',
		);
	});

	test('is told so, from the first to the last word', () => {
		const ofSms = { request: { path: '/v1/sms/enviar' } };
		const variants: Array<[string, Options]> = [
			['chat app', {}],
			['SMS', ofSms],
			['SMS that may have been sent', { ...ofSms, uncertainty }],
			['no advice of a node, no request', { advice: undefined, request: undefined }],
		];
		for (const [name, options] of variants) {
			const told = explain(outcome, options);
			expect(`${told.message} | ${told.description}`).toMatchSnapshot(name);
		}
	});

	test("follows n8n's wording", () => {
		const { message, description } = explain(outcome, { uncertainty });
		expect(withoutQuotations(`${message} ${description}`)).not.toMatch(
			/\b(errors?|problems?|failures?|failed|mistakes?)\b/i,
		);
		expect(message).not.toMatch(/\.$/);
		expect(description).toMatch(/\.$/);
	});

	test('names only what stands on the screen', () => {
		const { description } = explain(outcome);
		for (const name of namesInQuotes(description)) {
			expect([...credentialLabels, ...nodeLabels]).toContainEqual(
				expect.stringMatching(new RegExp(`^${name}( \\(|$)`)),
			);
		}
	});

	test('tells first that it may have been carried out, where that is so', () => {
		const { message, description } = explain(outcome, { uncertainty });
		expect(message.startsWith('The message may have been sent: ')).toBe(outcome.kind === 'unknown');
		expect(description?.includes('Look it up.')).toBe(outcome.kind === 'unknown');
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

test('in doubt, an agent reads neither, but the code of the network', () => {
	const text = 'NOT SENT, erneut versuchen';
	for (const body of [{ success: false, message: text }, `<h1>${text}</h1>`]) {
		const { message, description } = tell(answered(500, body), { uncertainty });
		expect(`${message} ${description}`).not.toContain(text);
	}
	expect(tell(failed('ECONNRESET'), { uncertainty }).description).toContain('(ECONNRESET)');
	const refusal = answered(400, { success: false, message: text });
	expect(tell(refusal, { uncertainty }).message).toContain(text);
});

test('a page is quoted in short', () => {
	const { message } = explain(answered(502, `<p>Bad gateway</p>${'x'.repeat(5_000)}`));
	expect(message).toMatch(/: "Bad gateway x+…"$/);
	expect(message.length).toBeLessThan(300);
});

describe('what may have been carried out', () => {
	/** What an AI agent takes for an order to send once more, wherever it stands. */
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
				'Sorry, the page you are looking for is currently unavailable. Please try again later.',
				'Serviço indisponível. Tente novamente mais tarde.',
				'Please resend',
			),
		),
		{ nil: undefined },
	);
	const kinds = Object.keys(explanations).filter(
		(situation): situation is Reason['kind'] =>
			!(situation in serviceTexts) &&
			!['notAuthorized', 'notFound', 'forbidden', 'proxyLogin'].includes(situation),
	);

	test('never tells an agent to try again, whatever the reason', () => {
		const reasons = fc.record({
			kind: fc.constantFrom(...kinds),
			status: fc.option(fc.constantFrom(200, 303, 401, 404, 408, 429, 500, 503), {
				nil: undefined,
			}),
			text: texts,
			page: texts,
			location: fc.option(fc.webUrl(), { nil: undefined }),
		});
		fc.assert(
			fc.property(reasons, fc.constantFrom(...uncertainties), (reason, doubt) => {
				const isCode = reason.kind === 'noAnswer';
				const made = { ...reason, ...(isCode && { text: 'ECONNRESET' }) };
				const { message, description } = tell(
					{ kind: 'unknown', reason: made },
					{ uncertainty: doubt },
				);
				expect(`${message} ${description}`).not.toMatch(order);
				expect(message.startsWith(`${doubt.mayHave}: `)).toBe(true);
				expect(description?.endsWith(doubt.check)).toBe(true);
			}),
			{ numRuns: 2_000 },
		);
	});

	test('nor for any answer', () => {
		fc.assert(
			fc.property(answer, texts, fc.constantFrom(...uncertainties), (any, text, doubt) => {
				const outcome = judgeAnswer({ ...any, body: text ?? any.body });
				if (outcome.kind !== 'unknown') return;
				const { message, description } = tell(outcome, { uncertainty: doubt });
				expect(`${message} ${description}`).not.toMatch(order);
			}),
			{ numRuns: 1_000 },
		);
	});

	test('says how to find out, for each operation that is not repeated', () => {
		for (const { mayHave, check } of uncertainties) {
			expect(mayHave).toMatch(/ may have been /);
			expect(check).toMatch(/'(Campaign: Get|Instance: Get Connection State)'/);
		}
	});

	test('of a read, that can be tried again, it says so', () => {
		expect(explain(answered(500)).description).toMatch(/Try again later/);
	});
});

test.each<[number | undefined, string | undefined]>([
	[undefined, undefined],
	[60_000, undefined],
	[60_001, '2 minutes'],
	[300_000, '5 minutes'],
	[7_140_000, '119 minutes'],
	[7_200_000, '2 hours'],
	[7_200_001, '3 hours'],
])('a service that wants to be left alone for %j ms: %j', (retryAfterMs, told) => {
	const busy = refusedForNow({ kind: 'unavailable' }, retryAfterMs);
	const { description } = explain(busy, { inPause: '. Wait.' });
	if (told) expect(description).toBe(`The service asks for a pause of ${told}. Wait.`);
	else expect(description).not.toContain('Wait.');
	expect(explain(busy).description).not.toContain('asks for a pause');
});

test('what a request has to say itself is said in place of that', () => {
	const explanation = {
		message: 'Not listed',
		facts: 'It is not.',
		advice: 'Look.',
		again: 'Wait.',
	};
	const outcome: Outcome = {
		kind: 'refused',
		forNow: false,
		reason: { kind: 'rejected', status: 422, text: serviceTexts.campaignNotFound, explanation },
	};
	const error = explain(outcome);
	expect(error.message).toBe('Not listed');
	expect(error.description).toBe('It is not. Look. Wait.');
	expect(error.httpCode).toBe('422');
});

describe('a node without options', () => {
	test.each(table)('%s: nothing of the options of another node', (_, outcome) => {
		const { message, description } = explain(outcome, { advice: undefined, request: undefined });
		expect(description).toMatch(/^[A-Z'].*\.$/);
		for (const name of namesInQuotes(`${message} ${description}`)) {
			expect([...credentialLabels, 'Retry']).toContainEqual(
				expect.stringMatching(new RegExp(`^${name}( \\(|$)`)),
			);
		}
	});
});

const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource, operation })),
);

test.each(operations)(
	'$resource.name: $operation.name: the advice names what its own form has',
	({ resource, operation }) => {
		const form = buildProperties([{ ...resource, operations: [operation] }], resource.value);
		const labels = [
			...flatten(form).map(({ displayName }) => displayName),
			...nodeLabels.filter((label) => label.includes(': ')), // other operations
		];
		for (const text of Object.values(adviceFor(operation)).filter((each) => each)) {
			for (const name of namesInQuotes(text)) expect(labels).toContain(name);
			expect(text).toMatch(/\.$/);
		}
	},
);

test("a name in the credential is doubted where the request's query has it", () => {
	const named = { request: { path: '/v1/x', query: { campaignId: 'c1' } } };
	const notFound = no(serviceTexts.campaignNotFound);
	expect(explain(notFound, named).description).toContain("'Campaign ID Parameter'");
	expect(explain(notFound).description).not.toContain("'Campaign ID Parameter'");
});

test('certificates are mentioned where one was not trusted', () => {
	for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EPROTO']) {
		const outcome = judgeFailure(
			Object.assign(new Error('wrong version number'), { code, syscall: 'connect' }),
		);
		expect(explain(outcome, {}, 'http://gateway.example').description).not.toMatch(
			/certificate|SSL/i,
		);
	}
});

test('without a text, a status or a code, nothing is said of one', () => {
	const where = { origin: 'https://gateway.example', isChatApp: false, hasQuery: false };
	expect(explanations.rejected({ kind: 'rejected' }, where).message).toBe(
		'The service refused the request',
	);
	expect(explanations.noAnswer({ kind: 'noAnswer' }, where).facts).toMatch(/ broke\.$/);
});
