import { refine, required } from '../field';

/** Interface §2.4: 'a string holding a digit'. Which codes there are is open, so more digits pass. */
export const smsTypeField = refine(
	required({
		displayName: 'SMS Type',
		name: 'smsType',
		type: 'string',
		default: '1',
		description:
			'Type of the SMS, a code in digits. Keep 1 unless your messaging service says otherwise.',
	}),
	(type, owner) => {
		if (/^\d+$/.test(type)) return type;
		throw owner.invalid(
			`'SMS Type' is not a code in digits: '${owner.quote(type)}'`,
			'Enter the code of your messaging service, e.g. 1.',
		);
	},
);
