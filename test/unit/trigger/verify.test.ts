import type { IWebhookFunctions } from 'n8n-workflow';

import { isGenuine } from '../../../nodes/MessagingGatewayTrigger/delivery/receive';
import { identityOf, secretFor } from '../../../nodes/MessagingGatewayTrigger/identity';
import { formatToken } from '../../../nodes/gateway/triggerToken';

/** A webhook call to a node, in a process that knows nothing yet. */
function callTo(
	webhookId: string,
	getCredentials: () => Promise<object>,
	mode = 'webhook',
): IWebhookFunctions {
	return {
		getMode: () => mode,
		getInstanceId: () => 'instance',
		getWorkflow: () => ({ id: 'workflow', active: true }),
		getNode: () => ({ id: 'node', webhookId }),
		getWorkflowStaticData: () => ({}),
		getCredentials,
	} as unknown as IWebhookFunctions;
}

afterEach(() => jest.restoreAllMocks());

const forged = `v1.p.${'x'.repeat(43)}`;

test.each([
	[1_800_000_000_000, true],
	[1_700_000_000_000, false],
])('a test whose secret is good until %s, half way between: %s', async (until, expected) => {
	jest.spyOn(Date, 'now').mockReturnValue(1_750_000_000_000);
	const call = callTo('e', async () => ({ apiKey: 'key' }), 'manual');
	const secret = secretFor('key', identityOf(call), until);
	expect(await isGenuine(call, formatToken({ until, secret }))).toBe(expected);
});

test('nothing is read for what has not the shape of a token', async () => {
	const read = jest.fn();
	for (const given of [undefined, '', 'off', forged.slice(1), [forged], { p: forged }]) {
		expect(await isGenuine(callTo('d', read), given)).toBe(false);
	}
	expect(read).not.toHaveBeenCalled();
});
