import type { DateTime } from 'luxon';

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
	description: 'Send a text message by SMS, now or at a later time',
	idempotent: false,
	uncertainty,
	fields: {
		to: smsToField,
		text: smsTextField,
		smsType: smsTypeField(
			"For any other code, set 'tiposms' in 'Additional Body Fields' in the options.",
		),
		simplify: simplifyField,
	},
	options: { ...sendingOptions(), ...smsTextOptions, refuseLandlines: refuseLandlinesOption },

	request(values, item) {
		const { to } = values.to;
		const { text, smsType: type } = values;
		const request = (time?: DateTime<true>) => {
			const schedule = time && formatForSms(inSmsZone(item, time));
			return postSms({ to, text, type, schedule }, values.additionalBodyFields);
		};
		const { segments, encoding } = readSmsLength(item, toText(request().body.msg));
		return everySend(item, values, {
			message: { channel: 'sms', to, segments, encoding },
			scheduleField: 'schedule',
			request,
			// An hour that occurs twice, when clocks go back, is ambiguous without an offset.
			readings: (time) => inSmsZone(item, time).getPossibleOffsets(),
		});
	},
});
