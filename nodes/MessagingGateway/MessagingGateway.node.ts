import {
	NodeConnectionTypes,
	NodeOperationError,
	type INodeType,
	type INodeTypeDescription,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { searchCampaigns, searchChatAppCampaigns } from '../form/fields/campaign';
import { searchTimezones } from '../form/fields/sendBetween';
import { webhooks, respond } from '../question/webhook';
import { runOperation } from '../send/runOperation';
import { testCredential } from '../service/checkCredential';
import { buildSubtitle, buildHints, buildProperties } from './form';
import { resources, findOperation } from './operations';
import { searchApiKeys } from './operations/apiKey/revoke';

export class MessagingGateway implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway',
		name: 'messagingGateway',
		icon: {
			light: 'file:../../icons/messagingGateway.svg',
			dark: 'file:../../icons/messagingGateway.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description:
			'Send SMS, media and audio, ask people by SMS, and manage campaigns, API keys and the webhook',
		defaults: { name: 'Messaging Gateway' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'testCredential' }],
		webhooks,
		// n8n shows it at a node that waits, as only a question does.
		waitingNodeTooltip: 'Execution will continue when the recipient responds',
		hints: buildHints(resources),
		builderHint: {
			searchHint:
				'Sends one message for each input item. In loops, sub-workflows and scheduled workflows, set the option Deduplication with a key, e.g. the ID of an order, or a person may get a message twice. Try a list with the option Dry Run first: it sends nothing and shows what would be sent, what it costs and what would be refused.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-messaging-gateway.messagingGatewayStatusTrigger',
					relationHint:
						'Starts a workflow when a sent message is delivered or fails; needs no webhook',
				},
				{
					nodeType: 'n8n-nodes-messaging-gateway.messagingGatewayTrigger',
					relationHint:
						'Starts a workflow with what the service sends to its webhook, e.g. replies',
				},
			],
		},
		properties: buildProperties(resources),
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: { searchApiKeys, searchCampaigns, searchChatAppCampaigns, searchTimezones },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0);
		const operation = findOperation(resource, this.getNodeParameter('operation', 0));
		if (!operation) throw new NodeOperationError(this.getNode(), 'Choose an operation');
		return await runOperation(this, operation);
	}

	/** Serves the answer page while an execution waits in this node. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await respond(this);
	}
}
