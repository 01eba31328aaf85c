import type { components } from '../../../shared/interface';
import { readAdditionalBodyFields } from '../../fields/additionalBodyFields';
import { readDeduplicationKey } from '../../fields/deduplicationKey';
import { formatForSms, readSchedule } from '../../fields/scheduleAt';
import { readSendOutput, sendingOptions, simplifyField, uncertainty } from '../../fields/sending';
import { readDestination, toField } from '../../fields/to';
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
		const { to, recipient } = readDestination(item);
		const text = item.text('text', 'Text');
		if (text.trim() === '') throw item.invalid("'Text' is empty", 'Enter the text of the message.');
		const schedule = readSchedule(item);
		const body: components['schemas']['SmsRequest'] = {
			to,
			msg: text,
			tiposms: item.text('smsType', 'SMS Type'),
			...(schedule && { schedule: formatForSms(schedule) }),
		};
		return {
			method: 'POST',
			path: '/v1/sms/enviar',
			body: { ...body, ...readAdditionalBodyFields(item) },
			expected: 'sent',
			recipient,
			deduplicationKey: readDeduplicationKey(item),
			output: readSendOutput(item, { channel: 'sms', to }),
		};
	},
};
