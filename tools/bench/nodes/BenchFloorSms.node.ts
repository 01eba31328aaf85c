import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { describeSmsNode } from './description';

const concurrency = 10;
const type = 'messagingGatewayApi';

/**
 * The minimum in n8n: two expressions and one request of n8n's helper per item, ten at a time, with the
 * credential read once. No checks, ordering, retries or error messages.
 */
export class BenchFloorSms implements INodeType {
	description = describeSmsNode('benchFloorSms');

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const count = this.getInputData().length;
		const credential = await this.getCredentials(type);
		const credentialsDecrypted = { id: type, name: type, type, data: credential };
		const output = new Array<INodeExecutionData>(count);
		let next = 0;

		const sendAll = async () => {
			for (let item = next++; item < count; item = next++) {
				const [json] = await this.helpers.httpRequestWithAuthentication.call(
					this,
					type,
					{
						method: 'POST',
						url: `${String(credential.baseUrl)}/v1/sms/enviar`,
						body: {
							to: this.getNodeParameter('to', item),
							msg: this.getNodeParameter('text', item),
							tiposms: '1',
						},
						json: true,
					},
					{ credentialsDecrypted },
				);
				output[item] = { json, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: concurrency }, sendAll));
		return [output];
	}
}
