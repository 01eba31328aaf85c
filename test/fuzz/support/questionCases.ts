/** Questions with any values in some of their fields, and requests to their pages. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { to } from '../../engine/action/support';
import { anyValue, jsonValue, type Value } from './values';

const limit = 'options.limitWaitTime.values';
const fields = [
	...['to', 'message', 'responseType', 'options.smsType', 'options.responseFormTitle'],
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

/** Markup that breaks a page that does not escape it. */
const markup = fc
	.constantFrom(
		...['</p><b>', '"><img src=x onerror=alert(1)>', "' onclick='x", '</title><svg>', '<!--'],
	)
	.map((text): Value => ({ kind: 'perItem', values: [text] }));

/** Bodies that browsers, programs and attackers send. */
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

export interface QuestionCase {
	responseType: string;
	values: Record<string, Value>;
	body: { type: string; text: string };
	language: string;
}

export const questionCases: fc.Arbitrary<QuestionCase> = fc.record({
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

/** The options to ask the question with. */
export function askingOf({ responseType, values }: QuestionCase) {
	const parameters: INodeParameters = {
		resource: 'message',
		operation: 'sendAndWait',
		to,
		message: 'Yes or no?',
		responseType,
		approvalOptions: { values: { approvalType: 'double' } },
		choices: { values: [{ label: 'A' }, { label: 'B' }] },
		options: {},
	};
	const json: IDataObject = { to };
	for (const [field, value] of Object.entries(values)) {
		if (value.kind === 'perItem') json[field] = value.values[0] as never;
		put(parameters, field.split('.'), enteredOf(field, value));
	}
	return { items: [{ json }], parameters };
}

const enteredOf = (field: string, value: Value): unknown =>
	value.kind === 'perItem'
		? `={{ $json["${field}"] }}`
		: value.kind === 'expression'
			? `={{ ${value.text} }}`
			: value.value;

/** Sets the value at a path, unless another value is in the way. */
function put(target: INodeParameters, [name = '', ...rest]: string[], value: unknown): void {
	if (rest.length === 0) target[name] = value as never;
	else if (typeof (target[name] ??= {}) === 'object') put(target[name] as never, rest, value);
}
