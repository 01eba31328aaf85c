/** How many requests run at once, and in what order. */
import type { IDataObject } from 'n8n-workflow';

import {
	jsonOf,
	moment,
	mostAtOnce,
	numbers,
	pairs,
	until,
	useGateway,
	type ActionId,
} from './support';

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

describe('the output', () => {
	it('keeps the order of the input when answers come in another one', async () => {
		const items = numbers(12);
		const inputOrder = items.map(({ to }) => to);
		gateway.sandbox.fault({ share: 0.5, fault: { delayMs: 500 } });
		const run = await gateway.run('sendSms', { items, rules: { maxConcurrency: 12 } });
		const answered = [...gateway.sandbox.requests()].sort((a, b) => a.answeredAt! - b.answeredAt!);
		expect(answered.map(({ body }) => (body as { to: string }).to)).not.toEqual(inputOrder);
		expect(jsonOf(run).map(({ to }) => to)).toEqual(inputOrder);
		expect(pairs(run.outputs[0])).toEqual(items.map((_, index) => index));
	});
});

describe('messages to one number', () => {
	const spellings = ['+55 (11) 91234-5678', '5511912345678', '00 55 11 91234.5678', 5511912345678];
	const items = Array.from({ length: 24 }, (_, index) => ({
		to: index % 3 === 2 ? '5511900100000' : spellings[index % spellings.length]!,
		text: `message ${index}`,
	}));
	const parameters = { text: '={{ $json.text }}' };

	it.each([false, true])('keep their order; numbers as entered: %s', async (kept) => {
		// Every other one is slow, so that a later one could overtake it.
		gateway.sandbox.fault({ share: 0.5, fault: { delayMs: 20 } });
		const options = { keepNumberAsEntered: kept };
		// The sandbox refuses numbers with other characters than digits; only their order counts here.
		await gateway.run('sendSms', { items, parameters, options, onError: 'continueRegularOutput' });
		const order = (of: number[]) => of.map((index) => `message ${index}`);
		const all = items.map((_, index) => index);
		const texts = gateway.sandbox.requests().map(({ body }) => (body as { msg: string }).msg);
		const toOther = order(all.filter((index) => index % 3 === 2));
		expect(texts.filter((text) => toOther.includes(text))).toEqual(toOther);
		const toOne = order(all.filter((index) => index % 3 !== 2));
		expect(texts.filter((text) => toOne.includes(text))).toEqual(toOne);
	});
});
