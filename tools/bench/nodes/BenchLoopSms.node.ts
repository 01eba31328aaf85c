import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { describeSmsNode } from './description';

/** The operation as in most programmatic nodes: a loop, one item at a time. */
export class BenchLoopSms implements INodeType {
	description = describeSmsNode('benchLoopSms');

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { baseUrl } = await this.getCredentials('messagingGatewayApi');
		const output: INodeExecutionData[] = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			const [json] = await this.helpers.httpRequestWithAuthentication.call(
				this,
				'messagingGatewayApi',
				{
					method: 'POST',
					url: `${String(baseUrl)}/v1/sms/enviar`,
					body: {
						to: this.getNodeParameter('to', item),
						msg: this.getNodeParameter('text', item),
						tiposms: '1',
					},
					json: true,
				},
			);
			output.push({ json, pairedItem: { item } });
		}
		return [output];
	}
}
