import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { testCredential } from '../gateway/checkCredential';
import { receive } from './delivery/receive';
import { activationMessage, sharedDescription, triggerProperties, triggerPanel } from './form';
import { createRegistration, removeRegistration } from './registration/publish';
import { watch } from './registration/watch';

export class MessagingGatewayTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Messaging Gateway Trigger',
		name: 'messagingGatewayTrigger',
		icon: {
			light: 'file:../../icons/messagingGateway.svg',
			dark: 'file:../../icons/messagingGateway.dark.svg',
		},
		group: ['trigger'],
		// Not 1: n8n would evaluate an expression, and so make a sandbox, for each delivery.
		version: 2,
		subtitle:
			'={{ $parameter["options"]["match"]?.conditions?.length ? "deliveries that match" : "every delivery" }}',
		description: sharedDescription,
		defaults: { name: 'Messaging Gateway Trigger' },
		eventTriggerDescription: 'Send yourself an SMS, or answer one',
		activationMessage,
		triggerPanel,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'testCredential' }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				// n8n answers before the workflow runs: since the data is empty, with what `webhook` returns.
				responseMode: 'onReceived',
				responseData: '',
				// Registered by hand, it would lack the secret.
				ndvHideUrl: true,
			},
		],
		sensitiveOutputFields: ['_gateway.headers.authorization', '_gateway.headers.cookie'],
		builderHint: {
			searchHint:
				'An account has one webhook for all workflows: publish one workflow with this trigger, and let it start others with Execute Sub-workflow. For statuses of messages, prefer the Messaging Gateway Status Trigger, which needs no webhook and of which any number can run.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-messaging-gateway.messagingGatewayStatusTrigger',
					relationHint: 'For statuses of messages, campaigns and the chat app; needs no webhook',
				},
			],
		},
		properties: triggerProperties,
	};

	methods = { credentialTest: { testCredential } };

	webhookMethods = {
		default: {
			/** Registering again what is registered displaces nothing. */
			async checkExists() {
				return false;
			},
			async create(this: IHookFunctions) {
				return await createRegistration(this);
			},
			async delete(this: IHookFunctions) {
				return await removeRegistration(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions) {
		return await receive(this);
	}

	/** Because this exists, n8n also calls `checkExists` and `create` when it starts. */
	async trigger(this: ITriggerFunctions) {
		return await watch(this);
	}

	/** Otherwise n8n would call `trigger` in a test, and wait for another delivery. */
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	}
}
