import { sendAndWait } from '../../question/sendAndWait';
import type { Resource, Operation } from '../../send/operation';
import { apiKeyGetAll } from './apiKey/getAll';
import { apiKeyRevoke } from './apiKey/revoke';
import { campaignDelete } from './campaign/delete';
import { campaignGet } from './campaign/get';
import { campaignGetAll } from './campaign/getAll';
import { getConnectionState } from './instance/getConnectionState';
import { logOut } from './instance/logOut';
import { getStatus } from './message/getStatus';
import { sendAudio } from './message/sendAudio';
import { sendMedia } from './message/sendMedia';
import { sendSms } from './message/sendSms';
import { webhookGet } from './webhook/get';
import { webhookSet } from './webhook/set';

/**
 * The operations, in the order of the dropdowns and of the actions in n8n's list of nodes: first what most
 * people come for, which the form selects. The node's form and behaviour come from here.
 */
export const resources: Resource[] = [
	{
		value: 'message',
		name: 'Message',
		description: 'Send to a person by SMS or through the chat app, ask, and check the status',
		operations: [sendSms, sendAndWait, sendMedia, sendAudio, getStatus],
		defaultOperation: sendSms.value,
	},
	{
		value: 'apiKey',
		name: 'API Key',
		description: 'Keys of the account',
		operations: [apiKeyGetAll, apiKeyRevoke],
		defaultOperation: apiKeyGetAll.value,
	},
	{
		value: 'campaign',
		name: 'Campaign',
		description: 'Groups of messages, with their statistics',
		operations: [campaignDelete, campaignGet, campaignGetAll],
		defaultOperation: campaignGet.value,
	},
	{
		value: 'instance',
		name: 'Instance',
		description: 'The connection of the account to the chat app',
		operations: [getConnectionState, logOut],
		defaultOperation: getConnectionState.value,
	},
	{
		value: 'webhook',
		name: 'Webhook',
		description: 'The address that the service delivers its notifications to',
		operations: [webhookGet, webhookSet],
		defaultOperation: webhookGet.value,
	},
];

export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}
