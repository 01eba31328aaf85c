import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Operation } from '../../../nodes/send/operation';
import { refused, type Outcome } from '../../../nodes/service/outcome';
import { inProcess } from '../../../nodes/n8n/processState';
import { heapInUse } from '../../engine/harness/heap';
import { credential } from '../../../tools/shared/context';
import { answer, run as runOn, type RunOptions } from './support';

/** Items that ask the same of the same account share one request, and each gets its own output. */

beforeEach(() => inProcess.clear());

/** Reads a list, which has to contain the item's `wanted`. */
const read: Operation = {
	...{ value: 'read', name: 'Read', action: 'Read', description: '', fields: [] },
	idempotent: true,
	isShared: true,
	request: ({ json: { list, wanted } }) => ({
		method: 'GET',
		path: '/list',
		query: { list },
		judgeItem: (outcome: Outcome) =>
			outcome.kind === 'accepted' && !contains(outcome.body as IDataObject, wanted)
				? refused({ kind: 'rejected', explanation: { message: `${String(wanted)} is missing` } })
				: outcome,
		output: () => ({ wanted }),
	}),
};

const contains = ({ entries }: IDataObject, wanted: unknown) =>
	(entries as unknown[]).includes(wanted);

const accepted = answer(200, { entries: ['a', 'b', 'c', 'd'] });
const failed = answer(400, { success: false, message: 'No' });

const listOf = ({ qs }: IHttpRequestOptions): unknown => qs?.list;

/** What was asked of the service, and what came of it. */
async function run(items: IDataObject[], options: RunOptions = {}) {
	const { requests, ...ended } = await runOn(read, items, { answers: [accepted], ...options });
	return { asked: requests.map(listOf), ...ended };
}

const wanting = (...all: string[]) => all.map((wanted) => ({ list: 1, wanted }));

test('one request for each question, and to each item its own output', async () => {
	const wanted = ['b', 'a', 'd', 'a', 'c'];
	const items = wanted.map((each, index) => ({ list: 1 + (index % 2), wanted: each }));
	const { asked, outputs } = await run(items);
	expect(asked).toEqual([1, 2]);
	expect(outputs).toEqual(
		wanted.map((each, item) => ({ json: { wanted: each }, pairedItem: { item } })),
	);
});

test('items that wait for an answer take no place from others', async () => {
	let answerFirst = () => {};
	const secondAsked = new Promise<void>((resolve) => (answerFirst = resolve));
	const items = [...wanting('a', 'a', 'a'), { list: 2, wanted: 'a' }];
	const { outputs } = await run(items, {
		rules: { maxConcurrency: 2 },
		wait: async (request) => (listOf(request) === 1 ? await secondAsked : answerFirst()),
	});
	expect(outputs).toHaveLength(4);
});

test('an answer that lacks what one item wants fails that item alone', async () => {
	const { asked, outputs } = await run(wanting('x', 'a', 'y', 'b'), { continueOnFail: true });
	expect(asked).toEqual([1]);
	const shown = outputs.map(({ json }) => (json.error as IDataObject)?.message ?? json.wanted);
	expect(shown).toEqual(['x is missing', 'a', 'y is missing', 'b']);
});

test('a request that fails fails each item, and is not made again', async () => {
	const answers = [failed, accepted];
	const { asked, outputs } = await run(wanting('a', 'b', 'c'), { answers, continueOnFail: true });
	expect(asked).toEqual([1]);
	const error = { message: expect.stringContaining('"No"') };
	expect(outputs.map(({ json }) => json)).toMatchObject([{ error }, { error }, { error }]);
});

test('without Continue, the first failure ends the run, and the others are not started', async () => {
	const { asked, error } = await run(wanting('a', 'b', 'c'), { answers: [failed] });
	expect(asked).toEqual([1]);
	expect(error?.description).toMatch(/^0 of 3 were done, 1 failed \(row 1\), 2 were not tried\./);
});

test('what items get from an answer is kept, not the answer', async () => {
	const entries = Array.from({ length: 20_000 }, (_, entry) => `entry ${entry}`);
	const count = 60;
	const items = Array.from({ length: 2 * count }, (_, index) => ({
		list: index % count,
		wanted: entries[index],
	}));
	const heaps: number[] = [];
	const wait = async (request: IHttpRequestOptions) => {
		if ([0, count - 1].includes(listOf(request) as number)) heaps.push(heapInUse());
		return await Promise.resolve();
	};
	const answers = [answer(200, { entries })];
	const { asked, outputs } = await run(items, { rules: { maxConcurrency: 1 }, answers, wait });
	expect([asked.length, outputs.length]).toEqual([count, 2 * count]);
	expect(heaps[1]! - heaps[0]!).toBeLessThan(10e6); // all answers: 47 MB
});

test('accounts share nothing', async () => {
	const keys = ['one', 'two', 'one'];
	const own: RunOptions['own'] = {
		getCredentials: async <T extends object>(_: string, index = 0) =>
			({ ...credential, apiKey: keys[index] ?? 'none' }) as T,
	};
	expect((await run(wanting('a', 'a', 'a'), { own })).asked).toHaveLength(2);
});
