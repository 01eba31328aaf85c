import { node } from '../testing/workflows';
import type { BenchCredential } from './bench';
import { measuredNode } from './ways';

/** The ways to send an audio file, as the results name them. */
export const audioNames = ['this package', 'Extract from File + HTTP Request'] as const;
export type AudioName = (typeof audioNames)[number];

/** The nodes that send the file of each item of a node named 'Items'. */
export function audioNodes(name: AudioName, credential: BenchCredential) {
	const more = {
		credentials: { messagingGatewayApi: { id: credential.id, name: credential.name } },
	};
	if (name === 'this package') {
		const parameters = { resource: 'message', operation: 'sendAudio', to: '={{ $json.phone }}' };
		return [node(measuredNode, 'n8n-nodes-messaging-gateway.messagingGateway', parameters, more)];
	}
	const fields = {
		to: "={{ $('Items').item.json.phone }}",
		mimetype: 'audio/ogg',
		chatapp_mode: 'private',
		audio_base64: '={{ $json.data }}',
	};
	const extract = { operation: 'binaryToPropery' };
	const request = {
		method: 'POST',
		url: `${credential.baseUrl}/v2/chatapp/message/sendAudio`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'messagingGatewayApi',
		sendBody: true,
		bodyParameters: {
			parameters: Object.entries(fields).map(([field, value]) => ({ name: field, value })),
		},
	};
	return [
		node('Extract', 'n8n-nodes-base.extractFromFile', extract, { typeVersion: 1.1 }),
		node(measuredNode, 'n8n-nodes-base.httpRequest', request, { ...more, typeVersion: 4.5 }),
	];
}
