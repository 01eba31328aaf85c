/**
 * What the real n8n reads of deliveries before the trigger gets them. Forged ones, and what the trigger makes
 * of the rest: engine/trigger/delivery. One workflow for all, since n8n takes seconds to publish one.
 */
import type { IDataObject } from 'n8n-workflow';
import { fetchOnce, outputOf } from '../../tools/host';
import { sharedHost } from './sharedHost';
import { Account } from './trigger/account';
import { TriggerWorkflow } from './trigger/triggerWorkflow';

let account: Account;
let workflow: TriggerWorkflow;
/** How often it had started before the test. */
let before: number;

beforeAll(async () => {
	const host = await sharedHost();
	account = await Account.open(host.client);
	workflow = await TriggerWorkflow.create(host, account);
	await workflow.publish();
});
beforeEach(async () => {
	before = (await workflow.executions()).length;
});
afterAll(async () => {
	await workflow?.unpublish();
	await account?.close();
});

/** Delivers a body as it is. */
async function post(body: string, contentType?: string) {
	const response = await fetchOnce(account.url, {
		method: 'POST',
		headers: contentType ? { 'content-type': contentType } : {},
		body: contentType ? body : Buffer.from(body), // fetch would name the type of a text
	});
	return { status: response.status, answer: await response.text() };
}

/** What the workflow was started with, as the n-th time in the test. */
async function items(count = 1): Promise<IDataObject[]> {
	return outputOf(await workflow.newestOf(before + count), 'Trigger').map(({ json }) => json);
}

const raw = (value: string | IDataObject) => [{ raw: value, _gateway: {} }];

it.each<[string, string, string | undefined, IDataObject[]]>([
	['XML', '<m><id>7</id></m>', 'application/xml', raw({ m: { id: '7' } })],
	['nothing, without a type', '', undefined, raw('')],
	['JSON without a type', '{"a":1}', undefined, [{ a: 1, _gateway: {} }]],
	['an unknown type', 'abc', 'application/octet-stream', raw('abc')],
])('passes on %s', async (_, body, contentType, expected) => {
	expect(await post(body, contentType)).toEqual({ status: 200, answer: '' });
	expect(await items()).toEqual(expected);
});

it('passes on the fields of a form, and its files as binary data', async () => {
	const body = new FormData();
	body.set('status', 'delivered');
	body.set('photo', new File(['1234567'], 'photo.png', { type: 'image/png' }));
	const response = await fetchOnce(account.url, { method: 'POST', body });
	expect([response.status, await response.text()]).toEqual([200, '']);
	const [item] = outputOf(await workflow.newestOf(before + 1), 'Trigger');
	expect(item!.json).toEqual({ raw: { status: 'delivered' }, _gateway: { status: 'delivered' } });
	expect(item!.binary).toMatchObject({ photo: { fileName: 'photo.png', bytes: 7 } });
});

it('leaves what n8n cannot read to n8n, which answers 422', async () => {
	expect((await post('{"messageId":', 'application/json')).status).toBe(422);
	expect((await post('<m><id>', 'application/xml')).status).toBe(422);
	expect((await post('x', 'text/plain; charset=iso-8859-1')).status).toBe(422);
	await post('{"messageId":"good"}', 'application/json');
	expect(await items()).toMatchObject([{ messageId: 'good' }]);
});
