import { NodeApiError, UserError } from 'n8n-workflow';

import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import { connect } from '../../../nodes/shared/client';
import { toNodeApiError } from '../../../nodes/shared/explain';
import { judgeAnswer } from '../../../nodes/shared/judgeAnswer';
import { judgeFailure, judgeUnreadable } from '../../../nodes/shared/judgeFailure';
import type { Outcome } from '../../../nodes/shared/outcome';
import { serviceTexts } from '../../../nodes/shared/serviceTexts';
import { makeContext, node } from '../support/context';
import { namesInQuotes, nodeLabels, withoutQuotations } from '../support/wording';

const uncertainty = { mayHave: 'The message may have been sent', check: 'Look it up.' };

async function explain(outcome: Outcome, options?: Parameters<typeof toNodeApiError>[3]) {
	if (outcome.kind === 'accepted') throw new Error('Nothing to explain');
	return toNodeApiError(node, await connect(makeContext()), outcome, options);
}

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
	['no text with 403', answered(403), /\(HTTP 403\)$/, /'API Key'/],
	['no such address', answered(404), /\(HTTP 404\)$/, /'Base URL'.*'Chat App Name'/],
	['a validation body', answered(422, { detail: [{ loc: ['body', 'to'], msg: 'too short' }] }), /"to: too short"$/, /'Additional Body Fields'/],
	['a redirect', answered(301, '', { location: 'https://new.example/v1' }), /redirects to https:\/\/new\.example\/v1 \(HTTP 301\)$/, /'Base URL'/],
	['a redirect nowhere', answered(302), /another address/, /'Base URL'/],
	['429', answered(429), /too many requests \(HTTP 429\)$/, /'Requests per Second'.*'Max Concurrency'.*'Max Retries'/],
	['503', answered(503), /not available right now \(HTTP 503\)$/, /'Max Retries'/],
	['500', answered(500), /could not process the request \(HTTP 500\)$/, /side of the service/],
	['a page', answered(200, '<h1>Login</h1>'), /other than JSON: "Login"$/, /'Base URL'/],
	['nothing', answered(200), /empty answer \(HTTP 200\)$/, /'Base URL'/],
	['other JSON', answered(200, '7'), /unknown kind: "7"$/, /'Base URL'/],
	['no connection', failed('ECONNREFUSED'), /connect to the service at https:\/\/gateway\.example$/, /'Base URL'.*\(ECONNREFUSED\)/],
	['no answer', failed('ECONNRESET'), /ended without an answer$/, /\(ECONNRESET\).*'Timeout'/],
	['a request that may not leave', judgeFailure(new UserError('not sent to https://evil.example')), /not allowed to leave: not sent to/, /'Base URL'/],
	['a file that is gone', judgeUnreadable(new Error('no such file')), /could not be read/, /Nothing was sent.*\(no such file\)/],
];

describe.each(table)('%s', (_, outcome, message, description) => {
	test('says what happened and how to put it right', async () => {
		const error = await explain(outcome, { itemIndex: 3 });
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(description);
		expect(error.context.itemIndex).toBe(3);
		expect(error.httpCode).toBe(
			'reason' in outcome ? (outcome.reason.status?.toString() ?? null) : '',
		);
	});

	test("follows n8n's wording", async () => {
		const { message, description } = await explain(outcome, { uncertainty });
		expect(withoutQuotations(`${message} ${description}`)).not.toMatch(
			/\b(errors?|problems?|failures?|failed|mistakes?)\b/i,
		);
		expect(message).not.toMatch(/\.$/);
		expect(description).toMatch(/\.$/);
	});

	test('names only what stands on the screen', async () => {
		const { description } = await explain(outcome);
		const labels = new MessagingGatewayApi().properties.map(({ displayName }) => displayName);
		for (const name of namesInQuotes(description)) {
			expect([...labels, ...nodeLabels]).toContainEqual(
				expect.stringMatching(new RegExp(`^${name}( \\(|$)`)),
			);
		}
	});

	test('tells first that it may have been carried out, where that is so', async () => {
		const { message, description } = await explain(outcome, { uncertainty });
		expect(message.startsWith('The message may have been sent: ')).toBe(outcome.kind === 'unknown');
		expect(description?.includes('Look it up.')).toBe(outcome.kind === 'unknown');
	});
});

test.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EACCES', 'ENOENT'])(
	'%s in the text of the service does not make n8n replace the message',
	async (code) => {
		const text = `connect ${code} 10.0.0.5:5432`;
		const { message } = await explain(answered(500, { success: false, message: text }), {
			uncertainty,
		});
		expect(message).toBe(
			`The message may have been sent: the service could not process the request: "${text}"`,
		);
	},
);

test('a page is quoted in short', async () => {
	const { message } = await explain(answered(502, `<p>Bad gateway</p>${'x'.repeat(5_000)}`));
	expect(message).toMatch(/: "Bad gateway x+…"$/);
	expect(message.length).toBeLessThan(300);
});
