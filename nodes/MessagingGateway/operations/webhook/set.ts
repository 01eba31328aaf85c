import type { INodeProperties } from 'n8n-workflow';

import { firstObject } from '../../../gateway/answerBody';
import type { Basis } from '../../../gateway/client';
import { refused, type Outcome } from '../../../gateway/outcome';
import { isMasked } from '../../../gateway/triggerToken';
import { flag, refine, required, trimmed } from '../../../form/field';
import { webAddress } from '../../../form/fields/webAddress';
import type { Operation } from '../../operation';

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

const enableField = flag({
	displayName: 'Enable',
	name: 'enable',
	type: 'boolean',
	default: true,
	description: 'Whether the service delivers notifications to the URL',
});

/** Interface §4.11. The answer's field is named `enabled` when read, `enable` when set (§2.8). */
export const set: Operation = {
	value: 'set',
	name: 'Set',
	action: 'Set webhook configuration',
	description:
		'Point the single webhook of the account to an address, and switch it on or off. The address before is replaced and kept nowhere. To switch it off, no address is needed: the one that is set stays.',
	idempotent: true,
	fields: [
		{
			displayName:
				'The account has one webhook. The address that stands there is replaced, and kept nowhere: read it with <b>Webhook: Get</b> first. A published <b>Messaging Gateway Trigger</b> of this account loses the webhook.',
			name: 'displacesTriggerNotice',
			type: 'notice',
			default: '',
		},
		{
			...newUrlField,
			required: true,
			// Not where an expression decides: then it may be off.
			displayOptions: { hide: { enable: [{ _cnd: { not: true } }] } },
		},
		{
			...urlField,
			displayOptions: { hide: { enable: [true] } },
			description: `${urlField.description}. Switched off, it may be empty: the one that is set stays.`,
		},
		enableField,
	],

	request(item) {
		const enable = enableField.read(item);
		const request = { method: 'POST' as const, path: '/webhook/', output: firstObject };
		if (!enable && urlField.read(item) === '') return { ...request, basis: switchedOff };
		return { ...request, body: { enable, url: newUrlField.read(item) } };
	},
};

/** What is set is sent back as it is: whether the request may go without a URL is not shown. */
const switchedOff: Basis = {
	request: { method: 'GET', path: '/webhook/', judge: needsUrl },
	body: (answer) => ({ enable: false, url: firstObject(answer).url ?? '' }),
};

/** To send back none would take away the one that is set. */
function needsUrl(outcome: Outcome): Outcome {
	if (outcome.kind !== 'accepted') return outcome;
	const { url } = firstObject(outcome.body);
	if (url === null || typeof url === 'string') return outcome;
	return refused({
		kind: 'unusable',
		explanation: {
			message: 'The service does not tell which URL is set',
			facts: 'Nothing was changed.',
			advice: "Enter 'URL', too: it is set, and switched off.",
		},
	});
}
