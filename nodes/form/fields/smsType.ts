import { refine, required } from '../field';

/** Interface §2.4: a string with a digit. @param otherwise what to do for any other type */
export const smsTypeField = (otherwise = '') =>
	refine(smsType, (type, owner) => {
		if (/^\d$/.test(type)) return type;
		throw owner.invalid(
			`'SMS Type' is not a digit: '${owner.quote(type)}'`,
			`Enter the one-digit code of your messaging service, e.g. 1. ${otherwise}`.trim(),
		);
	});

const smsType = required({
	displayName: 'SMS Type',
	name: 'smsType',
	type: 'string',
	default: '1',
	description: 'Type of the SMS, one digit. Keep 1 unless your messaging service says otherwise.',
});
