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
		// In n8n's list of nodes, this one and the action node are one entry, which shows this text.
		description:
			'Send SMS and chat-app messages, ask for approval, or start the workflow when a delivery report or another notification arrives',
		defaults: { name: 'Messaging Gateway Trigger' },
		eventTriggerDescription: 'Waiting for a delivery from your messaging service',
		// n8n shows this before it registers the webhook, and a refusal beside it.
		activationMessage:
			'n8n now registers the webhook of your account; if that is refused, a message here says so within about 20 seconds. Once it is registered, every delivery starts this workflow.',
		triggerPanel: {
			header: "Press 'Execute step', then send yourself an SMS",
			// The only text that n8n shows without a click.
			activationHint: {
				inactive:
					'<b>To try it:</b> the delivery report of the SMS shows up here. Listening borrows the webhook of your account for two minutes at most, then gives it back.<br /><br /><b>To use it:</b> publish the workflow, and every delivery starts it. If publishing is refused, a message says so within about 20 seconds, although n8n says “published” at once.',
				active:
					'<b>To try it:</b> the delivery report of the SMS shows up here. Until it does, or for two minutes at most, <b>deliveries come here and do not start the published workflow</b>.<br /><br /><b>This workflow is published:</b> every delivery starts it. You see these executions in the <a data-key="executions">executions list</a>.',
			},
			executionsHelp: {
				inactive:
					'<b>While you build the workflow</b>, one delivery at a time comes here: press the button, then let your messaging service deliver something, such as the report of an SMS to your own phone.<br /><br /><b>Once the workflow is published</b>, every delivery starts it. You see these executions in the <a data-key="executions">executions list</a>, not in the editor.',
				active:
					'<b>Every delivery starts this workflow</b>, since it is published. You see these executions in the <a data-key="executions">executions list</a>, not in the editor.<br /><br /><b>While you listen for a test</b>, deliveries come here instead, for two minutes at most.',
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
