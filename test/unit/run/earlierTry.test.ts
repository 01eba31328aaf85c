import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { ItemRequest } from '../../../nodes/MessagingGateway/operation';
import { EarlierTry } from '../../../nodes/MessagingGateway/run/earlierTry';
import { Report, type Result } from '../../../nodes/MessagingGateway/run/report';
import { makeContext, node } from '../support/context';

let executions = 0;

interface Place {
	execution?: string;
	run?: number;
	type?: string;
	id?: string;
	retryOnFail?: boolean;
	maxTries?: number;
	/** What the tool was called with. */
	given?: IDataObject;
}

const contextOf = ({ execution = String(executions), run = 0, given, ...own }: Place = {}) =>
	({
		...makeContext(),
		getNode: () => ({ ...node, retryOnFail: true, ...own }),
		getExecutionId: () => execution || undefined,
		getInputData: () => [{ json: given ?? {} }],
		getWorkflowDataProxy: () => ({ $runIndex: run }),
	}) as unknown as IExecuteFunctions;

const request = (recipient = '5511912345678', text = 'Hello'): ItemRequest => ({
	method: 'POST',
	path: '/v1/sms/enviar',
	body: { to: recipient, msg: text },
	recipient,
	output: () => ({}),
});

const accepted: Result = { kind: 'accepted', output: [{ messageId: 'm-1' }], messageId: 'm-1' };
const failed = (kind: 'unknown' | 'refused'): Result => ({
	kind,
	error: new NodeOperationError(node, 'No'),
	description: '',
	endsRun: true,
});

/** One try with these requests and what becomes of them; says what it knows from earlier. */
function run(results: Result[], place?: Place, requests = results.map(() => request())) {
	const context = contextOf(place);
	const earlier = EarlierTry.of(context);
	const known = requests.map((each, item) => earlier?.resultOf(item, each));
	const report = new Report(context, results.length);
	results.forEach((result, item) => report.set(item, result));
	earlier?.finish(report);
	return known;
}

beforeEach(() => {
	executions++;
});

test('what was accepted and what may have been is kept, what was refused is not', () => {
	const results = [accepted, failed('unknown'), failed('refused')];
	expect(run(results)).toEqual([undefined, undefined, undefined]);
	expect(run(results)).toEqual([accepted, results[1], undefined]);
});

test('what a later try did not get to is still known to the one after it, and to the report', () => {
	run([accepted, failed('unknown'), failed('refused')]);
	const context = contextOf();
	const report = new Report(context, 3);
	const earlier = EarlierTry.of(context)!;
	expect([0, 1, 2].map((item) => earlier.resultOfUnread(item)?.kind)).toEqual([
		'accepted',
		'unknown',
		undefined,
	]);
	report.set(2, failed('refused')); // such as a credential that cannot be read
	earlier.finish(report);
	expect(report.results.map(({ kind }) => kind)).toEqual(['accepted', 'unknown', 'refused']);
	expect(run([accepted, failed('unknown'), accepted])).toMatchObject([
		accepted,
		{ kind: 'unknown' },
		undefined,
	]);
});

test('an item that was not started is sent', () => {
	run([failed('refused')], {}, [request(), request()]);
	expect(run([accepted, accepted])).toEqual([undefined, undefined]);
});

test.each<[string, Place]>([
	['another execution', { execution: 'other' }],
	['another run, as in a loop', { run: 1 }],
	['another node', { id: 'node-2' }],
])('%s knows nothing of it', (_, place) => {
	run([accepted, failed('refused')]);
	expect(run([accepted, accepted], place)).toEqual([undefined, undefined]);
});

test('an execution and a node whose ids look alike written together know nothing of it', () => {
	run([accepted, failed('refused')], { execution: '91', id: '2' });
	const known = run([accepted, accepted], { execution: '9', id: '12' });
	expect(known).toEqual([undefined, undefined]);
});

test('where nothing was read, nothing is told', () => {
	const context = contextOf();
	const report = new Report(context, 1);
	EarlierTry.of(context)!.finish(report);
	expect(report.results).toEqual([]);
});

test('an item that now goes to another number is sent', () => {
	run([accepted, failed('refused')]);
	const requests = [request('5511900000000'), request()];
	expect(run([accepted, accepted], {}, requests)[0]).toBeUndefined();
});

test('an item whose text has changed, by a clock for example, is the same', () => {
	run([accepted, failed('refused')]);
	const requests = [request(undefined, 'Hello again'), request()];
	expect(run([accepted, accepted], {}, requests)[0]).toEqual(accepted);
});

test('without Retry On Fail, or an execution to tell apart, nothing is kept', () => {
	for (const place of [{ retryOnFail: false }, { execution: '' }]) {
		expect(EarlierTry.of(contextOf(place))).toBeUndefined();
	}
});

test('after a try in which nothing failed, the next one begins anew', () => {
	run([accepted, failed('refused')]);
	run([accepted, accepted]);
	expect(run([accepted, accepted])).toEqual([undefined, undefined]);
});

test('after the last try nothing is kept', () => {
	for (let time = 0; time < 2; time++) run([accepted, failed('refused')], { maxTries: 2 });
	expect(run([accepted, accepted], { maxTries: 2 })).toEqual([undefined, undefined]);
});

test.each([0, 1])('n8n tries again also where Max. Tries is %i', (maxTries) => {
	run([accepted, failed('unknown')], { maxTries });
	expect(run([accepted, accepted], { maxTries })).toMatchObject([accepted, { kind: 'unknown' }]);
});

test('of very many executions at once, the oldest are forgotten', () => {
	const first = String(executions);
	const others = (count: number) => {
		for (let time = 0; time < count; time++) {
			executions++;
			run([accepted, failed('refused')]);
		}
	};
	run([accepted, failed('refused')]);
	others(9_999);
	expect(run([accepted, failed('refused')], { execution: first })[0]).toEqual(accepted);
	others(10_000);
	expect(run([accepted, accepted], { execution: first })[0]).toBeUndefined();
});

test('of executions that have made their last try, nothing is kept', () => {
	const first = String(executions);
	run([accepted, failed('refused')]);
	for (let time = 0; time < 10_000; time++) {
		executions++;
		for (let number = 0; number < 3; number++) run([accepted, failed('refused')]);
	}
	expect(run([accepted, failed('refused')], { execution: first })[0]).toEqual(accepted);
});

describe('as the tool of an agent', () => {
	const place = { type: 'n8n-nodes-messaging-gateway.messagingGatewayTool', maxTries: 2 };

	test('the same message is known in the next run, however often it comes', () => {
		const unknown = failed('unknown');
		run([unknown], { ...place, run: 0 });
		for (let next = 1; next < 5; next++) {
			expect(run([unknown], { ...place, run: next })).toEqual([unknown]);
		}
	});

	test('a message is sent again on purpose, once all that the call was to send is sent', () => {
		const requests = [request(), request('5511900000000')];
		run([accepted, failed('refused')], place, requests);
		expect(run([accepted, accepted], place, requests)).toEqual([accepted, undefined]);
		expect(run([accepted], place, [request()])).toEqual([undefined]);
	});

	test('another message to the same number is sent', () => {
		run([failed('unknown')], place);
		expect(run([accepted], place, [request(undefined, 'Good bye')])).toEqual([undefined]);
	});

	test('what an earlier call became of is not told by one that failed before it read anything', () => {
		run([failed('unknown')], place);
		const context = contextOf(place);
		const report = new Report(context, 1);
		const earlier = EarlierTry.of(context)!;
		expect(earlier.resultOfUnread(0)).toBeUndefined();
		earlier.finish(report);
		expect(report.results).toEqual([]);
	});

	test.each([accepted, failed('unknown')])('calls at the same time keep each its own', (other) => {
		const [one, two] = [request(), request('5511900000000')];
		const unknown = failed('unknown');
		const contexts = [contextOf({ ...place, run: 0 }), contextOf({ ...place, run: 1 })];
		const underWay = contexts.map((context) => EarlierTry.of(context)!);
		[one, two].forEach((each, call) => underWay[call]!.resultOf(0, each));
		[unknown, other].forEach((result, call) => {
			const report = new Report(contexts[call]!, 1);
			report.set(0, result);
			underWay[call]!.finish(report);
		});
		expect(run([unknown], { ...place, run: 2 }, [one])).toEqual([unknown]);
		const isKept = other.kind === 'unknown';
		expect(run([other], { ...place, run: 3 }, [two])).toEqual([isKept ? other : undefined]);
	});

	test('outside of an execution, a call without arguments cannot be told from others', () => {
		const context = { ...contextOf({ ...place, execution: '' }), getInputData: () => [] };
		expect(EarlierTry.of(context as unknown as IExecuteFunctions)).toBeUndefined();
	});

	test('outside of an execution, each try of a call has its very arguments, and no other call', () => {
		const given = { to: '5511912345678' };
		const unknown = failed('unknown');
		const call = { ...place, execution: '', given };
		run([unknown], call);
		expect(run([accepted], { ...call, given: { ...given } })).toEqual([undefined]);
		expect(run([unknown], call)).toEqual([unknown]);
	});
});
