/** How the node uses n8n's deduplication store, and what happens when the store fails. */
import type { IDataObject } from 'n8n-workflow';
import type { Fault } from '../../../tools/sandbox/types';
import { onceBy } from '../../../tools/shared/deduplication';

import { deduplication, type NodeRun } from '../harness';
import { keysInWorkflow } from './keysInWorkflow';
import { impatiently, jsonOf, moment, numbers, until, useGateway } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());
afterEach(() => jest.restoreAllMocks());

const options = onceBy('={{ $json.to }}');
const onError = 'continueRegularOutput';
const hintsOf = ({ data }: NodeRun) =>
	(Object.values(data.resultData.runData).at(-1)!.at(-1)!.hints ?? []).map(
		({ message }) => message,
	);
const count = () => gateway.sandbox.requests().length;
const calls = () => Object.values(deduplication.calls).reduce((sum, times) => sum + times);

describe('the store', () => {
	it('is called by an execution under way, not by the one before it', async () => {
		const callers: unknown[] = [];
		let answer = () => {};
		const held = new Promise<void>((resolve) => (answer = resolve));
		const record = deduplication.checkProcessedAndRecord.bind(deduplication);
		jest.spyOn(deduplication, 'checkProcessedAndRecord').mockImplementation(async (...args) => {
			callers.push(args[2].workflow);
			if (callers.length === 2) await held; // records that the first message was accepted
			return await record(...args);
		});
		const [one, other] = numbers(2);
		const first = await gateway.start('sendSms', { items: [one!], options });
		await until(() => callers.length === 2);
		const second = await gateway.start('sendSms', { items: [other!], options });
		await moment();
		answer();
		await first.finished;
		expect(jsonOf(await second.finished)).toMatchObject([other!]);
		const [over, , ...later] = callers;
		expect(later.length).toBeGreaterThan(0);
		expect(later).not.toContain(over);
	});

	it('lets nothing be sent when it fails to claim', async () => {
		impatiently();
		const broken = jest.spyOn(deduplication, 'checkProcessedAndRecord');
		broken.mockRejectedValue(new Error('SQLITE_BUSY: database is locked'));
		const items = numbers(3);
		const run = await gateway.run('sendSms', { items, options, onError });
		expect(jsonOf(run)).toMatchObject(
			items.map(() => ({
				error: {
					message: expect.stringContaining('SQLITE_BUSY'),
					hint: "Run the workflow again once n8n's database works. Nothing was sent, because it is not known whether this message was sent before.",
					outcome: 'refused',
				},
			})),
		);
		const { error } = await gateway.run('sendSms', { items, options });
		expect(error?.message).toContain('SQLITE_BUSY');
		expect(count()).toBe(0);

		broken.mockRestore();
		const later = await gateway.run('sendSms', { items, options, onError });
		expect(jsonOf(later)).toMatchObject(items);
	});

	it('keeps a key free when a value that is read last cannot be read', async () => {
		const parameters = { scheduleAt: "={{ $('Nowhere').item.json.a }}" };
		const [item] = numbers(1);
		await gateway.run('sendSms', { items: [item!], options, onError, parameters });
		expect(count()).toBe(0);
		const run = await gateway.run('sendSms', { items: [item!], options, onError });
		expect(jsonOf(run)).toMatchObject([item]);
	});
});

describe('a workflow that keeps the keys', () => {
	const rules = { deduplicationWorkflowId: 'keys' };
	const inDoubt = { error: { message: expect.stringContaining('may have been sent') } };

	it.each([
		[
			'accepted',
			{},
			/^Items 0, 1 were sent, but their keys could not be marked as used\. Nothing /,
		],
		[
			'refused',
			{ status: 400 },
			/^Items 0, 1 were not sent, and their keys could not be freed: if /,
		],
	])('that stays away as messages are %s is named, with items', async (_, fault, said) => {
		const { subWorkflow } = keysInWorkflow((inputs) => {
			if (inputs.some(({ action }) => action !== 'claim')) throw new Error('Connection refused');
		});
		gateway.sandbox.fault({ fault: { delayMs: 1, ...fault } as Fault });
		impatiently();
		const action = { items: numbers(2), options, rules, onError, subWorkflow } as const;
		const run = await gateway.run('sendSms', action);
		expect(hintsOf(run).at(-1)).toMatch(said);
		expect(hintsOf(run).at(-1)).toContain('Connection refused.');
		expect(run.logs.join()).toMatch(/their keys could not be/);
		gateway.sandbox.clearFaults();
		expect(jsonOf(await gateway.run('sendSms', action))).toMatchObject([inDoubt, inDoubt]);
	});

	it("replaces n8n's store", async () => {
		impatiently();
		const rules = { deduplicationWorkflowId: 'nowhere' };
		const run = await gateway.run('sendSms', { items: numbers(2), options, rules, onError });
		const error = {
			message: expect.stringContaining("The deduplication workflow 'nowhere' did not work"),
			hint: expect.stringMatching(/^Open its executions in n8n to see why\. /),
		};
		expect(jsonOf(run)).toMatchObject([{ error }, { error }]);
		expect(calls()).toBe(0);
		expect(count()).toBe(0);
	});

	it('is that of each item where the credential differs', async () => {
		const [first, second, third] = numbers(3);
		const items = [
			{ ...first!, keys: 'w-1' },
			{ ...second!, keys: 'w-2' },
			{ ...third!, keys: '' },
		];
		const stores = new Map(items.map(({ keys }) => [keys, keysInWorkflow()]));
		const asked: unknown[] = [];
		const subWorkflow = async (inputs: IDataObject[], id?: string) => {
			asked.push(...inputs.map(({ action, to }) => [id, action, to]));
			return await stores.get(id!)!.subWorkflow(inputs);
		};
		const rules = { deduplicationWorkflowId: '={{ $json.keys }}' };
		const action = { items, options, rules, subWorkflow };
		for (const expected of [
			items.map(({ to }) => ({ to })),
			items.map(() => ({ skipped: true })),
		]) {
			expect(jsonOf(await gateway.run('sendSms', action))).toMatchObject(expected);
		}
		const claims = asked.filter((call) => (call as string[])[1] === 'claim');
		const twice = [
			['w-1', 'claim', first!.to],
			['w-2', 'claim', second!.to],
		];
		expect([...claims].sort()).toEqual([...twice, ...twice].sort());
		expect(calls()).toBeGreaterThan(0);
		expect(count()).toBe(3);
	});
});
