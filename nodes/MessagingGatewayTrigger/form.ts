import type { INodeProperties } from 'n8n-workflow';

import { optionsCollection } from '../form/option';
import { notice } from '../n8n/properties';

/** The values of the options: those that were chosen. */
export interface TriggerOptions {
	allowedIps?: string;
	includeHeaders?: boolean;
	match?: { conditions?: Condition[] };
}

/** A field that a delivery must have, and its value as text. */
export interface Condition {
	/** Names separated by dots, positions in lists as numbers: `data.messages[0].status`. */
	field: string;
	value: string;
}

export const triggerProperties: INodeProperties[] = [
	notice(
		'loopNotice',
		'Do not send with this account, unless a Filter or Match lets only some deliveries through: each message you send may have a report that starts this workflow again.',
	),
	notice(
		'singleWebhookNotice',
		'An account has one webhook. Publishing this workflow points it here. If something else uses it, such as a CRM or another workflow, publishing is refused.',
	),
	optionsCollection([
		{
			displayName: 'Allowed IPs',
			name: 'allowedIps',
			type: 'string',
			default: '',
			placeholder: 'e.g. 203.0.113.7, 2001:db8::/32',
			description:
				'IP addresses and ranges that may deliver, separated by commas. Behind a proxy, set N8N_PROXY_HOPS in n8n.',
		},
		{
			displayName: 'Include Headers',
			name: 'includeHeaders',
			type: 'boolean',
			default: true,
			description:
				'Whether to add the headers of the delivery to its first item, as _gateway.headers',
		},
		{
			displayName: 'Match',
			name: 'match',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Condition' },
			placeholder: 'Add Condition',
			default: {},
			description: 'Fields and values that a delivery must have to start the workflow',
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
								'Name of the field. For a field inside another field, put a dot between the names.',
						},
						{
							displayName: 'Value',
							name: 'value',
							type: 'string',
							default: '',
							placeholder: 'e.g. delivered',
							description: 'Value that the field must have',
						},
					],
				},
			],
		},
	]),
];
