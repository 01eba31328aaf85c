import { mask } from '../../../account/redaction';
import { tokenParameter } from '../../../account/triggerToken';
import { refine, flag } from '../../../form/field';
import { webAddress } from '../../../form/fields/webAddress';
import { trimmed } from '../../../form/textField';
import { notice } from '../../../n8n/properties';
import { operation } from '../../../send/operation';
import { setWebhook, readWebhook, webhookIn } from '../../../service/endpoints/webhook';
import { firstObject, refuseIf, explained, type AnswerBody } from '../../../service/outcome';

const keptUrlField = trimmed({
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/notifications',
	description: 'Address that the service delivers its notifications to',
});

const newUrlField = refine(
	webAddress(
		keptUrlField,
		'Enter the full address, e.g. https://example.com/notifications.',
		'Enter an address that opens from anywhere, e.g. https://example.com/notifications.',
	),
	(url, owner) => {
		if (!url.includes(`${tokenParameter}=${mask}`)) return url;
		throw owner.invalid(
			"'URL' contains a masked secret",
			"To use a Messaging Gateway Trigger, publish its workflow instead. To switch the webhook off, leave 'URL' empty. 'Webhook: Get' hides the secret, so the URL that it shows cannot be set again.",
		);
	},
);

/** Interface §4.11. */
export const webhookSet = operation({
	value: 'set',
	name: 'Set',
	action: 'Set webhook configuration',
	description: "Set the URL of the account's webhook, or switch the webhook on or off",
	idempotent: true,
	fields: {
		notice: notice(
			'displacesTriggerNotice',
			'This replaces the URL of the only webhook of the account. To keep the old URL, get it with Webhook: Get first. A published Messaging Gateway Trigger of this account loses the webhook, and registers again where it is off: unpublish it first.',
		),
		newUrl: {
			...newUrlField,
			required: true,
			// An expression hides it, too, since it may switch the webhook off.
			displayOptions: { hide: { enable: [{ _cnd: { not: true } }] } },
		},
		url: {
			...keptUrlField,
			displayOptions: { hide: { enable: [true] } },
			description: `${keptUrlField.description}. When switching off, leave empty to keep the current one.`,
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
			...(isKept ? switchOff : setWebhook({ url: values.newUrl, enabled })),
			output: firstObject,
		};
	},
});

/** Sending no URL might remove the current one. */
const needsUrl = refuseIf((body) => {
	if (webhookIn(body) !== undefined) return undefined;
	return explained('unusable', {
		message: 'The service did not return the current URL of the webhook',
		hint: "Enter the address in 'URL' to set it and switch it off. Nothing was changed.",
	});
});

/** Sends the current URL back: the interface does not show whether it may be omitted. */
const switchOff = {
	...{ ...readWebhook(), judge: needsUrl },
	next: (body?: AnswerBody) => setWebhook({ url: webhookIn(body)?.url ?? '', enabled: false }),
};
