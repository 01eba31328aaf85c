import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../../nodes/send/operation';
import { campaignDelete } from '../../../nodes/MessagingGateway/operations/campaign/delete';
import { sendAndWait } from '../../../nodes/question/sendAndWait';
import { sendSms } from '../../../nodes/MessagingGateway/operations/message/sendSms';
import type { OncePer } from '../../../nodes/form/fields/deduplication';
import { inProcess } from '../../../nodes/n8n/processState';
import { credential } from '../../../tools/shared/context';
import { Store } from '../support/store';
import { uncertainty } from '../support/uncertainty';
import { answer, run as runOn, type RunOptions } from './support';
/** Runs of a small send: what ends them, what they report, and what they leave behind. */

const accepted = answer(200, { success: true, messageId: 'm-1' });
const refused = answer(400, { success: false, message: 'No credit' });
const unclear = answer(500, {});

/** Sends to the item's `to` with the key `key`. */
const send: Operation = {
	...{ value: 'send', name: 'Send', action: 'Send', description: '', fields: [] },
	idempotent: false,
	uncertainty,
	request: ({ json: { to, key, scope } }) => ({
		method: 'POST',
		path: '/v1/sms/enviar',
		body: { to },
		expected: 'sent',
		message: {
			...{ recipient: to as string, channel: 'sms' },
			deduplication: key ? { key: key as string, oncePer: (scope as OncePer) ?? 'key' } : undefined,
		},
		output: () => ({ to }),
	}),
};

const tool = { type: 'n8n-nodes-messaging-gateway.messagingGatewayTool' };

interface Message extends IDataObject {
	to?: string;
	key?: string;
	scope?: OncePer;
}

interface Run extends RunOptions {
	operation?: Operation;
}

/** Runs the messages one at a time and without retries, unless the rules differ. */
async function run(messages: Message[], { operation = send, rules, own, ...more }: Run = {}) {
	const ended = await runOn(operation, messages, {
		...{ answers: [accepted], ...more },
		rules: { maxConcurrency: 1, ...rules },
		own: { getContext: () => ofNode as never, ...own },
	});
	const { outputs, error, requests } = ended;
	return { outputs: outputs.map(({ json }) => json), error, requests: requests.length };
}

/** The node's context in the execution of a test, which n8n passes to each try. */
let ofNode: IDataObject;
beforeEach(() => {
	ofNode = {};
	inProcess.clear();
});

test('anything that goes wrong after a request has left puts the message and its key in doubt', async () => {
	const fails = () => {
		throw new Error('Odd answer');
	};
	const operation: Operation = {
		...send,
		request: async (item) => ({ ...(await send.request(item)), output: fails }),
	};
	const settings = { operation, deduplication: new Store().helpers, continueOnFail: true };
	for (const [message, count] of [
		['Odd answer', 1],
		[expect.stringContaining('may have been sent'), 0],
	] as const) {
		const { outputs, requests } = await run([{ to: '1', key: 'a' }], settings);
		expect(outputs).toMatchObject([{ error: { message, outcome: 'unknown' } }]);
		expect(requests).toBe(count);
	}
});

test('a run ends only after it has stored what became of its keys', async () => {
	const { helpers } = new Store();
	const { checkProcessedAndRecord: record } = helpers;
	let stored = 0;
	helpers.checkProcessedAndRecord = async (...args) => {
		await turn();
		const result = await record(...args);
		stored++;
		return result;
	};
	await run([{ to: '1', key: 'a' }], { deduplication: helpers });
	expect(stored).toBe(2); // the claim and its end
});

test('messages to one number leave in their order; nobody else waits for it', async () => {
	const left: unknown[] = [];
	const underWay = new Set<unknown>();
	const [ana, rui] = ['+5511912345678', '+5521998765432'];
	const texts = ['first', 'second', 'other', 'third'];
	await runOn(
		sendSms,
		texts.map((text) => ({ to: text === 'other' ? rui : ana, text })),
		{
			answers: [accepted],
			async wait({ body }) {
				const { to, msg } = body as { to: string; msg: string };
				expect(underWay).not.toContain(to);
				left.push(msg);
				underWay.add(to);
				for (let turns = 0; turns < 20; turns++) await turn();
				underWay.delete(to);
			},
		},
	);
	expect(left).toEqual(['first', 'other', 'second', 'third']);
});

test.each<[OncePer, object, number]>([
	['key', { error: { outcome: 'refused' } }, 1],
	['keyAndNumber', { to: '2' }, 2],
])('once per %s, two numbers with one key: the second is %j', async (scope, second, sent) => {
	const messages = ['1', '2', '1'].map((to) => ({ to, key: 'a', scope }));
	const settings = { deduplication: new Store().helpers, continueOnFail: true };
	const skipped = { skipped: true, deduplicationKey: 'a' }; // as the user wrote it
	const first = await run(messages, settings);
	expect(first.outputs).toMatchObject([{ to: '1' }, second, skipped]);
	expect(first.requests).toBe(sent);
	const again = await run(messages, settings);
	expect(again.outputs).toMatchObject([skipped, sent === 2 ? skipped : second, skipped]);
	expect(again.requests).toBe(0);
	// Keys of one kind say nothing of the other.
	const other = messages.map((each) => ({ ...each, scope: sent === 2 ? 'key' : 'keyAndNumber' }));
	expect((await run(other as Message[], settings)).requests).toBe(3 - sent);
});

const cancelledBy = (signal: AbortSignal): Run['own'] => ({
	getExecutionCancelSignal: () => signal,
});

describe('an execution that is stopped', () => {
	it('before the node runs reads no item', async () => {
		const request = jest.fn(send.request);
		const own = cancelledBy(AbortSignal.abort());
		// By this word, n8n tells it from a failure.
		const { error } = await run([{ to: '1' }], { operation: { ...send, request }, own });
		expect(error).toMatchObject({
			message: 'The execution was canceled',
			description: '0 of 1 were sent, 1 was not tried.',
			context: { data: { items: [{ item: 0, outcome: 'notStarted' }] } },
		});
		expect(request).not.toHaveBeenCalled();
	});

	it('has no listener left after the run', async () => {
		const { signal } = new AbortController();
		await run([{ to: '1' }, { to: '2' }], { own: cancelledBy(signal) });
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});
});

it('is read whole before anything is sent, and n8n gets its turns meanwhile', async () => {
	const count = 30;
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => (now += 20)); // reading takes its time
	const turnsAt: number[] = [];
	let turns = 0;
	let next = setImmediate(function other() {
		turns++;
		next = setImmediate(other);
	});
	const operation: Operation = {
		...send,
		request(item) {
			turnsAt.push(turns);
			if (item.index === count - 1) throw new Error('No number');
			return send.request(item);
		},
	};
	const messages = Array.from({ length: count }, (_, index) => ({ to: String(index) }));
	const { error, requests } = await run(messages, { operation });
	clearImmediate(next);
	jest.restoreAllMocks();
	expect(error?.message).toBe(`Nothing was sent: 1 of ${count} items can't be sent`);
	expect(requests).toBe(0);
	expect(new Set(turnsAt).size).toBeGreaterThan(count / 6);
});

describe('the error', () => {
	const unreadable: Run = { credential: { ...credential, baseUrl: 'nowhere' } };

	const request = () => {
		throw new Error('The file is gone');
	};

	it.each<[string, Run]>([
		['the credential', unreadable],
		['an item', { operation: { ...send, request } }],
	])('does not report a sent item as refused when %s cannot be read', async (what, later) => {
		const messages = [{ to: '1' }, { to: '2' }];
		const { helpers: deduplication } = new Store();
		for (const continueOnFail of [false, true]) {
			const own: Run['own'] = { getExecutionId: () => `${what} ${String(continueOnFail)}` };
			const rules = { maxConcurrency: 2 };
			const node = { retryOnFail: true };
			const retried = { own, rules, node, continueOnFail, deduplication };
			await run(messages, { ...retried, answers: [unclear, accepted] });
			const { outputs, error } = await run(messages, { ...retried, ...later });
			if (continueOnFail) {
				expect(outputs).toMatchObject([{ error: { outcome: 'unknown' } }, { to: '2' }]);
			} else {
				expect(error?.message).toContain('The message may have been sent');
				expect(error?.description).toMatch(/^Row 1 may have been sent\. 1 of 2 was sent/);
			}
		}
	});

	it('does not mention a key that the run did not reach', async () => {
		const { helpers: deduplication } = new Store();
		const [one, other] = ['a', 'b'].map((key) => ({ to: '1', key }));
		await run([other!], { deduplication });
		const { error } = await run([one!, other!], { answers: [refused], deduplication });
		const counts = "0 of 2 were sent, 1 failed (row 1 '1'), 1 was not tried.";
		expect(error?.description).toContain(counts);
	});
});

const full =
	"n8n's own store keeps the keys of at most 20000 messages, and this execution has 20001";

test('in a loop, the keys of all rounds count: no round pushes those of another out', async () => {
	const round = async (runIndex: number, count: number, executionId = '1') => {
		const keys = Array.from({ length: count }, (_, at) => `${runIndex} ${at}`);
		const own: Run['own'] = {
			getExecutionId: () => executionId,
			getWorkflowDataProxy: () => ({ $runIndex: runIndex }) as never,
		};
		const settings = { answers: [refused], deduplication: new Store().helpers, own };
		return (
			await run(
				keys.map((key) => ({ to: '1', key })),
				settings,
			)
		).error?.message;
	};
	for (const count of [19_999, 19_999]) await round(0, count); // and its next try
	expect(await round(1, 1)).toContain('No credit');
	for (let attempt = 0; attempt < 2; attempt++) expect(await round(2, 1)).toContain(full);
	ofNode = {}; // of another execution
	expect(await round(0, 1, '2')).toContain('No credit');
});

test('in a retry, parallel calls of a tool go on together, and another retry sends nothing', async () => {
	const { helpers } = new Store();
	const callIn = async (execution: string, to: string) => {
		const own = { getMode: () => 'retry' as const, getExecutionId: () => execution };
		return await run([{ to }], { node: tool, deduplication: helpers, own });
	};
	const saved = { journal: { v: 1, execution: '7', run: 'calls', entries: {} } };
	ofNode = structuredClone(saved);
	const claimed = jest.spyOn(helpers, 'checkProcessedAndRecord');
	const calls = await Promise.all(['1', '2'].map(async (to) => await callIn('8', to)));
	expect(calls).toMatchObject([{ requests: 1 }, { requests: 1 }]);
	// The key of 'n8n retry of 7 calls', the same in every version.
	expect(claimed.mock.calls.map(([entries]) => entries)).toEqual([
		['BddtwDdlsDCFs50hObJr9mrK-11llD1opp9N2uUGe-g'],
	]);
	ofNode = structuredClone(saved);
	const { requests, error } = await callIn('9', '3');
	expect(requests).toBe(0);
	expect(error?.message).toMatch(/^This execution has already been retried/);
});

test.each([
	['is sent once, and both get its answer', accepted, [1, 0]],
	['is sent by the second once the first was refused', refused, [1, 1]],
	['may have been sent, and is not sent again', unclear, [1, 0]],
])('a message that an agent wants twice at the same time %s', async (_, first, requests) => {
	const call = async (answers: object[]) => await run([{ to: '1' }], { node: tool, answers });
	const calls = await Promise.all([call([first]), call([accepted])]);
	expect(calls.map((each) => each.requests)).toEqual(requests);
	const errors = calls.map(({ error }) => error?.message);
	const mayHave = expect.stringContaining('may have been sent: the service') as unknown;
	if (first === unclear) expect(errors).toEqual([mayHave, mayHave]);
	else expect(calls[1]!.outputs).toEqual([{ to: '1' }]);
	const again = await call([accepted]);
	expect(again.requests).toBe(first === unclear ? 0 : 1);
});

const minuteMs = 60_000;

test.each([
	['the time that it is now', () => Date.now()],
	['a time that passes meanwhile', () => Date.parse('2030-05-06T09:00:00Z')],
	['another time to come', () => Date.now() + minuteMs, [1, 1]],
])('after a call in doubt, an agent calls again with %s', async (_, at, requests = [1, 0]) => {
	const clock = jest.spyOn(Date, 'now');
	const call = async (time: string) => {
		clock.mockReturnValue(Date.parse(time));
		const scheduleAt = new Date(at()).toISOString();
		const message = { to: '+5511912345678', text: 'Hello', smsType: '1', scheduleAt };
		const { requests } = await runOn(sendSms, [message], {
			...{ node: tool, answers: [unclear], own: { getContext: () => ofNode as never } },
		});
		return requests.length;
	};
	const calls = [await call('2030-05-06T08:59:00Z'), await call('2030-05-06T09:00:01Z')];
	expect(calls).toEqual(requests);
});

test.each([
	['sent', sendAndWait],
	['deleted', campaignDelete],
])('a retry without a record in which nothing was %s names no wait', async (done, operation) => {
	const own: RunOptions['own'] = { getMode: () => 'retry' };
	const question = { to: '+5511912345678', smsType: '1', message: 'OK?', responseType: 'approval' };
	const item = { ...question, approvalOptions: {}, choices: {}, campaignId: '1' };
	const { error, requests } = await runOn(operation, [item], { own });
	expect(requests).toEqual([]);
	expect(error?.message).toContain(': n8n kept no record of what this node did before the retry');
	expect(error?.description).toContain(` Nothing was ${done} this time: `);
	expect(error?.description).not.toContain('waits for the answer');
});

test('what keeps the retry of a deletion from going on does not speak of messages', async () => {
	const { helpers: deduplication } = new Store();
	const retry = async (execution: string, entries = {}) => {
		const journal = { v: 1, execution: '7', run: 0, entries };
		const own: RunOptions['own'] = {
			getMode: () => 'retry',
			getExecutionId: () => execution,
			getContext: () => ({ journal }) as never,
		};
		const settings = { own, deduplication, answers: [accepted] };
		return (await runOn(campaignDelete, [{ campaignId: '1' }], settings)).error;
	};
	expect(await retry('8')).toBeUndefined();
	const another = { 0: { kind: 'accepted', output: [{}], request: 'of another campaign' } };
	for (const error of [await retry('9'), await retry('9', another)]) {
		const text = `${error?.message} ${error?.description}`;
		expect(text).toContain('Nothing was deleted this time');
		expect(text).not.toMatch(/\b(messages?|sen[dt]|number)\b/);
	}
});
