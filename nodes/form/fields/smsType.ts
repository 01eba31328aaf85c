import { option, refine, required } from '../field';

/** Interface §2.4: 'a string holding a digit'. Which codes there are is open, so more digits pass. */
export const smsTypeOption = option(
	refine(
		required({
			displayName: 'SMS Type',
			name: 'smsType',
			default: '1',
			description:
				'Type of the SMS, a code in digits. Change it only if your messaging service says so.',
		}),
		(type, owner) => {
			if (/^\d+$/.test(type)) return type;
			throw owner.invalid(
				`'SMS Type' is not a code in digits: '${owner.quote(type)}'`,
				'Enter the code of your messaging service, e.g. 1.',
			);
		},
	),
);
