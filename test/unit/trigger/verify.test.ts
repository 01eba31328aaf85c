import type { IWebhookFunctions } from 'n8n-workflow';

import { isGenuine } from '../../../nodes/MessagingGatewayTrigger/delivery/receive';
import { nodeIdentityOf, secretFor } from '../../../nodes/MessagingGatewayTrigger/identity';
import { formatToken } from '../../../nodes/account/triggerToken';

/** A delivery while n8n listens for a test. */
const context = {
	getMode: () => 'manual',
	getInstanceId: () => 'instance',
	getWorkflow: () => ({ id: 'workflow', active: true }),
	getNode: () => ({ id: 'node' }),
	getWorkflowStaticData: () => ({}),
	getCredentials: async () => ({ apiKey: 'key' }),
} as unknown as IWebhookFunctions;

test.each([
	[1_800_000_000_000, true],
	[1_700_000_000_000, false],
])('a test whose secret is good until %s, half way between: %s', async (until, expected) => {
	jest.spyOn(Date, 'now').mockReturnValue(1_750_000_000_000);
	const secret = secretFor('key', nodeIdentityOf(context), until);
	expect(await isGenuine(context, formatToken({ until, workflowId: 'workflow', secret }))).toBe(
		expected,
	);
});
