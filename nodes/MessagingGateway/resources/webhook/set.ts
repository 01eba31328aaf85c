import { firstObject } from '../../../shared/answer';
import { isMasked } from '../../../shared/webhookUrl';
import { asWebAddress } from '../../fields/webAddress';
import type { Operation } from '../../operation';

/** Interface §4.11. The answer's field is named `enabled` when read, `enable` when set (§2.8). */
export const set: Operation = {
	value: 'set',
	name: 'Set',
	action: 'Set the webhook configuration',
	description: 'Point the single webhook of the account to an address, and switch it on or off',
	idempotent: true,
	fields: [
		{
			displayName:
				'The account has one webhook. Setting it here takes it away from an active <b>Messaging Gateway Trigger</b> that uses this account.',
			name: 'displacesTriggerNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Enable',
			name: 'enable',
			type: 'boolean',
			default: true,
			description: 'Whether the service delivers notifications to the URL',
		},
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://example.com/notifications',
			description: 'Address that the service delivers its notifications to',
		},
	],

	request(item) {
		const url = asWebAddress(item, item.requiredText('url', 'URL'), {
			displayName: 'URL',
			howTo: 'Enter the full address, e.g. https://example.com/notifications.',
		});
		if (isMasked(url)) {
			throw item.invalid(
				"'URL' holds a masked secret",
				"'Webhook: Get' shows the address of a Messaging Gateway Trigger without its secret, so it cannot be set again. Publish the workflow with the trigger instead.",
			);
		}
		return {
			method: 'POST',
			path: '/webhook/',
			body: { enable: item.flag('enable', 'Enable'), url },
			output: firstObject,
		};
	},
};
