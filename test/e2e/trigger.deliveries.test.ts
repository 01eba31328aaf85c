/**
 * What the real n8n and the trigger do with deliveries: good, forged, replayed, malformed, unwanted. One
 * workflow for all of them, since n8n takes seconds to publish one.
 */
import { randomBytes } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { fetchOnce, outputOf } from '../../tools/host';
import { sharedHost } from './sharedHost';
import { Account } from './trigger/account';
import { inParallel } from './trigger/inParallel';
import { TriggerWorkflow } from './trigger/triggerWorkflow';

/** How many forged deliveries come. */
const forged = process.env.THOROUGH ? 500 : 55;

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
async function post(body: string, contentType?: string, url = account.url) {
	const response = await fetchOnce(url, {
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

it(`answers ${forged} forged deliveries with 401, and starts nothing`, async () => {
	const { secret } = account;
	const { origin, pathname } = new URL(account.url);
	const forgeries = [
		() => '',
		() => '?mgt=',
		() => `?mgt=v1.p.${randomBytes(32).toString('base64url')}`,
		() => `?mgt=v1.p.${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`,
		() => `?mgt=v1.p.${secret}X`,
		() => `?mgt=v1.p.${secret}&mgt=v1.p.${secret}`,
		() => `?mgt[]=v1.p.${secret}`,
		() => `?mgt[length]=48`,
		() => `?Mgt=v1.p.${secret}`,
		() => `?mgt=%00v1.p.${secret}`,
		() => `?mgt=v1.tmwqrquq2.${secret}`,
	];
	const urls = Array.from({ length: forged }, (_, index) => {
		return origin + pathname + forgeries[index % forgeries.length]!();
	});
	const answers = await inParallel(50, urls, async (url) => {
		return await post('{"messageId":"forged"}', 'application/json', url);
	});
	expect(answers).toEqual(urls.map(() => ({ status: 401, answer: '' })));

	// Whatever a forged delivery had started would be there before this one.
	expect((await account.deliver({ messageId: 'genuine' })).status).toBe(200);
	expect(await items()).toEqual([{ messageId: 'genuine', _gateway: { messageId: 'genuine' } }]);
});

const messages = (...ids: string[]) =>
	ids.map((messageId) => ({ messageId, _gateway: { messageId } }));
const raw = (value: string | IDataObject) => [{ raw: value, _gateway: {} }];
const a = '{"messageId":"a"}';
const form = 'application/x-www-form-urlencoded';

it.each<[string, string, string | undefined, IDataObject[]]>([
	['a list', `[${a},{"messageId":"b"}]`, 'application/json', messages('a', 'b')],
	['text', 'olá', 'text/plain', raw('olá')],
	['a form', 'a=1&b=2', form, raw({ a: '1', b: '2' })],
	['XML', '<m><id>7</id></m>', 'application/xml', raw({ m: { id: '7' } })],
	['nothing', '', 'application/json', raw('')],
	['nothing, without a type', '', undefined, raw('')],
	['JSON of an unknown type', a, 'application/vnd.api+json', messages('a')],
	['JSON as text', a, 'text/plain', messages('a')],
	['JSON as a form', '{"messageId":"a=b&c"}', form, messages('a=b&c')],
	['JSON without a type', a, undefined, messages('a')],
	['an unknown type', 'abc', 'application/octet-stream', raw('abc')],
])('passes on %s', async (_, body, contentType, expected) => {
	expect(await post(body, contentType)).toEqual({ status: 200, answer: '' });
	expect(await items()).toEqual(expected);
});

it('passes on a form with files, without their contents', async () => {
	const body = new FormData();
	body.set('status', 'delivered');
	body.set('photo', new File(['1234567'], 'photo.png', { type: 'image/png' }));
	const response = await fetchOnce(account.url, { method: 'POST', body });
	expect([response.status, await response.text()]).toEqual([200, '']);
	expect(await items()).toEqual([
		{
			raw: { status: 'delivered' },
			files: [{ field: 'photo', name: 'photo.png', type: 'image/png', size: 7 }],
			_gateway: { status: 'delivered' },
		},
	]);
});

it('leaves what n8n cannot read to n8n, which answers 422', async () => {
	expect((await post('{"messageId":', 'application/json')).status).toBe(422);
	expect((await post('<m><id>', 'application/xml')).status).toBe(422);
	expect((await post('x', 'text/plain; charset=iso-8859-1')).status).toBe(422);
	await post('{"messageId":"good"}', 'application/json');
	expect(await items()).toMatchObject([{ messageId: 'good' }]);
});
