import { number, optionOrDefault, refine } from '../field';

export const maxRetriesOption = optionOrDefault(
	number({
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 3,
		description:
			'How often to retry if the service is busy or unreachable. A message that may have been sent is never retried.',
	}),
);

/** Fewer are meant as seconds, and would leave every message in doubt. */
const leastTimeoutMs = 1000;

/** No `minValue`: the editor would make 1000 of a 30 without a word. */
export const timeoutOption = optionOrDefault(
	refine(
		number({
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			default: 30000,
			hint: 'In milliseconds: 1000 are one second',
			description: 'How long to wait for an answer from the service',
		}),
		(ms, owner) => {
			if (ms >= leastTimeoutMs) return ms;
			throw owner.invalid(
				`'Timeout' is in milliseconds, and ${ms} are too few to get an answer`,
				`Enter ${leastTimeoutMs} or more, e.g. 30000 for 30 seconds.`,
			);
		},
	),
);

/** Read once for all items, like the next one: no expressions. */
export const maxConcurrencyOption = number({
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	type: 'number',
	typeOptions: { minValue: 1 },
	noDataExpression: true,
	default: 100,
	description:
		'The most requests to make at the same time. It starts with 10 and makes more if the service keeps up.',
});

export const requestsPerSecondOption = number({
	displayName: 'Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	noDataExpression: true,
	default: 0,
	description:
		'How many requests to start per second, across executions with the same account and value. 0 means no limit.',
});
