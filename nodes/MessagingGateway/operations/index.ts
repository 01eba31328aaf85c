import type { Operation, Resource } from '../operation';
import { apiKeyGetAll } from './apiKey/getAll';
import { apiKeyRevoke } from './apiKey/revoke';
import { campaignGet } from './campaign/get';
import { campaignGetAll } from './campaign/getAll';
import { campaignDelete } from './campaign/delete';
import { getConnectionState } from './instance/getConnectionState';
import { logOut } from './instance/logOut';
import { getStatus } from './message/getStatus';
import { sendAndWait } from './message/sendAndWait';
import { sendAudio } from './message/sendAudio';
import { sendMedia } from './message/sendMedia';
import { sendSms } from './message/sendSms';
import { webhookGet } from './webhook/get';
import { webhookSet } from './webhook/set';

const resource = (
	value: string,
	name: string,
	description: string,
	operations: Operation[],
	{ value: defaultOperation }: Operation,
): Resource => ({ value, name, description, operations, defaultOperation });

/**
 * The operations, in the order of the dropdowns and of the actions in n8n's list of nodes: first what most
 * people come for. The node's form and behaviour come from here.
 */
export const resources: Resource[] = [
	resource(
		'message',
		'Message',
		'Send to a person by SMS or through the chat app, ask, and check the status',
		[sendSms, sendAndWait, sendMedia, sendAudio, getStatus],
		sendSms,
	),
	resource('apiKey', 'API Key', 'Keys of the account', [apiKeyGetAll, apiKeyRevoke], apiKeyGetAll),
	resource(
		'campaign',
		'Campaign',
		'Groups of messages, with their statistics',
		[campaignDelete, campaignGet, campaignGetAll],
		campaignGet,
	),
	resource(
		'instance',
		'Instance',
		'The connection of the account to the chat app',
		[getConnectionState, logOut],
		getConnectionState,
	),
	resource(
		'webhook',
		'Webhook',
		'The address that the service delivers its notifications to',
		[webhookGet, webhookSet],
		webhookGet,
	),
];

export const defaultResource = 'message';

export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}
