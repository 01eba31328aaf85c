import { postSms } from '../../../gateway/endpoints/messages';
import type { components } from '../../../gateway/interface';
import type { OwnFields } from '../../../form/fields/extraFields';
import { formatForSms, inSmsZone } from '../../../form/fields/scheduleAt';
import {
	everySend,
	sendingFields,
	sendingOptions,
	uncertainty,
} from '../../../form/fields/sending';
import {
	readSmsLength,
	segmentsByCharacters,
	smsOptions,
	smsTextField,
	written,
} from '../../../form/fields/smsText';
import { smsToField } from '../../../form/fields/to';
import { explainLength } from '../../../text/sms/length';
import { operation } from '../../operation';

const ownFields = (): OwnFields<components['schemas']['SmsRequest']> => ({
	to: "Enter the number in 'To'",
	msg: "Enter the text in 'Text'",
	tiposms: "Enter the code in 'SMS Type' in the options",
	schedule: "Enter the time in 'Schedule At'",
});

/** Interface §4.5. */
export const sendSms = operation({
	value: 'sendSms',
	name: 'Send SMS',
	action: 'Send SMS',
	description: 'Send a text message by SMS, now or at a later time',
	idempotent: false,
	uncertainty,
	fields: {
		to: smsToField,
		text: smsTextField,
		...sendingFields,
	},
	options: {
		...sendingOptions(ownFields),
		...smsOptions,
	},

	request(values, item) {
		const { to } = values.to;
		const { text: entered, smsType: type } = values;
		const text = written(item, entered);
		const length = readSmsLength(item, text);
		const { segments, encoding } = length;
		return everySend(item, values, {
			message: { channel: 'sms', to, segments, encoding },
			request: (time) => {
				const schedule = time && formatForSms(inSmsZone(item, time));
				const sms = postSms({ to, text, type, schedule }, values.extraFields);
				if (!values.dryRun) return sms;
				const lengthHint = segments > 1 ? explainLength(text, length) : undefined;
				const segmentsBy = segmentsByCharacters(entered);
				return Object.assign(sms, { preview: { text, lengthHint, segmentsBy } });
			},
		});
	},
});
