import { inspect } from 'node:util';
import fc from 'fast-check';

import { connect } from '../../../nodes/shared/client';
import { toNodeApiError } from '../../../nodes/shared/explain';
import { judgeAnswer } from '../../../nodes/shared/judgeAnswer';
import { answer } from '../support/answers';
import { credential, makeContext, node } from '../support/context';

const uncertainty = { mayHave: 'It may have been done', check: 'Look.' };
const token = /[A-Za-z0-9+/=_.~-]{12,60}/;

async function errorOf(
	answered: Parameters<typeof judgeAnswer>[0],
	secrets: { apiKey: string; instanceToken: string } = credential,
) {
	const client = await connect(makeContext({ credential: { ...credential, ...secrets } }));
	const outcome = judgeAnswer(answered);
	if (outcome.kind === 'accepted') return undefined;
	return toNodeApiError(node, client, outcome, { itemIndex: 0, uncertainty });
}

/** Ways in which a service may repeat what was sent to it. */
const echoes: Array<(secret: string) => string | object> = [
	(secret) => ({ success: false, message: `Chave ${secret} inválida` }),
	(secret) => ({ detail: [{ loc: ['header', secret], msg: `bad ${secret}`, type: secret }] }),
	(secret) => ({ detail: secret }),
	(secret) => ({ error: secret, message: '' }),
	(secret) => ({ headers: { 'X-API-Key': secret } }),
	(secret) => [secret],
	(secret) => `<p title="${secret}">${secret}</p>`,
	(secret) => secret,
];

test('whatever the service says, an error holds texts and no secret', async () => {
	await fc.assert(
		fc.asyncProperty(
			answer,
			fc.stringMatching(new RegExp(`^${token.source}$`)),
			fc.stringMatching(new RegExp(`^${token.source}$`)),
			fc.option(fc.constantFrom(...echoes), { nil: undefined }),
			async (any, apiKey, instanceToken, echo) => {
				const said = echo?.(`${apiKey} ${instanceToken}`);
				const body = typeof said === 'object' ? JSON.stringify(said) : said;
				const headers = {
					...any.headers,
					location: `https://x.example/${apiKey}/?t=${instanceToken}`,
				};
				const error = await errorOf(
					{ ...any, headers, body: body ?? any.body },
					{ apiKey, instanceToken },
				);
				if (!error) return;
				expect(error.message).toMatch(/\S/);
				expect(error.description).toMatch(/\S/);
				for (const text of [
					error.message,
					error.description,
					JSON.stringify(error),
					inspect(error),
				]) {
					expect(text).not.toContain(apiKey);
					expect(text).not.toContain(instanceToken);
				}
			},
		),
		{ numRuns: 500 },
	);
});

test('a secret that stands where the text is cut off does not show in part', async () => {
	const { apiKey } = credential;
	for (let before = 100; before < 125; before++) {
		const page = `${'x'.repeat(before)} ${apiKey} is not a key`;
		const error = await errorOf({ statusCode: 400, headers: {}, body: page });
		expect(error?.message).not.toContain(apiKey.slice(0, 8));
	}
});
