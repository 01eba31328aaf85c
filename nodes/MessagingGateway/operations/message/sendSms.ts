import { formatForSms, inSmsZone } from '../../../form/fields/scheduleAt';
import {
	smsTextField,
	smsOptions,
	applyCharacters,
	readSmsLength,
	explainSegments,
	segmentsByCharacters,
} from '../../../form/fields/smsText';
import { smsToField } from '../../../form/fields/to';
import { operation } from '../../../send/operation';
import { uncertainty, sendingFields, sendingOptions, makeSendRequest } from '../../../send/sending';
import { postSms } from '../../../service/endpoints/messages';
import type { components } from '../../../service/interface';

const smsFieldNames: Array<keyof components['schemas']['SmsRequest']> = ['to', 'msg', 'tiposms'];

/** Interface §4.5. */
export const sendSms = operation({
	value: 'sendSms',
	name: 'Send SMS',
	action: 'Send SMS',
	description: 'Send a text message by SMS, now or at a later time',
	idempotent: false,
	uncertainty,
	fields: { to: smsToField, text: smsTextField, ...sendingFields },
	options: { ...sendingOptions(() => smsFieldNames), ...smsOptions },

	request(values, item) {
		const { to: destination, text: entered, smsType: tiposms, extraFields: more } = values;
		const { to } = destination;
		const text = applyCharacters(item, entered);
		const length = readSmsLength(item, text);
		const { segments, encoding } = length;
		const preview = () => ({
			text,
			lengthHint: segments > 1 ? explainSegments(text, length) : undefined,
			segmentsBy: segmentsByCharacters(entered),
		});
		return makeSendRequest(item, values, {
			...{ channel: 'sms', to: destination, timeName: 'schedule', length: { segments, encoding } },
			request: (time) => {
				const schedule = time && formatForSms(inSmsZone(item, time));
				const sms = postSms({ to, msg: text, tiposms, schedule }, more);
				return Object.assign(sms, { preview });
			},
		});
	},
});
