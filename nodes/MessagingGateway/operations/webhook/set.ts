import type { INodeProperties } from 'n8n-workflow';

import { firstObject } from '../../../gateway/answerBody';
import { readWebhook, setWebhook, webhookIn } from '../../../gateway/endpoints/webhook';
import { refused, type Outcome } from '../../../gateway/outcome';
import { isMasked } from '../../../gateway/redaction';
import { flag, refine, required, trimmed } from '../../../form/field';
import { webAddress } from '../../../form/fields/webAddress';
import { operation, type ItemRequest } from '../../operation';

const urlProperty: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/notifications',
	description: 'Address that the service delivers its notifications to',
};

const urlField = trimmed(urlProperty);

const newUrlField = refine(
	webAddress(
		required(urlProperty),
		'Enter the full address, e.g. https://example.com/notifications.',
	),
	(url, owner) => {
		if (!isMasked(url)) return url;
		throw owner.invalid(
			"'URL' holds a masked secret",
			"'Webhook: Get' shows the address of a Messaging Gateway Trigger without its secret, so it cannot be set again. Publish the workflow with the trigger instead. To switch the webhook off, leave 'URL' empty.",
		);
	},
);

/** Interface §4.11. */
export const set = operation({
	value: 'set',
	name: 'Set',
	action: 'Set webhook configuration',
	description: "Set the URL of the account's webhook, or switch the webhook on or off",
	idempotent: true,
	fields: {
		notice: {
			displayName:
				'The account has one webhook, and this replaces its URL. To keep the old URL, read it with Webhook: Get first. A published Messaging Gateway Trigger of this account loses the webhook.',
			name: 'displacesTriggerNotice',
			type: 'notice',
			default: '',
		},
		newUrl: {
			...newUrlField,
			required: true,
			// Not where an expression decides: then it may be off.
			displayOptions: { hide: { enable: [{ _cnd: { not: true } }] } },
		},
		url: {
			...urlField,
			displayOptions: { hide: { enable: [true] } },
			description: `${urlField.description}. Switched off, it may be empty: the one that is set stays.`,
		},
		enable: flag({
			displayName: 'Enable',
			name: 'enable',
			type: 'boolean',
			default: true,
			description: 'Whether the service delivers notifications to the URL',
		}),
	},

	request(values) {
		const { enable: enabled } = values;
		const isKept = !enabled && values.url === '';
		return {
			...setWebhook({ url: isKept ? '' : values.newUrl, enabled }),
			...(isKept && { steps: switchOff }),
			output: firstObject,
		};
	},
});

/** What is set is sent back as it is: whether the request may go without a URL is not shown. */
const switchOff: NonNullable<ItemRequest['steps']> = async (attempt) => {
	const read = await attempt({ ...readWebhook(), judge: needsUrl });
	if (read.kind !== 'accepted') return read;
	return await attempt(setWebhook({ url: webhookIn(read.body)?.url ?? '', enabled: false }));
};

/** To send back none would take away the one that is set. */
function needsUrl(outcome: Outcome): Outcome {
	if (outcome.kind !== 'accepted') return outcome;
	if (webhookIn(outcome.body) !== undefined) return outcome;
	return refused({
		kind: 'unusable',
		explanation: {
			message: 'The service does not say which URL is set',
			facts: 'Nothing was changed.',
			advice: "Enter 'URL', too: it is set, and switched off.",
		},
	});
}
