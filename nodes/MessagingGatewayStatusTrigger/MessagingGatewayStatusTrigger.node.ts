import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { loadCampaigns } from '../form/lists';
import { testCredential } from '../gateway/checkCredential';
import { properties, subtitle } from './form';
import { poll } from './poll';

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
		subtitle,
		description:
			'Starts the workflow when the status of a message, a campaign, the chat-app instance or an API key changes',
		defaults: { name: 'Messaging Gateway Status Trigger' },
		polling: true,
		// Shown at publishing, before a refusal can be known; n8n shows that beside it.
		activationMessage:
			'n8n now reads the current state from your messaging service. If that fails, a message appears here within about 20 seconds. From then on, every change starts this workflow.',
		// On the left of the form.
		triggerPanel: {
			header: "Press 'Fetch Test Event' to see what comes",
			// The only text that n8n shows without a click.
			activationHint: {
				inactive:
					'<b>To try it:</b> one record of your account appears as if it had just changed.<br /><br /><b>To use it:</b> publish the workflow. What is there already starts nothing; from then on, every change starts it.',
				active:
					'<b>To try it:</b> one record of your account appears as if it had just changed. The published workflow is left alone.<br /><br /><b>This workflow is published:</b> every change starts it. You see these executions in the <a data-key="executions">executions list</a>.',
			},
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'testCredential' }],
		properties,
	};

	methods = { credentialTest: { testCredential }, loadOptions: { loadCampaigns } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
