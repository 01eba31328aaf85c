import {
	NodeConnectionTypes,
	type INodeType,
	type INodeTypeDescription,
	type IHookFunctions,
	type IWebhookFunctions,
	type ITriggerFunctions,
	type IExecuteFunctions,
} from 'n8n-workflow';

import { testCredential } from '../service/checkCredential';
import { receive } from './delivery/receive';
import { triggerProperties } from './form';
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
		// n8n lists this node and the action node as one entry, with this text.
		description:
			'Send SMS and chat-app messages, ask for approval, or start the workflow when a delivery report arrives',
		defaults: { name: 'Messaging Gateway Trigger' },
		eventTriggerDescription: 'Send yourself an SMS, or answer one',
		// Shown on publishing, before n8n knows whether it succeeds; it shows a refusal next to this.
		activationMessage:
			'n8n now registers the webhook of your account. If that is refused, a message appears here within about 20 seconds. Otherwise, every delivery starts this workflow.',
		triggerPanel: {
			header: "Click 'Execute step', then send yourself an SMS",
			// The only text that n8n shows without a click.
			activationHint: {
				inactive:
					'<b>To try it:</b> the report of the SMS appears here. This uses the webhook of your account for two minutes at most.<br /><br /><b>To use it:</b> publish the workflow, and every delivery starts it. If publishing is refused, a message appears within about 20 seconds, although n8n says “published” at once.',
				active:
					'<b>To try it:</b> the report of the SMS appears here. Until it does, or for two minutes at most, <b>deliveries do not start the published workflow</b>.<br /><br /><b>This workflow is published:</b> every delivery starts it. You see these executions in the <a data-key="executions">executions list</a>.',
			},
		},
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
			checkExists: async () => false,
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
