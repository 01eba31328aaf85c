import type { components } from '../../../shared/interface';
import { readAdditionalBodyFields } from '../../fields/additionalBodyFields';
import { formatForSms, inSmsZone, readSchedule } from '../../fields/scheduleAt';
import { asSend, sendingOptions, simplifyField, uncertainty } from '../../fields/sending';
import { readSmsType, smsTypeField } from '../../fields/smsType';
import { readDestination, toField } from '../../fields/to';
import type { Operation } from '../../operation';

const otherTypes =
	"If it has other codes, add 'tiposms' with 'Additional Body Fields' in the options.";

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
		smsTypeField,
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
			tiposms: readSmsType(item, otherTypes),
			...(schedule && { schedule: formatForSms(inSmsZone(item, schedule)) }),
		};
		return {
			...asSend(item, 'sms', destination),
			path: '/v1/sms/enviar',
			body: { ...body, ...readAdditionalBodyFields(item) },
		};
	},
};
