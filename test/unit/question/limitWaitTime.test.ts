import { WAIT_INDEFINITELY, type IDataObject } from 'n8n-workflow';

import { checkLimit, limitWaitTimeOption } from '../../../nodes/question/fields';
import { makeItem } from '../../../tools/shared/item';

/** When the message is sent; far from today, so that times of the table are to come. */
const now = Date.parse('2226-03-01T12:00:00Z');
const minute = 60_000;

type Entered = IDataObject | string | null | undefined;

/** In ms after `now`. */
async function limit(limitWaitTime: Entered, sentAt = now) {
	const item = await makeItem({ options: { limitWaitTime } });
	const endOf = limitWaitTimeOption.read(item);
	checkLimit(item, endOf, now);
	return endOf(sentAt) - now;
}

test.each<[IDataObject, number]>([
	[{ resumeAmount: 45, resumeUnit: 'minutes' }, 45 * minute],
	[{ resumeAmount: 2, resumeUnit: 'days' }, 2880 * minute],
	[{ resumeAmount: 0.5 }, 30 * minute],
	[{ resumeAmount: '2', resumeUnit: ' minutes ' }, 2 * minute],
	[{ resumeAmount: 0.00001, resumeUnit: 'minutes' }, 1],
	[{ limitType: 'afterTimeInterval' }, 60 * minute],
	[{ limitType: ' atSpecifiedTime ', maxDateAndTime: '2226-03-01T09:30:00' }, 30 * minute],
	[{ limitType: 'atSpecifiedTime', maxDateAndTime: '2226-03-01T12:30:00Z' }, 30 * minute],
])('%j', async (values, ms) => {
	expect(await limit({ values })).toBe(ms);
});

test('an interval counts from when the message is sent, a time does not', async () => {
	const read = async (values: IDataObject) => await limit({ values }, now + minute);
	expect(await read({ resumeAmount: 5, resumeUnit: 'minutes' })).toBe(6 * minute);
	const maxDateAndTime = '2226-03-01T12:05:00Z';
	expect(await read({ limitType: 'atSpecifiedTime', maxDateAndTime })).toBe(5 * minute);
});

const days = (resumeAmount: number) => ({ values: { resumeAmount, resumeUnit: 'days' } });

test.each<[Entered]>([[undefined], [''], [{}], [{ values: {} }], [days(1e9)], [days(1e308)]])(
	'%j is no limit',
	async (entered) => {
		expect(await limit(entered)).toBe(WAIT_INDEFINITELY.getTime() - now);
	},
);

const past = /^'Limit Wait Time' ends before anybody could answer$/;
const at = (maxDateAndTime: unknown): IDataObject => ({
	limitType: 'atSpecifiedTime',
	maxDateAndTime: maxDateAndTime as string,
});

test.each<[IDataObject, RegExp]>([
	[{ resumeAmount: 0 }, past],
	[{ resumeAmount: 0.000001, resumeUnit: 'minutes' }, past],
	[at('2026-03-01T12:00:00Z'), past],
	[at('2026-03-01'), /^'Max Date and Time' has no time of day: '2026-03-01'$/],
	[{ resumeAmount: -1 }, /'Amount'/],
	[{ resumeAmount: null }, /'Amount'/],
	[{ resumeUnit: 'weeks' }, /'Unit'/],
	[{ limitType: 'never' }, /'Limit Type'/],
	[at('soon'), /^'Max Date and Time' is not a date and time: 'soon'$/],
	[at(undefined), /^'Max Date and Time' is empty$/],
])('%j is refused', async (values, message) => {
	const refused = limit({ values });
	await expect(refused).rejects.toMatchObject({
		message: expect.stringMatching(message),
		description: expect.stringMatching(/\w/),
	});
	if (message === past) {
		await expect(refused).rejects.toMatchObject({
			description: expect.stringContaining('remove it from the options'),
		});
	}
});
