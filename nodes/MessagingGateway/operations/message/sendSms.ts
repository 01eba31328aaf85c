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
import { send, sendingFields, sendingOptions } from '../../../send/sending';
import { postSms } from '../../../service/endpoints/messages';
import type { components } from '../../../service/interface';

const smsFieldNames: Array<keyof components['schemas']['SmsRequest']> = ['to', 'msg', 'tiposms'];

/** Interface §4.5. */
export const sendSms = send({
	value: 'sendSms',
	name: 'Send SMS',
	action: 'Send SMS',
	description: 'Send a text message by SMS, now or at a later time',
	fields: { to: smsToField, text: smsTextField, ...sendingFields },
	options: { ...sendingOptions(() => smsFieldNames), ...smsOptions },
	textField: smsTextField,

	sending({ to, text: entered, smsType: tiposms, extraFields: more }, item) {
		const text = applyCharacters(item, entered);
		const length = readSmsLength(item, text);
		const { segments, encoding } = length;
		return {
			channel: 'sms',
			to,
			length: { segments, encoding },
			contents: [text, tiposms, more],
			timeName: 'schedule',
			request(time) {
				const schedule = time && formatForSms(inSmsZone(item, time));
				return postSms({ to: to.to, msg: text, tiposms, schedule }, more);
			},
			preview: () => ({
				text,
				lengthHint: segments > 1 ? explainSegments(text, length) : undefined,
				segmentsBy: segmentsByCharacters(entered),
			}),
		};
	},
});
