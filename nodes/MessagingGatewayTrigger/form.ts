import type { INodeProperties } from 'n8n-workflow';

/** The trigger's form. */
export const properties: INodeProperties[] = [
	{
		displayName:
			'An account has <b>one webhook</b>. Publishing this workflow points it here, unpublishing gives it back. To start several workflows, let this one call the others.',
		name: 'singleWebhookNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'If the Webhook Is in Use',
		name: 'conflict',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Refuse',
				value: 'refuse',
				description: 'Leave it alone: publishing and listening fail and name the host that uses it',
			},
			{
				name: 'Take Over',
				value: 'takeOver',
				description:
					'Point it here, and give it back when the workflow is unpublished or the test is over',
			},
		],
		default: 'refuse',
		description:
			'What to do when the webhook of the account points to another address. The same goes for listening for a test event, which needs it for two minutes at most.',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Allowed IPs',
				name: 'allowedIps',
				type: 'string',
				default: '',
				placeholder: 'e.g. 203.0.113.7, 2001:db8::/32',
				description:
					'IP addresses and ranges that deliveries may come from, separated by commas. Others get the answer 403. Behind a proxy, set N8N_PROXY_HOPS in n8n, else all seem to come from the proxy.',
			},
			{
				displayName: 'Include Headers',
				name: 'includeHeaders',
				type: 'boolean',
				default: false,
				description:
					'Whether to add the headers of the delivery to the output, as _gateway.headers',
			},
			{
				displayName: 'Match',
				name: 'match',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Condition' },
				placeholder: 'Add Condition',
				default: {},
				description:
					'Fields and values that a delivery must have, all of them. Others are answered, but start no execution.',
				options: [
					{
						displayName: 'Conditions',
						name: 'conditions',
						values: [
							{
								displayName: 'Field',
								name: 'field',
								type: 'string',
								default: '',
								placeholder: 'e.g. status or data.message.status',
								description:
									'Name of the field, with dots between names where fields contain fields',
							},
							{
								displayName: 'Value',
								name: 'value',
								type: 'string',
								default: '',
								placeholder: 'e.g. delivered',
								description: 'What the field must be equal to',
							},
						],
					},
				],
			},
		],
	},
];
