import type { IDataObject, UserError } from 'n8n-workflow';

import { rulesOf } from '../../../nodes/gateway/rules';

const defaults = {
	doNotContactWorkflow: undefined,
	deduplicationWorkflow: undefined,
	requestsPerSecond: Infinity,
	maxConcurrency: 100,
	testMode: 'off',
	testNumber: undefined,
	timeoutMs: 30_000,
	maxRetries: 3,
};
const rules = (credential: IDataObject) => rulesOf(credential as never);

test.each<[IDataObject, object]>([
	[{}, {}],
	[{ maxConcurrency: '', requestsPerSecond: '', timeout: null, maxRetries: undefined }, {}],
	[{ maxConcurrency: 1, requestsPerSecond: 0 }, { maxConcurrency: 1 }],
	[{ maxConcurrency: 2.9 }, { maxConcurrency: 2 }],
	[{ maxConcurrency: '3' }, { maxConcurrency: 3 }],
	[{ requestsPerSecond: 0.5 }, { requestsPerSecond: 0.5 }],
	[{ maxRetries: '0' }, { maxRetries: 0 }],
	[{ timeout: 1000 }, { timeoutMs: 1000 }],
	[{ doNotContactWorkflowId: '', deduplicationWorkflowId: '' }, {}],
	[{ doNotContactWorkflowId: ' w-1 ' }, { doNotContactWorkflow: 'w-1' }],
	[{ deduplicationWorkflowId: 7 }, { deduplicationWorkflow: '7' }],
	...[
		'https://n8n.example/workflow/w-2/executions/12',
		' http://127.0.0.1:5678/workflow/w-2?projectId=p1 ',
		'n8n.example.com/tools/workflow/w-2#node',
	].map((address): [IDataObject, object] => [
		{ deduplicationWorkflowId: address, doNotContactWorkflowId: address },
		{ deduplicationWorkflow: 'w-2', doNotContactWorkflow: 'w-2' },
	]),
	[{ testMode: 'showOnly', testNumber: 'none' }, { testMode: 'showOnly' }],
	[
		{ testMode: 'redirect', testNumber: '+55 11 91234-5678' },
		{ testMode: 'redirect', testNumber: '5511912345678' },
	],
	[
		{ testMode: 'redirect', testNumber: '(11) 91234-5678', defaultCountryCode: 'BR' },
		{ testMode: 'redirect', testNumber: '5511912345678' },
	],
])('%j is read, and the rest has its default', (credential, differences) => {
	expect(rules(credential)).toEqual({ ...defaults, ...differences });
});

// What an expression gives that has no value for an item must not switch a rule off.
const nothings = [undefined, null, {}, [], true, ' '];

test.each<[IDataObject, string, string]>([
	[{ maxConcurrency: 0.9 }, 'Max Concurrency', 'must be a number, 1 or more'],
	[{ maxConcurrency: 'many' }, 'Max Concurrency', 'must be a number, 1 or more'],
	[{ requestsPerSecond: -1 }, 'Requests per Second', 'must be a number, 0 or more'],
	[{ requestsPerSecond: [] }, 'Requests per Second', 'must be a number, 0 or more'],
	[{ maxRetries: 'NaN' }, 'Max Retries', 'must be a number, 0 or more'],
	[{ timeout: 30 }, 'Timeout', 'is in milliseconds, and 30 are too few to get an answer'],
	...nothings.flatMap((nothing): Array<[IDataObject, string, string]> => [
		[
			{ doNotContactWorkflowId: nothing } as IDataObject,
			'Do Not Contact Workflow ID',
			'is not the ID of a workflow',
		],
		[
			{ deduplicationWorkflowId: nothing } as IDataObject,
			'Deduplication Workflow ID',
			'is not the ID of a workflow',
		],
	]),
	...[undefined, null, '', 'on', {}].map((testMode): [IDataObject, string, string] => [
		{ testMode } as IDataObject,
		'Test Mode',
		'cannot be',
	]),
	[{ testMode: 'redirect' }, 'Test Number', 'is empty'],
	[{ testMode: 'redirect', testNumber: '11 91234-5678' }, 'Test Number', 'is not a phone number'],
])('%j is an error', (credential, field, is) => {
	let error: UserError | undefined;
	try {
		rules(credential);
	} catch (thrown) {
		error = thrown as UserError;
	}
	expect(error?.message).toContain(`'${field}' in the Messaging Gateway credential ${is}`);
	expect(error?.description).toMatch(/\S\.$/);
});
