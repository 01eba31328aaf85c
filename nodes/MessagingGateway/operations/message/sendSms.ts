import { postSms } from '../../../gateway/endpoints/messages';
import { toText } from '../../../text/toText';
import { readAdditionalBodyFields } from '../../../form/fields/additionalBodyFields';
import { formatForSms, inSmsZone, readSchedule } from '../../../form/fields/scheduleAt';
import { asSend, sendingOptions, uncertainty } from '../../../form/fields/sending';
import { simplifyField } from '../../../form/fields/simplify';
import {
	readSmsLength,
	smsTextField,
	smsTextOptions,
	withoutUnwantedAccents,
} from '../../../form/fields/smsText';
import { smsTypeField } from '../../../form/fields/smsType';
import { readSmsDestination, refuseLandlinesOption, toField } from '../../../form/fields/to';
import type { Operation } from '../../operation';

const typeField = smsTypeField(
	"If it has other codes, add 'tiposms' with 'Additional Body Fields' in the options.",
);

/** Interface §4.5. */
export const sendSms: Operation = {
	value: 'sendSms',
	name: 'Send SMS',
	action: 'Send SMS',
	description:
		'Send a text message by SMS to one phone number, now or at a later time. A real person gets it: call once per message, and not again when it may have been sent.',
	idempotent: false,
	uncertainty,
	fields: [toField, smsTextField, typeField, simplifyField],
	options: [...sendingOptions(), ...smsTextOptions, refuseLandlinesOption],

	request(item) {
		const destination = readSmsDestination(item);
		const text = withoutUnwantedAccents(item, smsTextField.read(item));
		const schedule = readSchedule(item);
		const sms = {
			to: destination.to,
			text,
			type: typeField.read(item),
			schedule: schedule && formatForSms(inSmsZone(item, schedule)),
		};
		const request = postSms(sms, readAdditionalBodyFields(item));
		const { segments, encoding } = readSmsLength(item, toText(request.body.msg));
		return { ...asSend(item, 'sms', destination, { segments, encoding }), ...request };
	},
};
