import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { testCredential } from '../shared/credentialTest';
import { defaultEvent, events } from './events';
import { poll } from './look/poll';
import { buildProperties, buildSubtitle } from './properties';

export class MessagingGatewayStatusTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway Status Trigger',
		name: 'messagingGatewayStatusTrigger',
		icon: {
			light: 'file:../../icons/messagingGateway.svg',
			dark: 'file:../../icons/messagingGateway.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: buildSubtitle(events),
		description:
			'Starts the workflow when the status of a message, a campaign, the chat-app instance or an API key changes',
		defaults: { name: 'Messaging Gateway Status Trigger' },
		polling: true,
		activationMessage:
			'n8n now reads how things stand at your messaging service. From then on, every change starts this workflow.',
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: buildProperties(events, defaultEvent),
	};

	methods = { credentialTest: { testCredential } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
