/** Stop ends every wait, and no request follows it. Jest's time limit is the clock. */
import type { IDataObject } from 'n8n-workflow';
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication } from '../harness';
import { keysInWorkflow } from './keysInWorkflow';
import { jsonOf, moment, numbers, operationIds, until, useGateway } from './support';

const gateway = useGateway();
const count = () => gateway.sandbox.requests().length;

describe('cancelling', () => {
	it.each(operationIds)('%s ends its wait after a 429', async (id) => {
		gateway.sandbox.fault({ fault: { tooMany: true, retryAfter: 60 } });
		const execution = await gateway.start(id, { items: numbers(3), rules: { maxRetries: 5 } });
		const refused = () => gateway.sandbox.requests().filter(({ status }) => status === 429);
		await until(() => refused().length === 3);
		await moment(); // the answers arrive
		execution.cancel();
		const { status, error } = await execution.finished;
		expect([status, error?.message]).toEqual(['canceled', 'The execution was canceled']);
		expect(error?.description).toMatch(/^0 of 3 were .*, 3 failed /);
		await moment();
		expect(count()).toBe(3);
	});

	it.each<[string, IDataObject]>([
		["n8n's store", {}],
		['a workflow', { deduplicationWorkflowId: 'keys' }],
	])('leaves no key in doubt: the rest is sent by the next run, with %s', async (_, rules) => {
		deduplication.reset();
		const items = numbers(60);
		const { subWorkflow } = keysInWorkflow();
		const action = { items, options: onceBy('={{ $json.to }}'), rules, subWorkflow };
		gateway.sandbox.fault({ fault: { delayMs: 300 } });
		const execution = await gateway.start('sendSms', action);
		await until(() => count() >= 10);
		execution.cancel();
		expect((await execution.finished).status).toBe('canceled');
		gateway.sandbox.clearFaults();
		const again = await gateway.run('sendSms', { ...action, onError: 'continueRegularOutput' });
		expect(jsonOf(again).filter(({ error }) => error)).toEqual([]);
		const { length } = jsonOf(again).filter(({ skipped }) => skipped);
		expect([length >= 10, length < 60]).toEqual([true, true]);
		for (const item of items) expect(gateway.sandbox.timesAccepted(item)).toBe(1);
		expect(count()).toBe(60);
	});
});
