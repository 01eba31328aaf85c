/** How many requests run at once, and in what order. */
import type { IDataObject } from 'n8n-workflow';

import { jsonOf, moment, mostAtOnce, numbers, until, useGateway, type ActionId } from './support';

const gateway = useGateway();

const timeout = 3_600_000; // nobody waits for it

describe("'Max Concurrency'", () => {
	/** The first requests are answered, the others are not: so many of these are under way at once. */
	async function isWidth(
		most: number,
		operation: ActionId,
		{ answered = 0, rules = {} }: { answered?: number; rules?: IDataObject } = {},
	) {
		gateway.sandbox.fault({ skip: answered, fault: { delayMs: 3_600_000 } });
		const action = { items: numbers(40), rules: { ...rules, timeout } };
		const execution = await gateway.start(operation, action);
		await until(() => gateway.sandbox.requests().length >= answered + most);
		await moment();
		expect(gateway.sandbox.requests()).toHaveLength(answered + most);
		execution.cancel();
		await execution.finished;
		// What is left behind it ends before the next run: an account remembers what was not answered.
		gateway.sandbox.reset();
		await moment();
	}

	it.each([
		[1, 1],
		[3, 3],
		[undefined, 10],
		[100, 10],
		[2.9, 2],
	])('%s: %i of 40 requests at once, before there is an answer', async (maxConcurrency, most) => {
		const rules = maxConcurrency === undefined ? {} : { maxConcurrency };
		await isWidth(most, 'sendSms', { rules });

		gateway.sandbox.reset();
		gateway.sandbox.fault({ fault: { delayMs: 10 } });
		const run = await gateway.run('sendSms', { items: numbers(30), rules });
		expect(jsonOf(run)).toHaveLength(30);
		const { maxConcurrency: limit = 100 } = rules;
		expect(mostAtOnce(gateway.sandbox.requests())).toBeLessThanOrEqual(limit);
	});
});
