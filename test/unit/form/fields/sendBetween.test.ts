import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { askBetweenOption, sendBetweenOption } from '../../../../nodes/form/fields/sendBetween';
import { makeItem } from '../../../../tools/shared/item';

const readValues = async (
	values: IDataObject,
	entered: IDataObject = {},
	field = sendBetweenOption,
) =>
	field.read(
		await makeItem(
			{ options: { sendBetween: { values } } },
			{ parameters: { options: { sendBetween: { values: entered } } } as never },
		),
	)!;

/** Reads one window. */
const read = async (
	given: IDataObject,
	...more: [entered?: IDataObject, field?: typeof sendBetweenOption]
) => {
	const { timezone, outside, ...window } = given;
	const others = Object.entries({ timezone, outside }).filter(([name]) => name in given);
	const values = { windows: { values: [window] }, ...Object.fromEntries(others) };
	return await readValues(values as IDataObject, ...more);
};

const days = new Set([1, 2, 3, 4, 5]);
const windowsOf = async (values: IDataObject) => (await read(values)).windows;

test('is not there unless it is set', async () => {
	expect(sendBetweenOption.read(await makeItem({ options: {} }))).toBeUndefined();
});

test('has the hours of an office where no more is said', async () => {
	const windows = [{ from: 540, to: 1080, days }];
	const zone = 'America/Sao_Paulo';
	expect(await read({})).toEqual({ windows, zone, outside: 'schedule', notAfter: undefined });
});

test('of a question offers to skip or to refuse', async () => {
	expect(await read({}, {}, askBetweenOption)).toMatchObject({ outside: 'skip' });
	const scheduled = read({ outside: 'schedule' }, {}, askBetweenOption);
	await expect(scheduled).rejects.toThrow("'Outside' cannot be 'schedule'");
});

test('has as many windows as there are', async () => {
	const values = [{}, { from: '10:00', to: '16:00', days: ['saturday'] }];
	expect(await readValues({ windows: { values }, timezone: 'UTC' })).toMatchObject({
		windows: [
			{ from: 540, to: 1080, days },
			{ from: 600, to: 960, days: new Set([6]) },
		],
		zone: 'UTC',
	});
});

test.each([
	['00:00', '24:00', 0, 1440],
	['9:05', ' 23:59 ', 545, 1439],
	['22:00:00', '00:00', 1320, 0],
	['12 am', '9:30 PM', 0, 1290],
])('from %j to %j is read as %d to %d minutes', async (entered, end, from, to) => {
	expect(await windowsOf({ from: entered, to: end })).toMatchObject([{ from, to }]);
});

test.each<[unknown, string]>([
	[' Asia/Tokyo ', 'Asia/Tokyo'],
	['UTC', 'UTC'],
	['', 'America/Sao_Paulo'],
	['-03:00', 'UTC-03:00'],
	['GMT+0530', 'UTC+05:30'],
	['UTC-3', 'UTC-3:00'],
	['recipient', 'recipient'],
	[{ __rl: true, mode: 'list', value: 'recipient' }, 'recipient'],
	[{ __rl: true, mode: 'name', value: 'Asia/Tokyo' }, 'Asia/Tokyo'],
	[{ __rl: true, mode: 'list', value: '' }, 'America/Sao_Paulo'],
])('the time zone %j is read as %s', async (timezone, zone) => {
	expect((await read({ timezone } as never)).zone).toBe(zone);
});

test.each([
	...['9', '9h', '09h00', '9:00 AM', '9am', '09.00', '09:00:00', 'T09:00', '９:００'],
	'2030-12-31T09:00:00.000-05:00', // a DateTime: the hour that its own clock shows
])('the time of day %j is nine', async (from) => {
	expect((await read({ from } as never)).windows[0]!.from).toBe(9 * 60);
});

const firstThree = [1, 2, 3];
test.each<[unknown, number[]]>([
	[['sunday'], [7]],
	['Monday, sunday,monday', [1, 7]],
	['mon,tue', [1, 2]],
	['monday friday', [1, 5]],
	[firstThree, firstThree],
	['0; 7', [7]],
])('the days %j are %j', async (days, numbers) => {
	expect([...(await read({ days } as never)).windows[0]!.days]).toEqual(numbers);
});

/** A message that ends with a colon names the value. */
test.each<[string, string, ...unknown[]]>([
	['from', "'From' of 'Send Between' is not a time of day:", '', 'noon', '0.375', '24:01', '25:00'],
	['from', "'From' of 'Send Between' is not a time of day:", '12:60', '-1:00', '09:00:30', '0900'],
	['from', "'From' of 'Send Between' is not a time of day:", '13 am', '24:00 pm', '9:', 'T'],
	['from', "'From' and 'To' of 'Send Between' leave no time: 18:00 to 18:00", '18:00'],
	['from', "'From' and 'To' of 'Send Between' leave no time: 24:00 to 18:00", '24:00'],
	['to', "'To' of 'Send Between' is not a time of day:", 'noon'],
	['to', "'To' is not text", {}],
	['days', "'Days' of 'Send Between' is not a day of the week: ''", [], null, ['monday', '']],
	['days', "'Days' of 'Send Between' is not a day of the week: 'Tu'", ['monday', 'Tu']],
	['days', "'Days' of 'Send Between' is not a day of the week: '[object'", {}],
	['days', "'Days' of 'Send Between' is not a day of the week: 'to'", 'monday to friday'],
	['timezone', "'Timezone' of 'Send Between' is not a time zone:", 'Mars', 'local'],
	['outside', "'Outside' cannot be 'wait'", 'wait'],
	['outside', "'Outside' cannot be ''", ''],
])('%s: %s', async (name, said, ...values) => {
	for (const value of values) {
		const message = said.endsWith(':') ? `${said} '${String(value)}'` : said;
		const description = expect.stringMatching(/\.$/) as string;
		await expect(read({ [name]: value } as never)).rejects.toMatchObject({ message, description });
	}
});

test.each([undefined, null, '', ' '])(
	'a time zone whose expression gives %j is not taken for that of the workflow',
	async (timezone) => {
		const refused = read({ timezone }, { timezone: '={{ $json.timezone }}' });
		await expect(refused).rejects.toThrow("The expression in 'Timezone' returned nothing");
		expect((await read({ timezone }, { from: '={{ $json.from }}' })).zone).toBe(
			'America/Sao_Paulo',
		);
		const value = '={{ $json.timezone }}';
		const located = read(
			{ timezone: { __rl: true, mode: 'name', value: timezone } },
			{ timezone: { __rl: true, mode: 'name', value } },
		);
		await expect(located).rejects.toThrow("The expression in 'Timezone' returned nothing");
	},
);

const notAfter = '2030-12-31T09:30:00-03:00';

test.each([{ windows: {} }, { windows: { values: [] } }, {}])(
	"'Not After' may be all there is: %j",
	async (values) => {
		const limit = await readValues({ ...values, notAfter, timezone: 'Mars' });
		expect([limit.windows, +limit.notAfter!]).toEqual([[], Date.parse(notAfter)]);
	},
);

test.each<[unknown, string]>([
	['2030-12-31T09:30', notAfter], // by the workflow's clock
	['2030-12-31 12:30Z', notAfter],
	[DateTime.fromISO(notAfter), notAfter],
	[DateTime.fromISO('2030-12-31', { zone: 'UTC' }), '2030-12-30T21:00:00-03:00'], // a midnight
	['2001-01-01T00:00Z', '2000-12-31T22:00:00-02:00'],
])("the time %s of 'Not After' is read", async (entered, time) => {
	const read = (await readValues({ notAfter: entered as never })).notAfter;
	expect(read!.toMillis()).toBe(Date.parse(time));
});

test.each([undefined, null, ''])(
	"an expression in 'Not After' that gives %j is not taken for no limit",
	async (value) => {
		const windows = { values: [{}] };
		const refused = readValues({ windows, notAfter: value }, { notAfter: '={{ $json.end }}' });
		await expect(refused).rejects.toThrow("The expression in 'Not After' returned nothing");
		expect((await readValues({ windows, notAfter: value })).notAfter).toBeUndefined();
	},
);

test('hours that an expression returns need no limit', async () => {
	const sendBetween = { values: { windows: { values: [{}] }, timezone: 'UTC' } };
	const parameters = { options: { sendBetween: '={{ $json.hours }}' } };
	const item = await makeItem({ options: { sendBetween } }, { parameters });
	expect(sendBetweenOption.read(item)!.notAfter).toBeUndefined();
});

test.each([
	['tomorrow', "'Not After' is not a date and time: 'tomorrow'"],
	['2030-12-31', "'Not After' has no time of day: '2030-12-31'"],
	[1924950600000, "'Not After' is not a date and time: '1924950600000'"],
	[DateTime.invalid('no date'), "'Not After' is not a date and time: 'Invalid DateTime'"],
])("'Not After' cannot be %s", async (value, message) => {
	await expect(readValues({ notAfter: value as never })).rejects.toThrow(message);
});

test.each<[unknown, IDataObject?]>([
	[''],
	[{ values: {} }],
	[{ values: 'x' }],
	[{ values: { timezone: 'UTC' } }],
	[{ values: { windows: {} } }],
	[{ values: { windows: { values: [] } } }],
	[{ values: { windows: null } }, { sendBetween: { values: { windows: '={{ $json.hours }}' } } }],
	[
		{ values: { windows: null, notAfter } },
		{ sendBetween: { values: { windows: '={{ $json.hours }}', notAfter } } },
	],
])('%j is no hours, and not any time', async (sendBetween, options = {}) => {
	const parameters = { options: { sendBetween, ...options } } as INodeParameters;
	const item = await makeItem({ options: { sendBetween } as never }, { parameters });
	expect(() => sendBetweenOption.read(item)).toThrow("'Send Between' has no time window");
});

test.each([undefined, null, '', {}, { values: {} }])(
	'an expression gives %j: no hours',
	async (sendBetween) => {
		const parameters = { options: { sendBetween: '={{ $json.hours }}' } };
		const item = await makeItem({ options: { sendBetween } as never }, { parameters });
		expect(() => sendBetweenOption.read(item)).toThrow(
			"The expression in 'Send Between' returned nothing",
		);
	},
);
