import { openNameDefaults, openNames } from '../../../nodes/gateway/serviceNames';

test.each(Object.keys(openNameDefaults) as Array<keyof typeof openNameDefaults>)(
	'%s is taken from the credential unless it is empty',
	(name) => {
		expect(openNames({ [name]: ' other ' })).toEqual({ ...openNameDefaults, [name]: 'other' });
		expect(openNames({ [name]: 55 })).toEqual({ ...openNameDefaults, [name]: '55' });
		for (const empty of ['', '  ', undefined, null, {}, true]) {
			expect(openNames({ [name]: empty })).toEqual(openNameDefaults);
		}
	},
);

test('nothing else of the credential gets in, and the defaults stay', () => {
	const names = openNames({ apiKey: 'secret', campaignIdParameter: 'x' } as never);
	expect(Object.keys(names)).toEqual(Object.keys(openNameDefaults));
	expect(openNameDefaults.campaignIdParameter).toBe('campaignId');
});
