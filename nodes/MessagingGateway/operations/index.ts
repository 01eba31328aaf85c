import type { Operation, Resource } from '../operation';
import { getAll as getApiKeys } from './apiKey/getAll';
import { revoke } from './apiKey/revoke';
import { get as getCampaign } from './campaign/get';
import { getAll as getCampaigns } from './campaign/getAll';
import { remove as deleteCampaign } from './campaign/delete';
import { getConnectionState } from './instance/getConnectionState';
import { logOut } from './instance/logOut';
import { getStatus } from './message/getStatus';
import { sendAndWait } from './message/sendAndWait';
import { sendAudio } from './message/sendAudio';
import { sendMedia } from './message/sendMedia';
import { sendSms } from './message/sendSms';
import { get as getWebhook } from './webhook/get';
import { set as setWebhook } from './webhook/set';

const resource = (
	value: string,
	name: string,
	description: string,
	operations: Operation[],
	{ value: defaultOperation }: Operation,
): Resource => ({ value, name, description, operations, defaultOperation });

/**
 * In the order of the dropdowns, and of the actions in n8n's list of nodes: first what most people come
 * for. The node's form and behaviour come from here.
 */
export const resources: Resource[] = [
	resource(
		'message',
		'Message',
		'Send to a person by SMS or through the chat app, ask, and check the status',
		[sendSms, sendAndWait, sendMedia, sendAudio, getStatus],
		sendSms,
	),
	resource('apiKey', 'API Key', 'Keys of the account', [getApiKeys, revoke], getApiKeys),
	resource(
		'campaign',
		'Campaign',
		'Groups of messages, with their statistics',
		[deleteCampaign, getCampaign, getCampaigns],
		getCampaign,
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
		[getWebhook, setWebhook],
		getWebhook,
	),
];

export const defaultResource = 'message';

export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}
