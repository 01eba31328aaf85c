import type { IBinaryData, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { describeNode } from './description';

/** Makes items with a number, a name, an order, and optionally a file each. */
export class BenchItems implements INodeType {
	description = describeNode('benchItems', {
		properties: [
			{ displayName: 'Count', name: 'count', type: 'number', default: 1 },
			{ displayName: 'File Size', name: 'fileSize', type: 'number', default: 0 },
			{ displayName: 'Files Made Before', name: 'files', type: 'json', default: '[]' },
		],
	});

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const count = this.getNodeParameter('count', 0) as number;
		const fileSize = this.getNodeParameter('fileSize', 0) as number;
		const files = JSON.parse(this.getNodeParameter('files', 0) as string) as IBinaryData[];

		const audio = Buffer.alloc(fileSize, 'OggS');
		for (let index = 0; fileSize > 0 && index < count; index++) {
			files.push(await this.helpers.prepareBinaryData(audio, `${index}.ogg`, 'audio/ogg'));
		}
		const items = Array.from({ length: count }, (_, index): INodeExecutionData => {
			const data = files[index];
			return {
				json: {
					phone: `55119${String(10_000_001 + index)}`,
					name: `Customer ${index}`,
					order: String(index),
				},
				...(data && { binary: { data } }),
				pairedItem: { item: 0 },
			};
		});
		return [items];
	}
}
