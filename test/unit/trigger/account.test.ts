import type { IDataObject } from 'n8n-workflow';

import { openAccount } from '../../../nodes/MessagingGatewayTrigger/registration/account';
import type { Webhook } from '../../../nodes/gateway/triggerToken';
import { makeContext } from '../../../testing/context';

const url = 'https://crm.example.com/hook';

async function readFrom(body: IDataObject) {
	const answer = { statusCode: 200, headers: {}, body: JSON.stringify(body) };
	const account = await openAccount(makeContext({ http: async () => answer }));
	return await account.read();
}

test.each<[IDataObject, Webhook | undefined]>([
	[
		{ url, enabled: true },
		{ url, enabled: true },
	],
	[
		{ url, enabled: false },
		{ url, enabled: false },
	],
	// Whatever else stands there, nobody has said that it is off.
	...[null, undefined, 'true', 1, 'false'].map((enabled): [IDataObject, Webhook] => [
		{ url, enabled },
		{ url, enabled: true },
	]),
	[{ url: '', enabled: true }, undefined],
	[{ url: null, enabled: null }, undefined],
	[{ url: null }, undefined],
])('the service tells %j: %j', async (body, webhook) => {
	expect(await readFrom(body)).toEqual(webhook);
});

test.each<[IDataObject]>([
	[{}],
	[{ '': url }],
	[{ webhook: url }],
	[{ enabled: false }],
	[{ url: 7, enabled: true }],
	[{ url: { href: url }, enabled: true }],
	[{ url: [url], enabled: false }],
])('%j says nothing of a webhook', async (body) => {
	await expect(readFrom(body)).rejects.toMatchObject({
		name: 'NodeApiError',
		message: expect.stringContaining('unknown kind') as unknown,
	});
});
