import type { components } from '../../../shared/interface';
import { readAdditionalBodyFields } from '../../fields/additionalBodyFields';
import { formatForSms, inSmsZone, readSchedule } from '../../fields/scheduleAt';
import { asSend, sendingOptions, simplifyField, uncertainty } from '../../fields/sending';
import { readDestination, toField } from '../../fields/to';
import type { Item } from '../../item/item';
import type { Operation } from '../../operation';

/** Interface §4.5. */
export const sendSms: Operation = {
	value: 'sendSms',
	name: 'Send SMS',
	action: 'Send an SMS',
	description: 'Send a text message to a phone number by SMS, now or at a later time',
	idempotent: false,
	uncertainty,
	fields: [
		toField,
		{
			displayName: 'Text',
			name: 'text',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			required: true,
			placeholder: 'e.g. Hello Ana, your order is on its way.',
			description: 'Text of the message',
		},
		{
			displayName: 'SMS Type',
			name: 'smsType',
			type: 'string',
			default: '1',
			description:
				'Type code of the SMS, a digit. Your messaging service tells which codes your account can use.',
		},
		simplifyField,
	],
	options: sendingOptions(),

	request(item) {
		const destination = readDestination(item);
		const text = item.text('text', 'Text');
		if (text.trim() === '') throw item.invalid("'Text' is empty", 'Enter the text of the message.');
		const schedule = readSchedule(item);
		const body: components['schemas']['SmsRequest'] = {
			to: destination.to,
			msg: text,
			tiposms: readSmsType(item),
			...(schedule && { schedule: formatForSms(inSmsZone(item, schedule)) }),
		};
		return {
			...asSend(item, 'sms', destination),
			path: '/v1/sms/enviar',
			body: { ...body, ...readAdditionalBodyFields(item) },
		};
	},
};

/** Interface §2.4: a string holding a digit. */
function readSmsType(item: Item): string {
	const type = item.requiredText('smsType', 'SMS Type');
	if (/^\d$/.test(type)) return type;
	throw item.invalid(
		`'SMS Type' is not a digit: '${type}'`,
		"Enter the type code that your messaging service names, e.g. 1. If it has other codes, add 'tiposms' with 'Additional Body Fields' in the options.",
	);
}
