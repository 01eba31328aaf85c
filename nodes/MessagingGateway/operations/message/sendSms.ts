import { postSms } from '../../../gateway/endpoints/messages';
import { toText } from '../../../text/toText';
import { formatForSms, inSmsZone } from '../../../form/fields/scheduleAt';
import { everySend, sendingOptions, uncertainty } from '../../../form/fields/sending';
import { simplifyField } from '../../../form/fields/simplify';
import { readSmsLength, smsTextField, smsTextOptions } from '../../../form/fields/smsText';
import { smsTypeField } from '../../../form/fields/smsType';
import { refuseLandlinesOption, smsToField } from '../../../form/fields/to';
import { operation } from '../../operation';

/** Interface §4.5. */
export const sendSms = operation({
	value: 'sendSms',
	name: 'Send SMS',
	action: 'Send SMS',
	description:
		'Send a text message by SMS to one phone number, now or at a later time. A real person gets it: call once per message, and not again when it may have been sent.',
	idempotent: false,
	uncertainty,
	fields: {
		to: smsToField,
		text: smsTextField,
		smsType: smsTypeField(
			"If it has other codes, add 'tiposms' with 'Additional Body Fields' in the options.",
		),
		simplify: simplifyField,
	},
	options: { ...sendingOptions(), ...smsTextOptions, refuseLandlines: refuseLandlinesOption },

	request(values, item) {
		const { to, recipient } = values.to;
		const { text, scheduleAt, smsType: type } = values;
		const schedule = scheduleAt && formatForSms(inSmsZone(item, scheduleAt));
		const sms = postSms({ to, text, type, schedule }, values.additionalBodyFields);
		const { segments, encoding } = readSmsLength(item, toText(sms.body.msg));
		const message = { channel: 'sms', to, segments, encoding } as const;
		return { ...everySend(values, recipient, message), ...sms };
	},
});
