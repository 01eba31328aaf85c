import { openNameDefaults, openNames } from '../../../nodes/gateway/serviceNames';
import { parseCountries } from '../../../nodes/text/country';

test.each(Object.keys(openNameDefaults) as Array<keyof typeof openNameDefaults>)(
	'%s is taken from the credential unless it is empty',
	(name) => {
		expect(openNames({ [name]: ' other ' })).toEqual({ ...openNameDefaults, [name]: 'other' });
		expect(openNames({ [name]: 55 })).toEqual({ ...openNameDefaults, [name]: '55' });
		const others = name === 'allowedCountries' ? [] : [undefined, null, {}, true];
		for (const empty of ['', '  ', ...others]) {
			expect(openNames({ [name]: empty })).toEqual(openNameDefaults);
		}
	},
);

test.each([
	[undefined, 'nothing'],
	[null, 'null'],
	[[], '[]'],
	[['BR'], '["BR"]'],
	[{}, '{}'],
	[true, 'true'],
])('countries that are %j are not all of them', (allowedCountries, shown) => {
	expect(openNames({ allowedCountries })).toMatchObject({ allowedCountries: shown });
	expect(parseCountries(shown)).toBeUndefined();
});

test('nothing else of the credential gets in, and the defaults stay', () => {
	const names = openNames({ apiKey: 'secret', campaignIdParameter: 'x' } as never);
	expect(Object.keys(names)).toEqual(Object.keys(openNameDefaults));
	expect(openNameDefaults.campaignIdParameter).toBe('campaignId');
});
