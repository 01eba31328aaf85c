import type { IDataObject } from 'n8n-workflow';

import { readRunOptions } from '../../../nodes/MessagingGateway/run/runOptions';
import { Entered } from '../../../nodes/form/entered';
import { maxRetriesOption } from '../../../nodes/form/fields/runOptions';
import { makeContext } from '../../../tools/shared/context';
import { makeItem } from '../../../tools/shared/item';

const read = (options: IDataObject = {}) => {
	const context = makeContext({ items: [{ options }] });
	return readRunOptions(context, new Entered(context));
};

/** The workflow that keeps the keys. */
const readWorkflow = (deduplicationWorkflow?: unknown) =>
	read({ deduplicationStore: 'workflow', deduplicationWorkflow } as IDataObject).keyWorkflow;

const locator = (value: unknown, cachedResultName?: unknown) => ({
	__rl: true,
	mode: 'list',
	value,
	cachedResultName,
});

const defaults = {
	maxConcurrency: 100,
	requestsPerSecond: Infinity,
	keyWorkflow: undefined,
	contactWorkflow: undefined,
	varying: [],
};

test.each<[IDataObject, object]>([
	[{}, defaults],
	[{ maxConcurrency: '', requestsPerSecond: '' }, defaults],
	[
		{ maxConcurrency: 1, requestsPerSecond: 0 },
		{ ...defaults, maxConcurrency: 1 },
	],
	[{ maxConcurrency: 2.9 }, { ...defaults, maxConcurrency: 2 }],
	[{ maxConcurrency: '3' }, { ...defaults, maxConcurrency: 3 }],
	[{ requestsPerSecond: 0.5 }, { ...defaults, requestsPerSecond: 0.5 }],
	[{ deduplicationStore: 'n8n' }, defaults],
	[{ deduplicationWorkflow: locator('w-1') }, defaults],
])('%j is read, and the rest has its default', (options, settings) => {
	expect(read(options)).toEqual(settings);
});

test.each<[IDataObject, string]>([
	[{ maxConcurrency: 0.9 }, "'Max Concurrency' must be a number, 1 or more"],
	[{ maxConcurrency: 'many' }, "'Max Concurrency' must be a number, 1 or more"],
	[{ requestsPerSecond: -1 }, "'Requests per Second' must be a number, 0 or more"],
	[{ requestsPerSecond: [] }, "'Requests per Second' must be a number, 0 or more"],
])('%j is an error: %s', (options, message) => {
	expect(() => read(options)).toThrow(message);
});

test.each<[unknown, number | string]>([
	[undefined, 3],
	['2', 2],
	['many', "'Max Retries' must be a number, 0 or more"],
])('the retries of an item, %j, are read as %j', async (maxRetries, expected) => {
	const parameters = { options: { maxRetries: '={{ $json.retries }}' } };
	const item = await makeItem({ options: { maxRetries } } as IDataObject, { parameters });
	if (typeof expected === 'number') expect(maxRetriesOption.read(item)).toBe(expected);
	else expect(() => maxRetriesOption.read(item)).toThrow(expected);
});

describe('the workflow that keeps the keys', () => {
	it.each<[unknown, object]>([
		[locator('w-1', 'Keys'), { id: 'w-1', name: 'Keys' }],
		[locator(' w-1 '), { id: 'w-1', name: 'w-1' }],
		['w-1', { id: 'w-1', name: 'w-1' }],
		[7, { id: '7', name: '7' }],
	])('%j is %j', (chosen, workflow) => {
		expect(readWorkflow(chosen)).toEqual(workflow);
	});

	it.each<[unknown, string]>([
		[undefined, "'Deduplication Workflow' is empty"],
		['', "'Deduplication Workflow' is empty"],
		[{}, "'Deduplication Workflow' is empty"],
		[locator(' '), "'Deduplication Workflow' is empty"],
		[locator(null), "'Deduplication Workflow' is empty"],
		[locator(['w-1']), "'Deduplication Workflow' is a list, not text"],
		[locator('w-1', {}), "'Deduplication Workflow' is an object, not text"],
	])('%j is an error: %s', (chosen, message) => {
		expect(() => readWorkflow(chosen)).toThrow(message);
	});
});
