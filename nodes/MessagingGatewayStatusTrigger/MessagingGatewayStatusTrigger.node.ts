import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { loadCampaigns } from '../form/fields/campaign';
import { asFailure } from '../n8n/sentences';
import { testCredential } from '../service/checkCredential';
import { subtitle, statusTriggerProperties } from './form';
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
			'Starts the workflow when the status of a message, a campaign or the chat-app instance changes',
		defaults: { name: 'Messaging Gateway Status Trigger' },
		polling: true,
		// n8n shows this on publishing, before the first poll; it shows a failed poll separately.
		activationMessage:
			'n8n now reads the current state from your messaging service. From then on, every change starts this workflow. If the state cannot be read, you see a message here within about 20 seconds.',
		triggerPanel: {
			header: "Click 'Fetch Test Event' to see an example",
			// The only text of the panel that n8n shows without a click.
			activationHint: {
				inactive:
					'<b>To try it:</b> fetch a test event. It shows one record of your account as if it had just changed.<br /><br /><b>To use it:</b> publish the workflow. From then on, every change starts it; earlier changes do not.',
				active:
					'<b>To try it:</b> fetch a test event. It shows one record of your account as if it had just changed, and does not affect the published workflow.<br /><br /><b>This workflow is published:</b> every change starts it. See the <a data-key="executions">executions list</a>.',
			},
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'testCredential' }],
		builderHint: {
			searchHint:
				'Polls, so it needs no webhook, and any number of workflows can use one account. The first poll starts nothing. To send again from it, set the option Deduplication in the sending node, with e.g. the messageId as its key.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-messaging-gateway.messagingGateway',
					relationHint: 'Sends the messages whose status this trigger watches',
				},
			],
		},
		properties: statusTriggerProperties,
	};

	methods = { credentialTest: { testCredential }, loadOptions: { loadCampaigns } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this).catch((error: Error) => {
			throw asFailure(error);
		});
	}
}
