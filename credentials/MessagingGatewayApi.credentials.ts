import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import { authenticate } from '../nodes/gateway/authenticate';
import { expressionFieldsOf } from '../nodes/gateway/credential';
import { ruleDefaults, type Rules } from '../nodes/gateway/rules';
import { openNameDefaults } from '../nodes/gateway/serviceNames';

// Not in the list itself, where n8n's lint takes a name with 'cert' for a secret.
const allowUnauthorizedCerts: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description:
		"Whether to connect even if the service's certificate cannot be verified, e.g. because it is self-signed",
};

/**
 * The heading of a part. All fields are shown: n8n drops the values of those that are not.
 *
 * @param text what the part is for
 */
const part = (title: string, text: string): INodeProperties => ({
	displayName: `${title}: ${text}`,
	name: `${title[0]!.toLowerCase()}${title.slice(1).replaceAll(' ', '')}Notice`,
	type: 'notice',
	default: '',
});

export class MessagingGatewayApi implements ICredentialType {
	name = 'messagingGatewayApi';

	displayName = 'Messaging Gateway API';

	icon: Icon = {
		light: 'file:../icons/messagingGateway.svg',
		dark: 'file:../icons/messagingGateway.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway/blob/main/docs/credential.md';

	properties: INodeProperties[] = [
		part('Connection', 'all that SMS needs'),
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of your messaging service, up to <code>/v1</code> or <code>/v2</code>. What follows is ignored.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'API key of your account with the messaging service',
		},
		{
			displayName: 'Default Country Code',
			name: 'defaultCountryCode',
			type: 'string',
			default: openNameDefaults.defaultCountryCode,
			placeholder: 'e.g. 55 or BR',
			description:
				'Country of numbers without +, e.g. 55 or BR. If empty, every number needs + and its country code.',
		},
		{
			displayName: 'Only These Countries',
			name: 'allowedCountries',
			type: 'string',
			default: openNameDefaults.allowedCountries,
			placeholder: 'e.g. BR, PT',
			description:
				'Countries that messages may go to, by their two letters. Numbers of others are refused. If empty, all are allowed.',
		},
		part('Chat App', 'for media, audio and chat-app campaigns'),
		{
			displayName: 'Chat App Name',
			name: 'chatAppName',
			type: 'string',
			default: openNameDefaults.chatAppName,
			hint: "Copy it from your service's documentation: …/v2/this-word/message/…",
			description: "The word between /v2/ and /message in your service's addresses",
		},
		{
			displayName: 'Instance Token',
			name: 'instanceToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Token of your chat-app instance',
		},
		{
			displayName: 'Pause Between Messages',
			name: 'chatAppPause',
			type: 'string',
			default: openNameDefaults.chatAppPause,
			placeholder: 'e.g. 1-3',
			hint: 'In seconds: a number, or a range such as 5-30. 0 means no pause.',
			description: 'How far apart messages leave. Chat apps block numbers that send too fast.',
		},
		part('Sending Rules', 'for every message of this account, in all workflows'),
		{
			displayName: 'Test Mode',
			name: 'testMode',
			type: 'options',
			options: [
				{ name: 'Off', value: 'off', description: 'Messages go to their recipients' },
				{
					name: 'Show Only',
					value: 'showOnly',
					description: 'Nothing is sent: every send is a dry run',
				},
				{
					name: 'Redirect',
					value: 'redirect',
					description: "Every message goes to 'Test Number' instead",
				},
			] satisfies Array<INodePropertyOptions & { value: Rules['testMode'] }>,
			default: ruleDefaults.testMode,
			description:
				'For a staging copy, a first try or a demonstration. Nobody else gets a message.',
		},
		{
			displayName: 'Test Number',
			name: 'testNumber',
			type: 'string',
			default: ruleDefaults.testNumber,
			placeholder: 'e.g. +55 11 91234-5678',
			description: "A number of your own, for 'Test Mode' set to Redirect",
		},
		{
			displayName: 'Do Not Contact Workflow ID',
			name: 'doNotContactWorkflowId',
			type: 'string',
			default: ruleDefaults.doNotContactWorkflowId,
			placeholder: 'e.g. Kb3dEf6hJ9kLmN0p',
			hint: "The last part of the workflow's address in the editor",
			description:
				'Published workflow that decides who may be contacted. Without its answer, nothing is sent.',
		},
		{
			displayName: 'Deduplication Workflow ID',
			name: 'deduplicationWorkflowId',
			type: 'string',
			default: ruleDefaults.deduplicationWorkflowId,
			placeholder: 'e.g. Kb3dEf6hJ9kLmN0p',
			description:
				'Published workflow that keeps deduplication keys, for several workers. If empty, n8n keeps 20,000 of each node.',
		},
		{
			displayName: 'Requests per Second',
			name: 'requestsPerSecond',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: ruleDefaults.requestsPerSecond,
			description: 'How many requests to start per second, in all executions. 0 means no limit.',
		},
		{
			displayName: 'Max Concurrency',
			name: 'maxConcurrency',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: ruleDefaults.maxConcurrency,
			description:
				'The most requests to make at the same time, in all executions. A list begins with 10.',
		},
		part('Service Details', 'change these only if your service asks for it'),
		{
			displayName: 'Send API Key As',
			name: 'sendKeyAs',
			type: 'options',
			options: [
				{
					name: 'API Key Header',
					value: 'apiKeyHeader',
					description: 'In the header X-API-Key',
				},
				{
					name: 'Bearer Token',
					value: 'bearer',
					description: 'In the header Authorization, as a bearer token',
				},
			],
			default: 'apiKeyHeader',
			description: 'How the API key is sent',
		},
		{
			displayName: 'Timeout',
			name: 'timeout',
			type: 'number',
			default: ruleDefaults.timeout,
			hint: 'In milliseconds: 1000 are one second',
			description: 'How long to wait for an answer from the service',
		},
		{
			displayName: 'Max Retries',
			name: 'maxRetries',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: ruleDefaults.maxRetries,
			description:
				'How often to retry if the service is busy or unreachable. A message that may have been sent is never retried.',
		},
		{
			displayName: 'SMS Schedule Timezone',
			name: 'smsScheduleTimezone',
			type: 'string',
			default: openNameDefaults.smsScheduleTimezone,
			placeholder: 'e.g. America/Sao_Paulo',
			description:
				"Time zone the service uses for scheduled SMS. If empty, the workflow's time zone is used.",
		},
		{
			displayName: 'Audio Schedule Field',
			name: 'audioScheduleField',
			type: 'string',
			default: openNameDefaults.audioScheduleField,
			description: 'Body field that contains the time of a scheduled audio message',
		},
		{
			displayName: 'Campaign ID Parameter',
			name: 'campaignIdParameter',
			type: 'string',
			default: openNameDefaults.campaignIdParameter,
			description: 'Query parameter that contains the campaign ID',
		},
		{
			displayName: 'Key Status Parameter',
			name: 'keyStatusParameter',
			type: 'string',
			default: openNameDefaults.keyStatusParameter,
			description: 'Query parameter that filters API keys by status',
		},
		allowUnauthorizedCerts,
		{
			displayName: 'Only Use in This n8n',
			name: 'n8nAddress',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://n8n.example.com',
			description:
				'Address of the only n8n that may use this account. A copy at another address sends nothing.',
		},
	];

	constructor() {
		this.properties.push(expressionFieldsOf(this.properties));
	}

	// n8n would evaluate expressions for each request, which is about a third slower.
	authenticate = async (
		credential: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => authenticate(credential, requestOptions);
}
