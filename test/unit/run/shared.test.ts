/** Items that ask the same of the same account: one request, and to each its own of the answer. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Operation } from '../../../nodes/MessagingGateway/operation';
import { runOperation } from '../../../nodes/MessagingGateway/run/runOperation';
import { refused, type Outcome } from '../../../nodes/gateway/outcome';
import { Limiter } from '../../../nodes/gateway/pacing/limiter';
import { credential, makeContext, type ContextOptions } from '../../../testing/context';

beforeEach(() => Limiter.reset());

/** Reads a list, which is to hold the item's `wanted`. */
const read: Operation = {
	value: 'read',
	name: 'Read',
	action: 'Read',
	description: '',
	fields: [],
	idempotent: true,
	request: ({ json: { list, wanted } }) => ({
		method: 'GET',
		path: '/list',
		query: { list },
		share: (outcome: Outcome) =>
			outcome.kind === 'accepted' && !held(outcome.body as IDataObject, wanted)
				? refused({ kind: 'rejected', explanation: { message: `${String(wanted)} is missing` } })
				: outcome,
		output: () => ({ wanted }),
	}),
};

const held = ({ entries }: IDataObject, wanted: unknown) => (entries as unknown[]).includes(wanted);

interface Answer {
	statusCode: number;
	body: IDataObject;
}

const entries = ['a', 'b', 'c', 'd'];
const accepted: Answer = { statusCode: 200, body: { entries } };
const failed: Answer = { statusCode: 400, body: { success: false, message: 'No' } };

interface Options extends ContextOptions {
	/** One by one, the last one for all that follow. */
	answers?: Answer[];
	/** What differs from the context otherwise. */
	own?: Partial<IExecuteFunctions>;
}

interface Ended {
	asked: unknown[];
	outputs: INodeExecutionData[];
	error?: Error & { description?: string };
}

async function run(items: IDataObject[], { answers = [accepted], own, ...more }: Options = {}) {
	const asked: unknown[] = [];
	const context = makeContext({
		...more,
		items: items.map((item) => ({ options: { maxRetries: 0 }, ...item })),
		http: async (_, { qs }) => {
			const { body, ...answer } = answers[Math.min(asked.length, answers.length - 1)]!;
			asked.push((qs as IDataObject).list);
			return { ...answer, headers: {}, body: JSON.stringify(body) };
		},
	});
	return await runOperation(Object.assign(context, own), read).then(
		([outputs = []]): Ended => ({ asked, outputs }),
		(error: Ended['error']): Ended => ({ asked, outputs: [], error }),
	);
}

const wanting = (...all: string[]) => all.map((wanted) => ({ list: 1, wanted }));

test('one request for each that is asked, whatever the order', async () => {
	const items = [1, 2, 1, 2, 1].map((list) => ({ list, wanted: 'a' }));
	expect((await run(items)).asked).toEqual([1, 2]);
});

test('to each item its own output', async () => {
	const { outputs } = await run(wanting('b', 'a', 'd'));
	expect(outputs).toEqual(
		['b', 'a', 'd'].map((wanted, item) => ({ json: { wanted }, pairedItem: { item } })),
	);
});

test('those that wait take no place from others', async () => {
	const items = [...wanting('a', 'a', 'a'), { list: 2, wanted: 'a' }];
	let isSecondAsked = () => {};
	const secondAsked = new Promise<void>((resolve) => (isSecondAsked = resolve));
	const options = { maxConcurrency: 2 };
	const context = makeContext({
		items: items.map((item) => ({ ...item, options })),
		http: async (_, { qs }) => {
			if ((qs as IDataObject).list === 1) await secondAsked;
			else isSecondAsked();
			return { statusCode: 200, headers: {}, body: JSON.stringify(accepted.body) };
		},
	});
	const [outputs] = await runOperation(context, read);
	expect(outputs).toHaveLength(4);
});

test('what the answer means is said to each: one that misses something fails alone', async () => {
	const { asked, outputs } = await run(wanting('x', 'a', 'y', 'b'), { continueOnFail: true });
	expect(asked).toEqual([1]);
	expect(outputs.map(({ json }) => (json.error as IDataObject)?.message ?? json.wanted)).toEqual([
		'x is missing',
		'a',
		'y is missing',
		'b',
	]);
});

test('a request that fails is the failure of each, and is not made again', async () => {
	const { asked, outputs } = await run(wanting('a', 'b', 'c'), {
		answers: [failed, accepted],
		continueOnFail: true,
	});
	expect(asked).toEqual([1]);
	expect(outputs).toHaveLength(3);
	for (const { json } of outputs) {
		expect(json.error).toMatchObject({ message: expect.stringContaining('"No"') });
	}
});

test('it has the retries of one request', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	const busy: Answer = { statusCode: 503, body: { success: false, message: 'Busy' } };
	const items = wanting('a', 'b', 'c').map((item) => ({ ...item, options: { maxRetries: 2 } }));
	const { asked, outputs } = await run(items, { answers: [busy, busy, accepted] });
	expect(asked).toHaveLength(3);
	expect(outputs).toHaveLength(3);
});

test('without Continue, the first failure ends the run, and the others are not started', async () => {
	const { asked, error } = await run(wanting('a', 'b', 'c'), { answers: [failed] });
	expect(asked).toEqual([1]);
	expect(error?.description).toMatch(/Accepted: 0 of 3 items\. Not started: 2 items\./);
});

test('accounts share nothing', async () => {
	const keys = ['one', 'two', 'one'];
	const own: Options['own'] = {
		getCredentials: async <T extends object>(_: string, index = 0) =>
			({ ...credential, apiKey: keys[index] ?? 'none' }) as T,
	};
	expect((await run(wanting('a', 'a', 'a'), { own })).asked).toHaveLength(2);
});
