/** Whatever the fields of a question hold, and whatever is sent to its page. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startWaiting } from '../engine/harness';
import { to, useGateway } from '../engine/action/support';
import { checkSecrets, checkStop, secretsOf, shownOf } from './support/checks';
import { Finding, fuzz } from './support/fuzz';
import { anyValue, jsonValue, type Value } from './support/values';

const gateway = useGateway();

const limit = 'options.limitWaitTime.values';
const fields = [
	...['to', 'message', 'responseType', 'smsType', 'options.pageTitle'],
	...['approvalOptions', 'approvalOptions.values', 'choices', 'choices.values'],
	...['approvalType', 'approveLabel', 'disapproveLabel'].map(
		(name) => `approvalOptions.values.${name}`,
	),
	...['choices.values.0', 'choices.values.0.label', 'choices.values.1.label'],
	...['options.limitWaitTime', limit],
	...['limitType', 'resumeAmount', 'resumeUnit', 'maxDateAndTime'].map(
		(name) => `${limit}.${name}`,
	),
];

/** What leaves a page that does not escape it. */
const markup = fc
	.constantFrom(
		'</p><b>',
		'"><img src=x onerror=alert(1)>',
		"' onclick='x",
		'</title><svg>',
		'<!--',
	)
	.map((text): Value => ({ kind: 'perItem', values: [text] }));

/** Bodies as browsers, programs and attackers send them. */
const bodies = fc.oneof(
	fc
		.array(fc.tuple(fc.constantFrom('answer', 'data', 'answer[]', '__proto__'), fc.string()), {
			maxLength: 3,
		})
		.map((entries) => ({ type: 'application/x-www-form-urlencoded', text: encode(entries) })),
	fc
		.constantFrom('approve', 'disapprove', '0', '1', 'x', ' ', '\u0000', 'é'.repeat(6_000))
		.map((answer) => ({
			type: 'application/x-www-form-urlencoded',
			text: encode([['answer', answer]]),
		})),
	jsonValue.map((value) => ({ type: 'application/json', text: JSON.stringify({ answer: value }) })),
	jsonValue.map((value) => ({ type: 'application/json', text: JSON.stringify(value) })),
	fc.string().map((text) => ({ type: 'text/plain', text })),
	fc.string().map((text) => ({ type: 'application/octet-stream', text })),
);

const encode = (entries: Array<[string, string]>): string =>
	new URLSearchParams(entries).toString();

const cases = fc.record({
	responseType: fc.constantFrom('approval', 'choice', 'freeText'),
	values: fc
		.shuffledSubarray(fields, { maxLength: 3 })
		.chain((chosen) =>
			fc.record(
				Object.fromEntries(
					chosen.map((field) => [field, fc.oneof({ weight: 4, arbitrary: anyValue }, markup)]),
				),
			),
		) as fc.Arbitrary<Record<string, Value>>,
	body: bodies,
	language: fc.oneof(
		fc.constantFrom('pt-BR,pt;q=0.9', 'es', ''),
		fc.stringMatching(/^[ -~]{0,40}$/),
	),
});

fuzz(
	'questions',
	cases,
	async ({ responseType, values, body, language }) => {
		gateway.sandbox.reset();
		const parameters: INodeParameters = {
			resource: 'message',
			operation: 'sendAndWait',
			to,
			message: 'Yes or no?',
			responseType,
			approvalOptions: { values: { approvalType: 'double' } },
			choices: { values: [{ label: 'A' }, { label: 'B' }] },
			options: { maxRetries: 0 },
		};
		const json: IDataObject = { to };
		for (const [field, value] of Object.entries(values)) {
			if (value.kind === 'perItem') json[field] = value.values[0] as never;
			put(parameters, field.split('.'), enteredOf(field, value));
		}
		const starting = startWaiting({
			items: [{ json }],
			parameters,
			credential: gateway.sandbox.credential as never,
		});
		const asked = await starting.catch(refusedByN8n);
		if (!asked) return;
		try {
			const { run } = asked;
			checkStop(run);
			const requests = gateway.sandbox.requests();
			if (requests.some(({ valid }) => !valid)) {
				throw new Finding('forbidden requests', JSON.stringify(requests).slice(0, 2_000));
			}
			const isWaiting = run.status === 'waiting';
			if (isWaiting !== (requests.length === 1)) {
				throw new Finding('other findings', `${run.status} after ${requests.length} requests`);
			}
			checkSecrets(secretsOf(gateway.sandbox), ...shownOf(run));
			if (!isWaiting) return;

			const link = gateway.sandbox.accepted()[0]!.text.split('\n').at(-1)!;
			const headers = { 'accept-language': language };
			const page = await asked.open(link, { headers });
			const posted = await asked.open(link, {
				method: 'POST',
				body: body.text,
				headers: { ...headers, 'content-type': body.type },
			});
			if (page.status !== 200 || ![200, 422].includes(posted.status)) {
				throw new Finding('raw crashes', `${page.status}, ${posted.status}: ${posted.body}`);
			}
			if (posted.status === 200 && asked.resumed.length !== 1) {
				throw new Finding('other findings', `Went on ${asked.resumed.length} times`);
			}
			for (const html of [page.body, posted.body]) checkPage(html);
			checkSecrets(secretsOf(gateway.sandbox), page.body, posted.body, asked.resumed);
		} finally {
			await asked.close();
		}
	},
	{ share: 0.5 },
);

/** n8n starts no node in which a required field was left empty, or is no such thing. */
function refusedByN8n(error: Error): undefined {
	if (!/node has issues:/.test(error.message)) throw error;
}

const enteredOf = (field: string, value: Value): unknown =>
	value.kind === 'perItem'
		? `={{ $json["${field}"] }}`
		: value.kind === 'expression'
			? `={{ ${value.text} }}`
			: value.value;

/** Puts a value where its path leads to, unless another one stands in its way. */
function put(target: INodeParameters, [name = '', ...rest]: string[], value: unknown): void {
	if (rest.length === 0) target[name] = value as never;
	else if (typeof (target[name] ??= {}) === 'object') put(target[name] as never, rest, value);
}

/** No tag but those of the page itself. */
function checkPage(html: string): void {
	const known =
		/^\/?(html|head|meta|title|style|body|main|h1|p|form|button|label|textarea)( [^<>]*)?$/;
	const tags = html
		.replace(/^<!doctype html>/, '')
		.split('<')
		.slice(1)
		.map((tag) => tag.split('>', 1)[0]!);
	for (const tag of tags) {
		if (!known.test(tag) || /\son\w+=|script/i.test(tag.replace(/content="[^"]*"/, ''))) {
			throw new Finding('other findings', `A tag of somebody else's: ${tag}`);
		}
	}
}
