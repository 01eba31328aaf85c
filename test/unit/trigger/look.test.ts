import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { look } from '../../../nodes/MessagingGatewayTrigger/registration/look';
import { openSelf } from '../../../nodes/MessagingGatewayTrigger/registration/self';
import { makeContext } from '../../../tools/shared/context';

const own = 'https://n8n.example.com/webhook/4f1c/webhook';

/** A trigger whose service answers this. */
function makeTrigger(webhook: () => IDataObject): IHookFunctions {
	const http = async () => ({ statusCode: 200, headers: {}, body: JSON.stringify(webhook()) });
	const more = {
		getInstanceId: () => 'instance-1',
		getNodeParameter: () => 'refuse',
		getWorkflowStaticData: () => ({}),
	};
	return Object.assign(makeContext({ http }), more) as unknown as IHookFunctions;
}

const foreign = 'https://crm.example.com/hook';

async function readFrom(answer: IDataObject) {
	const self = await openSelf(
		makeTrigger(() => answer),
		own,
	);
	return (await look(self, 'start')).chain.map(({ url, enabled }) => ({ url, enabled }));
}

test.each<[IDataObject, boolean | undefined]>([
	[{ url: foreign, enabled: true }, true],
	[{ url: foreign, enabled: false }, false],
	// Any other value does not say that it is off.
	...[null, undefined, 'true', 1, 'false'].map((enabled): [IDataObject, boolean] => [
		{ url: foreign, enabled },
		true,
	]),
	[{ url: '', enabled: true }, undefined],
	[{ url: null, enabled: null }, undefined],
	[{ url: null }, undefined],
])('the service answers %j; enabled: %j', async (answer, enabled) => {
	const expected = enabled === undefined ? [] : [{ url: foreign, enabled }];
	expect(await readFrom(answer)).toEqual(expected);
});

test.each<[IDataObject]>([
	[{}],
	[{ '': foreign }],
	[{ webhook: foreign }],
	[{ enabled: false }],
	[{ url: 7, enabled: true }],
	[{ url: { href: foreign }, enabled: true }],
	[{ url: [foreign], enabled: false }],
])('%j says nothing of a webhook', async (answer) => {
	await expect(readFrom(answer)).rejects.toMatchObject({
		name: 'NodeApiError',
		message: expect.stringContaining('unexpected answer') as unknown,
	});
});
