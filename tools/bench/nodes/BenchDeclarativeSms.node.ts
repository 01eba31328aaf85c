import type { INodeType } from 'n8n-workflow';
import { describeNode, smsFields } from './description';

const [to, text] = smsFields;

/** The operation as a declarative node: n8n makes the requests from the description. */
export class BenchDeclarativeSms implements INodeType {
	description = describeNode('benchDeclarativeSms', {
		credentials: [{ name: 'messagingGatewayApi', required: true }],
		requestDefaults: {
			baseURL: '={{ $credentials.baseUrl }}',
			headers: { 'Content-Type': 'application/json' },
		},
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				default: 'sendSms',
				options: [
					{
						name: 'Send SMS',
						value: 'sendSms',
						routing: { request: { method: 'POST', url: '/v1/sms/enviar', body: { tiposms: '1' } } },
					},
				],
			},
			{ ...to, routing: { send: { type: 'body', property: 'to' } } },
			{ ...text, routing: { send: { type: 'body', property: 'msg' } } },
		],
	});
}
