/**
 * The law of order: what a message passes before it leaves, each check before the next one (`checks`
 * in checks.ts). Each test fails where its two change places.
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { inProcess } from '../../../nodes/n8n/processState';
import type { ItemRequest, Operation } from '../../../nodes/send/operation';
import { Store } from '../support/store';
import { uncertainty } from '../support/uncertainty';
import { answer, run as runOn, type RunOptions } from './support';

const accepted = answer(200, { success: true, messageId: 'm-1' });
const refused = answer(400, { success: false, message: 'No credit' });
const duplicate = { skipped: true, reason: 'duplicate' };
const outsideHours = { skipped: true, reason: 'outsideHours' };
const doNotContact = { skipped: true, reason: 'doNotContact' };

const send: Operation = {
	...{ value: 'send', name: 'Send', action: 'Send', description: '', fields: [] },
	idempotent: false,
	uncertainty,
	request: ({ json: { to, key, isLate } }) => {
		const request: ItemRequest = {
			...{ method: 'POST', path: '/v1/sms/enviar', body: { to }, expected: 'sent' },
			message: {
				...{ recipient: to as string, channel: 'sms' },
				deduplication: key ? { key: key as string, oncePer: 'key' } : undefined,
				requestAt: isLate
					? () => ({ kind: 'withheld', reason: 'outsideHours', why: 'It is late' })
					: undefined,
			},
			output: () => ({ to }),
		};
		return request;
	},
};

/** The node's context, which n8n passes to the execution that its Retry starts. */
let ofNode: IDataObject;
let store: Store;
/** Whom the do-not-contact list was asked about, and whether it allows messages. */
let asked: unknown[];
let isAllowed: boolean;
/** What the key store had then. */
let whenAsked: unknown;

beforeEach(() => {
	inProcess.clear();
	[ofNode, store, asked, isAllowed] = [{}, new Store(), [], true];
});

async function run(messages: IDataObject[], { own, ...more }: RunOptions = {}) {
	const list = async (_: unknown, items: INodeExecutionData[]) => {
		asked.push(...items.map(({ json: { to } }) => to));
		whenAsked = store.table.dump();
		const answers = items.map(({ json: { to } }) => ({ json: { to: to!, allowed: isAllowed } }));
		return { executionId: '1', data: [answers] };
	};
	const { outputs, requests, error } = await runOn(send, messages, {
		...{ answers: [accepted], continueOnFail: true, deduplication: store.helpers },
		rules: { doNotContactWorkflowId: 'w-1', maxConcurrency: 1 },
		own: { getContext: () => ofNode as never, executeWorkflow: list, ...own },
		...more,
	});
	return { outputs: outputs.map(({ json }) => json), sent: requests.length, error };
}

/** The Retry of an execution, which begins with the context that n8n stored. */
async function retry(id: string, stored: IDataObject, messages: IDataObject[]) {
	ofNode = structuredClone(stored);
	return await run(messages, { own: { getMode: () => 'retry', getExecutionId: () => id } });
}

test('a message whose number was changed is no message that was sent, even if another retry has taken over the rest', async () => {
	const messages = [{ to: '1' }, { to: '2' }];
	await run(messages, { answers: [accepted, refused], continueOnFail: false });
	const stored = structuredClone(ofNode);
	await retry('8', stored, messages);
	const { outputs, sent } = await retry('9', stored, [{ to: '3' }, { to: '2' }]);
	const changed = expect.stringContaining("before the retry with another 'To'") as string;
	const retried = expect.stringContaining('already been retried') as string;
	expect(outputs).toMatchObject([{ error: { message: changed } }, { error: { message: retried } }]);
	expect(sent).toBe(0);
});

test('a message that may have been sent is reported as that, even if it may not leave now', async () => {
	const { outputs } = await retry('8', {}, [{ to: '1', isLate: true }]);
	expect(outputs).toMatchObject([{ error: { outcome: 'unknown' } }]);
});

test('nothing is asked for a message that may not leave now: not its key, and not the list', async () => {
	await run([{ to: '1', key: 'a' }]);
	asked = [];
	const before = store.calls;
	const { outputs } = await run([{ to: '1', key: 'a', isLate: true }]);
	expect(outputs).toMatchObject([outsideHours]);
	expect([store.calls, asked]).toEqual([before, []]);
});

test('a message that was sent before needs no permission', async () => {
	await run([{ to: '1', key: 'a' }]);
	[asked, isAllowed] = [[], false];
	expect((await run([{ to: '1', key: 'a' }])).outputs).toMatchObject([duplicate]);
	expect(asked).toEqual([]);
});

test('without permission, the key stays free: it is claimed once the list has answered', async () => {
	isAllowed = false;
	const before = store.table.dump();
	expect((await run([{ to: '1', key: 'a' }])).outputs).toMatchObject([doNotContact]);
	expect(whenAsked).toEqual(before);
	isAllowed = true;
	const { outputs, sent } = await run([{ to: '1', key: 'a' }]);
	expect([outputs, sent]).toEqual([[{ to: '1' }], 1]);
});

test('a key is claimed before its request leaves', async () => {
	let whenSent: unknown;
	const before = store.table.dump();
	await run([{ to: '1', key: 'a' }], { wait: async () => (whenSent = store.table.dump()) });
	expect(whenSent).not.toEqual(before);
});
