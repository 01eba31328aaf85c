/** Stop ends every wait, and no request follows it. Jest's time limit is the clock. */
import { parse, stringify } from 'flatted';
import type { IDataObject } from 'n8n-workflow';
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication } from '../harness';
import { logs } from '../harness/instance';
import { keysInWorkflow } from './keysInWorkflow';
import {
	jsonOf,
	moment,
	numbers,
	operationIds,
	until,
	useGateway,
	type ActionOptions,
} from './support';

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

	it('is no failure, even if an item had failed before', async () => {
		gateway.sandbox.fault({ to: numbers(1)[0]!.to, fault: { status: 400 } });
		gateway.sandbox.fault({ fault: { delayMs: 2_000 } });
		const rules = { maxConcurrency: 2 };
		const execution = await gateway.start('sendSms', { items: numbers(5), rules });
		await until(() => gateway.sandbox.requests().some(({ status }) => status === 400));
		await until(() => count() === 2);
		await moment(); // the answer arrives
		execution.cancel();
		const { status, error } = await execution.finished;
		expect(status).toBe('canceled'); // 'error' would start the error workflow
		expect(error?.message).toBe('The execution was canceled');
		expect(error?.description).toMatch(
			/^\+\d+ may have got it\. 0 of 5 were sent, 1 failed \(\+\d+\), 3 were not tried: n8n's Retry sends only those 4, /,
		);
	});

	describe('while answers are on the way', () => {
		const options = onceBy('={{ $json.to }}');
		const onError = 'continueRegularOutput';
		beforeEach(() => deduplication.reset());
		const stop = async (action: ActionOptions, isUnderWay: () => boolean) => {
			gateway.sandbox.fault({ fault: { delayMs: 300 } });
			const execution = await gateway.start('sendSms', action);
			await until(isUnderWay);
			execution.cancel();
			const run = await execution.finished;
			expect(run.status).toBe('canceled');
			gateway.sandbox.clearFaults();
			return run;
		};

		it.each<[string, IDataObject]>([
			["n8n's store", {}],
			['a workflow', { deduplicationWorkflowId: 'keys' }],
		])('leaves no key in doubt: the rest is sent by the next run, with %s', async (_, rules) => {
			const items = numbers(60);
			const { subWorkflow } = keysInWorkflow();
			const action = { items, options, rules, subWorkflow };
			await stop(action, () => count() >= 10);
			const left = count();
			expect(left).toBeLessThan(60);
			const again = await gateway.run('sendSms', { ...action, onError });
			expect(jsonOf(again).filter(({ error }) => error)).toEqual([]);
			expect(jsonOf(again).filter(({ skipped }) => skipped)).toHaveLength(left);
			for (const item of items) expect(gateway.sandbox.timesAccepted(item)).toBe(1);
			expect(count()).toBe(60);
		});

		it('ends at once, and what comes later is in the log and the journal', async () => {
			const rules = { maxConcurrency: 3 };
			const { data, error } = await stop({ items: numbers(9), rules }, () => count() === 3);
			const journal = () =>
				JSON.stringify(Object.values(data.executionData!.contextData)[0]!.journal);
			expect(error?.description).toMatch(
				/^\+\d+, \+\d+ and \+\d+ may have got it\. 0 of 9 were sent, 6 were not tried: /,
			);
			expect(journal().match(/"sending"/g)).toHaveLength(3);
			await until(() => logs.some((line) => /: 3 of 9 were sent, .*\. \+\d+: /.test(line)));
			expect(journal().match(/"accepted"/g)).toHaveLength(3);
			expect(count()).toBe(3);
		});

		it("lets n8n's Retry find out by the key, where the record has no end", async () => {
			const items = numbers(5);
			const rules = { maxConcurrency: 1 };
			const stopped = await stop({ items, options, rules }, () => count() === 1);
			const saved = { ...stopped, data: parse(stringify(stopped.data)) as typeof stopped.data };
			const retry = { options, rules, onError, currentWorkflow: true } as const;
			const again = await gateway.retry(saved, 'sendSms', retry);
			expect(jsonOf(again)).toMatchObject([{ skipped: true }, ...items.slice(1)]);
			expect(count()).toBe(5);

			gateway.sandbox.reset();
			const other = onceBy('=new {{ $json.to }}');
			const changed = await gateway.retry(saved, 'sendSms', { ...retry, options: other });
			expect(jsonOf(changed)[0]).toMatchObject({ error: { outcome: 'unknown' } });
		});
	});
});
