/** What becomes of a message at an instant. All of it, made up: test/fuzz/sendBetween.test.ts. */
import { DateTime } from 'luxon';

import { sendTime, type SendBetween } from '../../../../nodes/form/fields/sendBetween';
import { makeItem } from '../../../../tools/shared/item';

const zone = 'America/New_York';
const days = new Set([1, 2, 3, 4, 5]);
const hours = { windows: [{ from: 540, to: 1080, days }], zone };
const at = (local: string) => DateTime.fromISO(local, { zone }) as DateTime<true>;

// 2026-11-23 is a Monday.
const monday = '2026-11-23T';

async function decide(
	now: string,
	{ scheduleAt, ...more }: Partial<SendBetween> & { scheduleAt?: DateTime<true> } = {},
) {
	const sendBetween: SendBetween = { hours, outside: 'schedule', canSchedule: true, ...more };
	const decided = sendTime(await makeItem(), sendBetween, scheduleAt, at(now).toMillis());
	if ('withheld' in decided) return decided.withheld;
	return decided.scheduleAt === scheduleAt ? asItIs : decided.scheduleAt?.toISO();
}

const asItIs = 'as it is';
const nextMorning = '2026-11-24T09:00:00.000-05:00';

test('within the hours it goes as it is', async () => {
	expect(await decide(`${monday}17:59:59.999`)).toBe(asItIs);
	expect(await decide(`${monday}18:00`)).toBe(nextMorning);
});

test.each<[string, unknown]>([
	[`${monday}17:00`, asItIs],
	[`${monday}18:00`, nextMorning],
	['2026-11-28T12:00', '2026-11-30T09:00:00.000-05:00'],
])('scheduled for %s in the morning: %j', async (scheduleAt, expected) => {
	expect(await decide(`${monday}10:00`, { scheduleAt: at(scheduleAt) })).toEqual(expected);
	expect(await decide(`${monday}06:00`, { scheduleAt: at(scheduleAt) })).toEqual(expected);
});

test('a time that is past is sent at once, so now counts', async () => {
	const scheduleAt = at(`${monday}10:00`);
	expect(await decide(`${monday}17:00`, { scheduleAt })).toBe(asItIs);
	expect(await decide(`${monday}18:00`, { scheduleAt })).toBe(nextMorning);
});

test('a moved time is in the zone of the hours', async () => {
	const hoursInTokyo = { ...hours, zone: 'Asia/Tokyo' };
	expect(await decide(`${monday}10:00`, { hours: hoursInTokyo })).toBe(
		'2026-11-24T09:00:00.000+09:00',
	);
});

test('skipped, it says when it would have left', async () => {
	expect(await decide('2026-11-28T20:15', { outside: 'skip' })).toBe(
		'It would have been sent on Saturday, 20:15 in America/New_York, outside 09:00 to 18:00, Monday to Friday',
	);
	const scheduleAt = at('2026-11-29T10:00');
	expect(await decide(`${monday}10:00`, { outside: 'skip', scheduleAt })).toContain(
		'Sunday, 10:00',
	);
});

test('refused, it is an error of the item', async () => {
	await expect(decide(`${monday}20:15`, { outside: 'refuse' })).rejects.toMatchObject({
		message: "'Send Between' does not allow sending on Monday, 20:15 in America/New_York",
		description: expect.stringContaining('from 09:00 to 18:00, Monday to Friday'),
		context: { itemIndex: 0 },
	});
});

test('what cannot be scheduled is not offered to be', async () => {
	const refused = decide('2026-11-28T20:15', { outside: 'refuse', canSchedule: false });
	await expect(refused).rejects.toMatchObject({
		description: expect.stringMatching(
			/^Run the workflow again within the hours\. Nothing was sent/,
		),
	});
});

test('a time for which there is no later one is refused', async () => {
	const scheduleAt = DateTime.fromMillis(8.64e15, { zone }) as DateTime<true>;
	await expect(decide(`${monday}10:00`, { scheduleAt })).rejects.toThrow(
		"'Send Between' does not allow sending",
	);
});
