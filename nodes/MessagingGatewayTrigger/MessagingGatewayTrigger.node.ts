import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { testCredential } from '../shared/credentialTest';
import { receive } from './delivery/receive';
import { properties } from './properties';
import { checkExists, create, remove } from './registration/lifecycle';
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
		// Not 1: n8n evaluates an expression for each delivery to a node of version 1.
		version: 2,
		subtitle:
			'={{ $parameter["options"]["match"]?.conditions?.length ? "deliveries that match" : "every delivery" }}',
		description: 'Starts the workflow when your messaging service delivers a notification',
		defaults: { name: 'Messaging Gateway Trigger' },
		eventTriggerDescription: 'Waiting for a delivery from your messaging service',
		// n8n shows this before it registers the webhook, and a refusal beside it.
		activationMessage:
			'n8n now registers the webhook of your account. From then on, every delivery starts this workflow.',
		triggerPanel: {
			header: 'Receive a delivery from your messaging service',
			executionsHelp: {
				inactive:
					'<b>While building your workflow</b>, click the listen button, then send a message so that its status changes. The delivery shows up in this editor. Listening borrows the webhook of your account for two minutes at most, then gives it back.<br /><br /><b>Once you are happy with your workflow</b>, publish it. Then every delivery starts it. These executions show up in the <a data-key="executions">executions list</a>, but not in the editor.',
				active:
					'<b>While building your workflow</b>, click the listen button, then send a message so that its status changes. The delivery shows up in this editor. Until then, or for two minutes at most, <b>deliveries come here and do not start the published workflow</b>.<br /><br /><b>This workflow is published</b>: every delivery starts it. These executions show up in the <a data-key="executions">executions list</a>, but not in the editor.',
			},
			activationHint:
				'Once you have finished building your workflow, publish it to have every delivery start it.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'messagingGatewayApi', required: true, testedBy: 'testCredential' }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				// The answer goes out before the workflow runs; empty, it is what `webhook` returns.
				responseMode: 'onReceived',
				responseData: '',
				// Whoever registers it by hand leaves out the secret.
				ndvHideUrl: true,
			},
		],
		sensitiveOutputFields: ['_gateway.headers.authorization', '_gateway.headers.cookie'],
		properties,
	};

	methods = { credentialTest: { testCredential } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await checkExists(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await create(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await remove(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}

	/** Also makes n8n call `checkExists` and `create` at its start. */
	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return await watch(this);
	}

	/** Without it, n8n would call `trigger` in a test and wait there for the delivery that has come. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}
