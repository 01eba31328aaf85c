import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../shared/interface';
import { toText } from '../../../shared/toText';
import { readAdditionalBodyFields } from '../../fields/additionalBodyFields';
import { formatForSms, inSmsZone, readSchedule } from '../../fields/scheduleAt';
import { asSend, sendingOptions, simplifyField, uncertainty } from '../../fields/sending';
import { readSmsLength, readSmsText, smsTextField, smsTextOptions } from '../../fields/smsText';
import { readDestination, toField } from '../../fields/to';
import type { Item } from '../../item/item';
import type { Operation } from '../../operation';

/** Interface §4.5. */
export const sendSms: Operation = {
	value: 'sendSms',
	name: 'Send SMS',
	action: 'Send SMS',
	description: 'Send a text message to a phone number by SMS, now or at a later time',
	idempotent: false,
	uncertainty,
	fields: [
		toField,
		smsTextField,
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
	options: [...sendingOptions(), ...smsTextOptions],

	request(item) {
		const destination = readDestination(item);
		const text = readSmsText(item);
		const schedule = readSchedule(item);
		const message: components['schemas']['SmsRequest'] = {
			to: destination.to,
			msg: text,
			tiposms: readSmsType(item),
			...(schedule && { schedule: formatForSms(inSmsZone(item, schedule)) }),
		};
		const body: IDataObject = { ...message, ...readAdditionalBodyFields(item) };
		const { segments, encoding } = readSmsLength(item, toText(body.msg));
		return {
			...asSend(item, 'sms', destination, { segments, encoding }),
			path: '/v1/sms/enviar',
			body,
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
