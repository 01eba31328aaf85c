import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { asProperties } from '../nodes/form/build';
import { authenticate } from '../nodes/gateway/account';
import { itemFields, credentialFields } from '../nodes/gateway/credential';

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
