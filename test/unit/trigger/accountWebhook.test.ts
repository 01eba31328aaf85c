import type { IHookFunctions } from 'n8n-workflow';

import { AccountWebhook } from '../../../nodes/MessagingGatewayTrigger/registration/accountWebhook';
import { identityOf, secretFor } from '../../../nodes/MessagingGatewayTrigger/token';
import { credential, makeContext } from '../../../testing/context';

const own = 'https://n8n.example.com/webhook/4f1c/webhook';

/** Where a trigger with a service on the internet asks who answers, when its URL leads elsewhere. */
async function askedAt(address: string): Promise<string[]> {
	const asked: string[] = [];
	const context = Object.assign(
		makeContext({
			http: async () => {
				const url = `${address}?mgt=v1.p.${secretFor(credential.apiKey, identityOf(context))}`;
				return { statusCode: 200, headers: {}, body: JSON.stringify({ url, enabled: true }) };
			},
		}),
		{ getInstanceId: () => 'instance-1', getWorkflowStaticData: () => ({}) },
	) as unknown as IHookFunctions;
	context.helpers.httpRequest = async ({ url }) => {
		asked.push(url);
		return { statusCode: 401 };
	};
	const webhook = await AccountWebhook.open(context, own, 'start');
	await webhook.read();
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
