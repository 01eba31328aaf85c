import {
	NodeApiError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Abort } from '../../../nodes/pace/abort';
import type { ItemRequest } from '../../../nodes/send/operation';
import type { Fate } from '../../../nodes/send/job';
import { Journal } from '../../../nodes/send/journal';
import { keyOf } from '../../../nodes/send/keys/keyStore';
import { RunKeys } from '../../../nodes/send/keys/runKeys';
import { makeContext, node } from '../../../tools/shared/context';
import { uncertainty } from '../support/uncertainty';
/** What n8n stores of a run, letter by letter. Later versions have to read it, or they send twice. */

const request = (recipient?: string): ItemRequest => ({
	...{ method: 'POST', path: '/v1/sms/enviar' },
	message: recipient ? { recipient, channel: 'sms' } : undefined,
	body: { to: recipient, msg: 'Hello' },
	output: () => ({}),
});

/** The journal of a node with this context, of one execution or its Retry. */
function journalOf(place: IDataObject, { type = node.type, mode = 'trigger', id = '7' } = {}) {
	const context = {
		...makeContext({ node: { type } }),
		getMode: () => mode,
		getContext: () => place,
		getExecutionId: () => id,
		getWorkflowDataProxy: () => ({ $runIndex: 2 }),
	} as unknown as IExecuteFunctions;
	return new Journal(context, uncertainty);
}

const error = new NodeApiError(node, {}, { message: 'No', description: 'Ask', httpCode: '502' });
const results: Array<Fate | undefined> = [
	{ kind: 'accepted', output: [{ messageId: 'm-1' }] },
	{ kind: 'skipped', output: [{ skipped: true }] },
	{ kind: 'unknown', error, hint: 'Ask', endsRun: true },
	undefined, // under way
];

const sms = 'hy3BWyEKt7TlTLZHqTNKPdMBK_vSLe4lQ6xH-SK-c34';
const stored = {
	v: 1,
	execution: '7',
	run: 2,
	entries: {
		0: { kind: 'accepted', output: [{ messageId: 'm-1' }], request: sms },
		1: { kind: 'skipped', output: [{ skipped: true }], request: sms },
		2: { kind: 'unknown', message: 'No', hint: 'Ask', httpCode: '502', request: sms },
		3: { kind: 'sending', key: 'j6Oqsvqpt54KA5jaW1q9B4AUJEKlvoC5pkYI1xjLH80', request: sms },
	},
};

test('the journal of a run', () => {
	const place: IDataObject = {};
	const journal = journalOf(place);
	results.forEach((result, item) => {
		journal.recall(item, request('5511912345678'), 'a key');
		journal.claim(item);
		if (result) journal.note(item, result);
	});
	expect(place).toEqual({ journal: stored });
});

test('is read by the execution’s Retry', () => {
	const retry = journalOf({ journal: structuredClone(stored) }, { mode: 'retry', id: '8' });
	expect([retry.inherited, retry.isForgotten]).toEqual(['7 2', false]);
	const known = [0, 1, 2, 3].map((item) =>
		retry.recall(item, request('5511912345678'), item === 3 ? 'a key' : undefined),
	);
	expect(known).toMatchObject([
		results[0],
		results[1],
		{ kind: 'unknown', error: { message: 'No' }, hint: 'Ask' },
		'keyKnows',
	]);
});

test('the journal of an agent’s tool', () => {
	const type = `${node.type}Tool`;
	const place: IDataObject = {};
	const journal = journalOf(place, { type });
	journal.recall(0, request('5511912345678'));
	journal.claim(0);
	journal.note(0, results[0]!);
	journal.close(false);
	const call = {
		...stored.entries[0],
		request: 'G41NmF88eCqRPVHBDW3CGN3WvzT3Ck6y3MS2CxpC4Wc',
		execution: '7',
		isOver: true,
	};
	const ofCalls = { v: 1, execution: '7', run: 'calls', entries: { [call.request]: call } };
	expect(place).toEqual({ journal: ofCalls });
	const retry = journalOf(place, { type, mode: 'retry', id: '8' });
	expect(retry.recall(0, request('5511912345678'))).toMatchObject(results[0]!);
});

test('of a retry that found none', () => {
	const place: IDataObject = {};
	journalOf(place, { mode: 'retry', id: '8' });
	expect(place).toEqual({ journal: { v: 1, isForgotten: true, run: 2, entries: {} } });
});

test.each(['trigger', 'retry'])('of another version, in mode %s, counts as lost', (mode) => {
	const place: IDataObject = { journal: { v: 2, run: 2, anything: ['else'] } };
	expect(journalOf(place, { mode })).toMatchObject({ isForgotten: true });
	expect(place).toEqual({ journal: { v: 1, isForgotten: true, run: 2, entries: {} } });
	expect(journalOf(place, { mode })).toMatchObject({ isForgotten: true }); // the next try
});

test('how many keys the rounds of a loop have used', () => {
	const keys = { before: 3, now: 4 };
	const place: IDataObject = { journal: { ...stored, run: 1, keys } };
	const journal = journalOf(place);
	expect(journal.useKeys(5)).toBe(12);
	expect(place).toMatchObject({ journal: { run: 2, keys: { before: 7, now: 5 } } });
});

/** What a store gets of keys that are claimed, sent and ended. */
async function keysIn(deduplicationWorkflow?: string) {
	const entries: unknown[] = [];
	const context = {
		...makeContext({ node: { id: 'node-1' } }),
		getInstanceId: () => 'instance',
		executeWorkflow: async (_: unknown, items: INodeExecutionData[]) => {
			entries.push(...items.map(({ json }) => json));
			const outputs = items.map(({ json: { key } }) => ({ json: { key, state: 'fresh' } }));
			return { executionId: '1', data: [outputs] };
		},
		helpers: {
			async checkProcessedAndRecord(added: string[]) {
				entries.push(...added);
				return { new: added, processed: [] };
			},
		},
	} as unknown as IExecuteFunctions;
	const keys = new RunKeys(context, context.getNode(), new Abort());
	const account = { deduplicationWorkflowId: deduplicationWorkflow };
	for (const oncePer of ['key', 'keyAndNumber'] as const) {
		const deduplication = { key: 'order-1', oncePer };
		const key = keyOf(deduplication, '5511912345678', account as never);
		await keys.claim(key);
		keys.endClaim(key, { kind: 'accepted', output: [] });
	}
	await keys.close();
	return entries;
}

test('a key in n8n’s own store', async () => {
	expect(await keysIn()).toEqual([
		'KR8tFRQG6WqoE-74uE-ixXFPNUfF5RlKSYVSCPmbSuc', // claimed
		'o9kKYoH7yyTAT830soohjXRy8VPDOJ_oW6cHWjtlboc', // done
		'HN_4vRZ1ftN2kWvZrbXhKdCyFQpRQXJFGmtXiip9668', // its number
		'RK0nBX7IDOeJmFF5OVJxyX-JW9lDQl7mCNmmpgYmGD0', // the same once per key and number
		'wE7KJUg3RUAZAn4nIZrh8VELVZ4HpM0wyQVroA9D2Nc',
		'Na3FmrpLfhhfkbb1p1nKGKmbx887kvxnvLsdBqLqTr0',
	]);
});

test('a key as a workflow gets it', async () => {
	const to = '5511912345678';
	const claimId = expect.stringMatching(/^[\da-f-]{36}$/) as string;
	const until = expect.stringMatching(/Z$/) as string;
	const one = { v: 1, scope: 'workflow-1 node-1', key: 'order-1', to, claimId };
	const both = { ...one, scope: 'workflow-1 node-1 keyAndNumber', key: `order-1 ${to}` };
	expect(await keysIn('w-1')).toEqual([
		{ ...one, action: 'claim', until },
		{ ...one, action: 'accept' },
		{ ...both, action: 'claim', until },
		{ ...both, action: 'accept' },
	]);
});
