import type { IDataObject } from 'n8n-workflow';

import { openAccount } from '../../../nodes/MessagingGatewayTrigger/registration/account';
import { makeContext } from '../support/context';

const url = 'https://crm.example.com/hook';

async function readFrom(body: IDataObject) {
	const answer = { statusCode: 200, headers: {}, body: JSON.stringify(body) };
	const account = await openAccount(makeContext({ http: async () => answer }));
	return await account.read();
}

test.each([
	[
		{ url, enabled: true },
		{ url, enabled: true },
	],
	[
		{ url, enabled: false },
		{ url, enabled: false },
	],
	[
		{ url, enabled: null },
		{ url, enabled: false },
	],
	[{ url }, { url, enabled: false }],
	[{ url: '', enabled: true }, undefined],
	[{ url: null, enabled: null }, undefined],
	[{ url: null }, undefined],
	[{ enabled: false }, undefined],
])('the service tells %j: %j', async (body, webhook) => {
	expect(await readFrom(body)).toEqual(webhook);
});

test.each<[IDataObject]>([[{}], [{ '': url }], [{ webhook: url }]])(
	'%j says nothing of a webhook',
	async (body) => {
		await expect(readFrom(body)).rejects.toMatchObject({
			name: 'NodeApiError',
			message: expect.stringContaining('unknown kind') as unknown,
		});
	},
);
