import type { INodeProperties } from 'n8n-workflow';

export const campaignIdField: INodeProperties = {
	displayName: 'Campaign ID',
	name: 'campaignId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 3f2a9c1e-58d4-4c6b-9a51-7d2e8f0b6c34',
	description: 'Unique identifier of the campaign',
};
