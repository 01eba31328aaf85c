import type {
	ICredentialType,
	Icon,
	INodeProperties,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { authenticate } from '../nodes/account/account';
import { credentialFields, itemFields } from '../nodes/account/credential';
import { asProperties } from '../nodes/n8n/properties';

export class MessagingGatewayApi implements ICredentialType {
	name = 'messagingGatewayApi';

	displayName = 'Messaging Gateway API';

	icon: Icon = {
		light: 'file:../icons/messagingGateway.svg',
		dark: 'file:../icons/messagingGateway.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway/blob/main/docs/credential.md';

	properties: INodeProperties[] = asProperties([...Object.values(credentialFields), itemFields]);

	// n8n would evaluate expressions for each request, which is about a third slower.
	authenticate = async (
		credential: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => authenticate(credential, requestOptions);
}
