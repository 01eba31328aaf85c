import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { askBetweenOption, sendBetweenOption } from '../../../../nodes/form/fields/sendBetween';
import { makeItem } from '../../../../tools/shared/item';

const read = async (
	{ timezone, outside, ...window }: IDataObject,
	entered: IDataObject = {},
	field = sendBetweenOption,
) => {
	const values = Object.fromEntries(
		Object.entries({ windows: { values: [window] }, timezone, outside }).filter(
			([, value]) => value !== undefined,
		),
	);
	return field.read(
		await makeItem(
			{ options: { sendBetween: { values } } },
			{ parameters: { options: { sendBetween: { values: entered } } } as never },
		),
	)!;
};

const days = new Set([1, 2, 3, 4, 5]);
const windowsOf = async (values: IDataObject) => (await read(values)).hours.windows;

test('is not there unless it is set', async () => {
	expect(sendBetweenOption.read(await makeItem({ options: {} }))).toBeUndefined();
});

test('has the hours of an office where no more is said', async () => {
	const hours = { windows: [{ from: 540, to: 1080, days }], zone: 'America/Sao_Paulo' };
	expect(await read({})).toEqual({ hours, outside: 'schedule', canSchedule: true });
});

test('of a question offers to skip or to refuse', async () => {
	expect(await read({}, {}, askBetweenOption)).toMatchObject({ outside: 'skip' });
	const scheduled = read({ outside: 'schedule' }, {}, askBetweenOption);
	await expect(scheduled).rejects.toThrow("'Outside' cannot be 'schedule'");
});

test('has as many windows as there are', async () => {
	const values = [{}, { from: '10:00', to: '16:00', days: ['saturday'] }];
	const sendBetween = { values: { windows: { values }, timezone: 'UTC' } };
	const item = await makeItem({ options: { sendBetween } });
	expect(sendBetweenOption.read(item)?.hours).toEqual({
		windows: [
			{ from: 540, to: 1080, days },
			{ from: 600, to: 960, days: new Set([6]) },
		],
		zone: 'UTC',
	});
});

test.each<[IDataObject, object]>([
	[
		{ from: '00:00', to: '24:00' },
		{ from: 0, to: 1440 },
	],
	[
		{ from: '9:05', to: ' 23:59 ' },
		{ from: 545, to: 1439 },
	],
	[
		{ from: '22:00:00', to: '00:00' },
		{ from: 1320, to: 0 },
	],
	[{ days: ['sunday'] }, { days: new Set([7]) }],
	[{ days: 'Monday, sunday,monday' }, { days: new Set([1, 7]) }],
])('%j is read as %j', async (values, window) => {
	expect(await windowsOf(values)).toMatchObject([window]);
});

test.each([
	[' Asia/Tokyo ', 'Asia/Tokyo'],
	['UTC', 'UTC'],
	['', 'America/Sao_Paulo'],
])('the time zone %j is read as %s', async (timezone, zone) => {
	expect((await read({ timezone })).hours.zone).toBe(zone);
});

test.each<[IDataObject, string]>([
	[{ from: '' }, "'From' of 'Send Between' is empty"],
	[{ from: null }, "'From' of 'Send Between' is empty"],
	...['9', '9am', '24:01', '25:00', '12:60', '-1:00', '09:00:30', '0900'].map(
		(from): [IDataObject, string] => [
			{ from },
			`'From' of 'Send Between' is not a time of day: '${from}'`,
		],
	),
	[{ to: 'noon' }, "'To' of 'Send Between' is not a time of day: 'noon'"],
	[{ to: {} }, "'To' is an object, not text"],
	[
		{ from: '09:00', to: '9:00' },
		"'From' and 'To' of 'Send Between' leave no time: 09:00 to 09:00",
	],
	[
		{ from: '24:00', to: '9:00' },
		"'From' and 'To' of 'Send Between' leave no time: 24:00 to 09:00",
	],
	[{ days: [] }, "'Days' of 'Send Between' is empty"],
	[{ days: null }, "'Days' of 'Send Between' is empty"],
	[{ days: ['monday', ''] }, "'Days' of 'Send Between' is empty"],
	[{ days: ['monday', 'Tue'] }, "'Days' of 'Send Between' is not a day of the week: 'Tue'"],
	[{ days: {} }, "'Days' of 'Send Between' is not a day of the week: '[object Object]'"],
	[{ timezone: 'Mars' }, "'Timezone' of 'Send Between' is not a time zone: 'Mars'"],
	[{ timezone: 'local' }, "'Timezone' of 'Send Between' is not a time zone: 'local'"],
	[{ outside: 'wait' }, "'Outside' cannot be 'wait'"],
	[{ outside: '' }, "'Outside' is empty"],
])('%j is refused', async (values, message) => {
	await expect(read(values)).rejects.toMatchObject({
		message,
		description: expect.stringMatching(/\.$/),
	});
});

test.each([undefined, null, '', ' '])(
	'a time zone whose expression gives %j is not taken for that of the workflow',
	async (timezone) => {
		const refused = read({ timezone }, { timezone: '={{ $json.timezone }}' });
		await expect(refused).rejects.toThrow("'Timezone' of 'Send Between' is empty");
		expect((await read({ timezone }, { from: '={{ $json.from }}' })).hours.zone).toBe(
			'America/Sao_Paulo',
		);
	},
);

test.each<[unknown, IDataObject]>([
	[undefined, { sendBetween: '={{ $json.hours }}' }],
	[null, {}],
	['', {}],
	['', { sendBetween: '={{ $json.hours }}' }],
	[{}, {}],
	[{ values: {} }, {}],
	[{ values: 'x' }, {}],
	[{ values: { timezone: 'UTC' } }, {}],
	[{ values: { windows: {} } }, {}],
	[{ values: { windows: { values: [] } } }, {}],
	[{ values: { windows: null } }, { sendBetween: { values: { windows: '={{ $json.hours }}' } } }],
])('%j is no hours, and not any time', async (sendBetween, options) => {
	const parameters = { options: { sendBetween, ...options } } as INodeParameters;
	const item = await makeItem({ options: { sendBetween } as never }, { parameters });
	expect(() => sendBetweenOption.read(item)).toThrow("'Send Between' has no time window");
});
