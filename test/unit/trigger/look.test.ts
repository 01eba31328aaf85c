import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { look } from '../../../nodes/MessagingGatewayTrigger/registration/look';
import { Self } from '../../../nodes/MessagingGatewayTrigger/registration/self';
import { identityOf, secretFor } from '../../../nodes/MessagingGatewayTrigger/token';
import { credential, makeContext } from '../../../tools/shared/context';

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

/** Where a trigger with a service on the internet asks who answers, when its URL leads elsewhere. */
async function askedAt(address: string): Promise<string[]> {
	const asked: string[] = [];
	const context = makeTrigger(() => {
		const url = `${address}?mgt=v1.p.${secretFor(credential.apiKey, identityOf(context))}`;
		return { url, enabled: true };
	});
	context.helpers.httpRequest = async ({ url }) => {
		asked.push(url);
		return { statusCode: 401 };
	};
	await look(await Self.open(context, own), 'start');
	return asked;
}

test.each([
	['https://old.example.com/webhook/4f1c/webhook', true],
	['https://old.example.com/n8n/hooks/4f1c/webhook', true],
	['https://old.example.com/webhook/other/webhook', false],
	['https://n8n.example.com/hooks/4f1c/webhook', false], // this host
	['http://old.example.com/webhook/4f1c/webhook', false],
	['https://10.0.0.1/webhook/4f1c/webhook', false],
	['https://169.254.169.254/webhook/4f1c/webhook', false],
	['https://[::1]/webhook/4f1c/webhook', false],
	['https://localhost/webhook/4f1c/webhook', false],
	['https://n8n.internal/webhook/4f1c/webhook', false],
])('%s is asked: %s', async (address, isAsked) => {
	expect(await askedAt(address)).toEqual(isAsked ? [address] : []);
});

const foreign = 'https://crm.example.com/hook';

async function readFrom(answer: IDataObject) {
	const self = await Self.open(
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
