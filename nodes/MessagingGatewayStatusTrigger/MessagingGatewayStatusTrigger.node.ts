import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { testCredential } from '../gateway/checkCredential';
import { defaultEvent, events } from './events';
import { poll } from './poll';
import { activationMessage, description, triggerPanel } from './panel';
import { buildProperties, buildSubtitle } from './form';

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
		description,
		defaults: { name: 'Messaging Gateway Status Trigger' },
		polling: true,
		activationMessage,
		triggerPanel,
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
