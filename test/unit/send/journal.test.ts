import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
} from 'n8n-workflow';

import type { ItemRequest } from '../../../nodes/send/operation';
import { sendAudio } from '../../../nodes/MessagingGateway/operations/message/sendAudio';
import { sendSms } from '../../../nodes/MessagingGateway/operations/message/sendSms';
import { Journal } from '../../../nodes/send/journal';
import { notStarted, type Fate } from '../../../nodes/send/job';
import { makeContext, node } from '../../../tools/shared/context';
import { makeItemOf } from '../../../tools/shared/item';
import { uncertainty } from '../support/uncertainty';

let executions = 0;
/** The node's context in each execution, as n8n stores it. */
let contexts = new Map<string, IDataObject>();

interface Place {
	execution?: string;
	/** The execution that is retried. */
	of?: string;
	run?: number;
	type?: string;
	continues?: boolean;
	retryOnFail?: boolean;
	/** The tool's arguments. */
	given?: IDataObject;
}

function contextOf({ execution = String(executions), of, run = 0, given, ...own }: Place = {}) {
	const { continues = false, ...ofNode } = own;
	const before = JSON.stringify(contexts.get(of ?? execution) ?? {});
	const context = JSON.parse(before) as IDataObject; // as n8n stores it
	if (execution) contexts.set(execution, context);
	return {
		...makeContext(),
		getNode: () => ({ ...node, ...ofNode }),
		getMode: () => (of ? 'retry' : 'trigger'),
		continueOnFail: () => continues,
		getContext: () => context,
		getExecutionId: () => execution || undefined,
		getInputData: () => [{ json: given ?? {} }],
		getWorkflowDataProxy: () => ({ $runIndex: run }),
	} as unknown as IExecuteFunctions;
}

const journalOf = (place?: Place) => new Journal(contextOf(place), uncertainty);

const request = (recipient = '5511912345678', text = 'Hello'): ItemRequest => ({
	method: 'POST',
	path: '/v1/sms/enviar',
	body: { to: recipient, msg: text },
	message: { recipient, channel: 'sms' },
	output: () => ({}),
});

const answered = { output: [{ messageId: 'm-1' }] };
const accepted: Fate = { kind: 'accepted', ...answered };
const failed = (kind: 'unknown' | 'refused'): Fate => ({
	kind,
	error: new NodeApiError(node, {}, { message: 'No', description: 'Ask', httpCode: '502' }),
	hint: 'Ask',
	endsRun: true,
});
const unknown = expect.objectContaining({
	kind: 'unknown',
	hint: 'Ask',
	endsRun: false,
	error: expect.objectContaining({ message: 'No', httpCode: '502' }) as unknown,
}) as unknown;

/** One try with these requests and their results; returns what it knows from earlier tries. */
function run(results: Fate[], place?: Place, requests = results.map(() => request())) {
	const journal = journalOf(place);
	journal.inherit();
	const known = requests.map((each, item) => journal.recall(item, each));
	results.forEach((result, item) => {
		const before = known[item];
		if (!before) journal.claim(item);
		const isOwn = typeof before !== 'string';
		journal.note(item, isOwn ? (before ?? result) : failed('refused'));
	});
	journal.close(results.some(({ kind }) => kind === 'refused' || kind === 'unknown'));
	return known;
}

beforeEach(() => {
	executions++;
	contexts = new Map();
});

test('an item that was or may have been accepted is kept; one refused, asked or not started is not', () => {
	const asked = { kind: 'asked', output: [{}], question: {} } as unknown as Fate;
	const results = [accepted, failed('unknown'), failed('refused'), asked];
	const requests = [...results, 'not started'].map(() => request());
	expect(run(results, {}, requests)).toEqual(requests.map(() => undefined));
	expect(run(results, {}, requests)).toEqual([accepted, unknown, undefined, undefined, undefined]);
	run([accepted], {}, requests); // nothing fails
	expect(run([accepted], {}, requests)).toEqual(requests.map(() => undefined));
});

test('a request under way when n8n stored the execution may have been carried out, also if its item has changed since', () => {
	const journal = journalOf();
	journal.recall(0, request());
	journal.claim(0);
	expect(run([failed('refused')], {}, [request('5511900100000')])).toEqual(['changed']);
	const message = 'The message may have been sent: the execution was stopped before an answer came';
	const error = { message, description: 'Look it up.' };
	expect(run([accepted])).toMatchObject([{ kind: 'unknown', error }]);
});

test('what a later try did not reach is still known to the next one, and to the report', () => {
	run([accepted, failed('unknown'), failed('refused')]);
	const journal = journalOf();
	const known = [0, 1, 2].map((item) => journal.earlierResult(item));
	expect(known).toEqual([accepted, unknown, undefined]);
	known.forEach((fate, item) => journal.note(item, fate ?? notStarted));
	journal.close(true);
	expect(run([accepted, failed('unknown'), accepted])).toEqual([accepted, unknown, undefined]);
});

test.each<[string, Place]>([
	['another execution', { execution: 'other' }],
	['another run, as in a loop', { run: 1 }],
])('%s knows nothing of it', (_, place) => {
	run([accepted, failed('refused')]);
	expect(run([accepted, accepted], place)).toEqual([undefined, undefined]);
});

test('an item that now goes to another number or path has changed, and stays known', () => {
	run([accepted, failed('refused')]);
	expect(run([failed('refused')], {}, [request('5511900100000')])).toEqual(['changed']);
	expect(run([failed('refused')], {}, [{ ...request(), path: '/v2' }])).toEqual(['changed']);
	expect(run([failed('refused')])).toEqual([accepted]);
	// Without a number, requests are told apart by their bodies.
	const of = (campaign: string) => ({ ...request(), message: undefined, body: { campaign } });
	run([accepted, failed('refused')], { run: 1 }, [of('a'), of('b')]);
	const known = run([accepted, failed('refused')], { run: 1 }, [of('c'), of('b')]);
	expect(known).toEqual(['changed', undefined]);
});

const withText = (text: string) => request(undefined, text);
const withFile = (name: string) => ({ ...request(), file: () => name });

test.each([
	['text', 'it contains the time', withText],
	['file', 'it was made again', withFile],
])('an item whose %s has changed, e.g. because %s, is the same', (_, __, requestWith) => {
	run([accepted, failed('refused')], {}, ['1', '2'].map(requestWith));
	expect(run([accepted, accepted], {}, ['3', '4'].map(requestWith))).toEqual([accepted, undefined]);
});

test.each([
	[{ continues: true }, undefined],
	[{ continues: true, retryOnFail: true }, accepted],
	[{ retryOnFail: true }, accepted],
	[{}, accepted],
])('after a run with a failure and %j, what was accepted is %j', (place, known) => {
	run([accepted, failed('refused')], place);
	expect(run([accepted, failed('refused')], place)[0]).toEqual(known);
});

describe('n8n’s Retry', () => {
	test('goes on, and identifies the run until it has taken it over', () => {
		run([accepted, failed('refused')], { execution: '7' });
		const journal = journalOf({ execution: '8', of: '7' });
		expect(journal.inherited).toBe('7 0');
		journal.inherit();
		expect(journal.inherited).toBeUndefined();
		expect(journal.recall(0, request())).toEqual(accepted);
		expect(journalOf({ execution: '8' }).inherited).toBeUndefined();
		expect(journalOf({ execution: '9', of: '8' }).inherited).toBe('8 0');
	});

	test('identifies a run that had not begun by the start of its execution', () => {
		const context = contextOf({ execution: '8', of: '7' });
		const began = { source: 'webhook', establishedAt: 1_795_000_000_000 };
		Object.assign(context, { getExecutionContext: () => began });
		expect(new Journal(context, uncertainty).inherited).toBe('1795000000000 0');
	});

	test('of an execution without a journal may find that anything was sent', () => {
		expect(journalOf().isForgotten).toBe(false); // not a retry
		expect(journalOf({ execution: '8', of: '7' }).isForgotten).toBe(true);
		expect(journalOf({ execution: '8' }).isForgotten).toBe(true); // the next try
		expect(journalOf({ execution: '9', of: '8' }).isForgotten).toBe(true);
	});

	test('in a loop, only an earlier run of its own shows that a run had not begun', () => {
		run([accepted], { execution: '7' });
		const second = journalOf({ execution: '8', of: '7', run: 1 });
		expect(second.isForgotten).toBe(true);
		second.inherit();
		expect(journalOf({ execution: '8', of: '8', run: 2 }).isForgotten).toBe(false);
	});
});

describe('as the tool of an agent', () => {
	const place = { type: 'n8n-nodes-messaging-gateway.messagingGatewayTool' };

	test('the same message is known in the next run, however often it comes; another one is sent', () => {
		run([failed('unknown')], { ...place, run: 0 });
		expect(journalOf(place).earlierResult(0)).toBeUndefined(); // a call that fails first reports no other
		expect(run([accepted], place, [request(undefined, 'Good bye')])).toEqual([undefined]);
		for (let next = 1; next < 5; next++) {
			expect(run([failed('unknown')], { ...place, run: next })).toEqual([unknown]);
		}
	});

	test('a message can be sent again on purpose once its call has sent everything', () => {
		const requests = [request(), request('5511900100000')];
		run([accepted, failed('refused')], place, requests);
		expect(run([accepted, accepted], place, requests)).toEqual([accepted, undefined]);
		expect(run([accepted], place, [request()])).toEqual([undefined]);
	});

	test.each([
		['memory', (content: string) => ({ data: btoa(content) })],
		['a store', (content: string) => ({ data: 'database', id: `executions/1/${content}` })],
	])('another file in %s to the same number is sent, the same one is not', async (_, fileOf) => {
		const stored = { 'executions/1/one': Buffer.from('1'), 'executions/1/other': Buffer.from('2') };
		const audio = async (content: string) => {
			const files = { voice: { mimeType: 'audio/ogg', ...fileOf(content) } };
			const parameters = { binaryPropertyName: 'voice' };
			return await sendAudio.request(await makeItemOf(sendAudio, parameters, { files, stored }));
		};
		run([failed('unknown')], place, [await audio('one')]);
		expect(run([accepted], place, [await audio('other')])).toEqual([undefined]);
		expect(run([accepted], place, [await audio('one')])).toEqual([unknown]);
	});

	describe('a message with a time', () => {
		const at = async (scheduleAt: string) =>
			await sendSms.request(await makeItemOf(sendSms, { scheduleAt }));
		const inMs = (ms: number) => new Date(begun + ms).toISOString();
		const begun = Date.now();

		test('is the same once its time has passed, and another one at another time', async () => {
			const call = async (ms: number) => run([failed('unknown')], place, [await at(inMs(ms))])[0];
			expect(await call(60_000)).toBeUndefined();
			expect(await call(90_000)).toBeUndefined();
			expect(await call(60_000)).toEqual(unknown);
			jest.spyOn(Date, 'now').mockReturnValue(begun + 61_000);
			expect(await call(60_000)).toEqual(unknown);
		});

		test('that has passed is sent now, whenever that is', async () => {
			for (const [scheduleAt, known] of [[inMs(-1000)], [inMs(-2000), unknown], ['', unknown]])
				expect(run([failed('unknown')], place, [await at(scheduleAt as string)])).toEqual([known]);
		});
	});

	test('the retried calls are taken over once, by whichever call comes first', () => {
		run([accepted], { ...place, execution: '7' });
		const context = contextOf({ ...place, execution: '8', of: '7' });
		const [first, second] = [0, 1].map(() => new Journal(context, uncertainty));
		expect([first!.inherited, second!.inherited]).toEqual(['7 calls', '7 calls']);
		first!.inherit();
		expect([second!.inherited, second!.isForgotten]).toEqual([undefined, false]);
	});

	test('a retry without a record knows that it may be lost', () => {
		expect(journalOf(place).isForgotten).toBe(false);
		const retry = { ...place, execution: '8', of: '7' };
		run([accepted], retry);
		expect(journalOf(retry).isForgotten).toBe(true);
	});

	test('nor may it be whole where n8n saves the progress of executions', () => {
		run([accepted], { ...place, execution: '7' });
		const context = contextOf({ ...place, execution: '8', of: '7' });
		const saving = { getWorkflowSettings: () => ({ saveExecutionProgress: true }) };
		const journal = new Journal(Object.assign(context, saving), uncertainty);
		expect(journal.isForgotten).toBe(true);
		expect(journal.recall(0, request())).toEqual(accepted);
	});

	test.each([accepted, failed('unknown')])('simultaneous calls keep their own entries', (other) => {
		const [one, two] = [request(), request('5511900100000')];
		const context = contextOf(place);
		const underWay = [0, 1].map(() => new Journal(context, uncertainty));
		[one, two].forEach((each, call) => underWay[call]!.recall(0, each));
		[failed('unknown'), other].forEach((result, call) => {
			underWay[call]!.note(0, result);
			underWay[call]!.close(result.kind !== 'accepted');
		});
		expect(run([accepted], place, [one])).toEqual([unknown]);
		const isKept = other.kind === 'unknown';
		expect(run([accepted], place, [two])).toEqual([isKept ? unknown : undefined]);
	});

	test('outside of an execution, the tries of a call are recognized by their arguments object, if there is one', () => {
		const given = { to: '5511912345678' };
		const called = { ...place, execution: '', given };
		run([failed('unknown')], called);
		expect(run([accepted], { ...called, given: { ...given } })).toEqual([undefined]);
		expect(run([failed('unknown')], called)).toEqual([unknown]);
		for (let call = 0; call < 2; call++) {
			const context = { ...contextOf({ ...place, execution: '' }), getInputData: () => [] };
			const journal = new Journal(context as unknown as IExecuteFunctions, uncertainty);
			expect(journal.recall(0, request())).toBeUndefined();
			journal.note(0, failed('unknown'));
			journal.close(true);
		}
	});
});

test('an error without an HTTP status is kept with its texts', () => {
	const error = new NodeOperationError(node, 'Not answered', { description: 'Ask' });
	run([{ kind: 'unknown', error, hint: 'Ask', endsRun: false }]);
	expect(run([accepted])).toMatchObject([
		{ kind: 'unknown', error: { message: 'Not answered', httpCode: null } },
	]);
});

test('where n8n has no data of the execution, nothing is kept, and nothing breaks', () => {
	const getContext = () => {
		throw new Error('`executionData` is not initialized');
	};
	const journal = new Journal(Object.assign(contextOf(), { getContext }), uncertainty);
	expect(journal.recall(0, request())).toBeUndefined();
	journal.note(0, accepted);
	journal.close(false);
});
