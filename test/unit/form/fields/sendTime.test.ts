/** What becomes of a message at an instant. All of it, made up: test/fuzz/sendBetween.test.ts. */
import { DateTime } from 'luxon';

import { sendTime, type Timed } from '../../../../nodes/form/fields/sendTime';
import { makeItem } from '../../../../tools/shared/item';

const zone = 'America/New_York';
const days = new Set([1, 2, 3, 4, 5]);
const hours = { windows: [{ from: 540, to: 1080, days }], zone };
const at = (local: string, inZone = zone) =>
	DateTime.fromISO(local, { zone: inZone }) as DateTime<true>;

// 2026-11-23 is a Monday.
const monday = '2026-11-23T';

async function decide(now: string, more: Partial<Timed> = {}) {
	const base = { hours, outside: 'schedule', canSchedule: true, scheduleAt: undefined } as const;
	const message: Timed = { ...base, ...more };
	const decided = sendTime(await makeItem(), message, at(now).toMillis());
	return decided.kind === 'moved' ? decided.scheduleAt.toISO() : decided;
}

const asItIs = { kind: 'asItIs' };
const nextMorning = '2026-11-24T09:00:00.000-05:00';

test('within the hours it goes as it is', async () => {
	expect(await decide(`${monday}17:59:59.999`)).toEqual(asItIs);
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
	expect(await decide(`${monday}17:00`, { scheduleAt })).toEqual(asItIs);
	expect(await decide(`${monday}18:00`, { scheduleAt })).toBe(nextMorning);
});

test('a moved time is in the zone of the hours', async () => {
	const hoursInTokyo = { ...hours, zone: 'Asia/Tokyo' };
	expect(await decide(`${monday}10:00`, { hours: hoursInTokyo })).toBe(
		'2026-11-24T09:00:00.000+09:00',
	);
});

test('skipped, it says when it would have left', async () => {
	expect(await decide('2026-11-28T20:15', { outside: 'skip' })).toEqual({
		kind: 'skipped',
		reason:
			'It would have been sent on Saturday, 20:15 in America/New_York, outside 09:00 to 18:00, Monday to Friday',
	});
	const scheduleAt = at('2026-11-29T10:00');
	expect(await decide(`${monday}10:00`, { outside: 'skip', scheduleAt })).toMatchObject({
		reason: expect.stringContaining('Sunday, 10:00'),
	});
});

test('refused, it is an error of the item', async () => {
	await expect(decide(`${monday}20:15`, { outside: 'refuse' })).rejects.toMatchObject({
		message: "'Send Between' does not allow sending on Monday, 20:15 in America/New_York",
		description: expect.stringContaining('from 09:00 to 18:00, Monday to Friday'),
		context: { itemIndex: 0 },
	});
});

test('what cannot be scheduled is not offered to be', async () => {
	const refused = decide('2026-11-28T20:15', { canSchedule: false });
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

describe('a time that the service may take for another', () => {
	// Berlin has 02:00 to 03:00 twice on 2026-10-25: from 20:00 to 22:00 of Saturday in New York.
	const readings = (time: DateTime<true>) => time.setZone('Europe/Berlin').getPossibleOffsets();
	const onSaturday = async (from: string, to: string, scheduleAt?: DateTime<true>) => {
		const minutes = (time: string) => 60 * at(monday + time).hour + at(monday + time).minute;
		const window = { from: minutes(from), to: minutes(to), days: new Set([6]) };
		const own = { windows: [window], zone };
		return await decide('2026-10-24T12:00', { hours: own, readings, scheduleAt });
	};

	test.each([
		['20:00', '22:00', '2026-10-24T20:00:00.000-04:00'], // both lie within
		['21:30', '23:00', '2026-10-24T22:00:00.000-04:00'],
		['20:30', '21:15', '2026-10-31T20:30:00.000-04:00'],
	])('is taken where both lie within %s to %s: %s', async (from, to, expected) => {
		expect(await onSaturday(from, to)).toBe(expected);
	});

	test('is moved where it was entered', async () => {
		const scheduleAt = at('2026-10-24T21:45:10');
		expect(await onSaturday('21:30', '23:00', scheduleAt)).toBe('2026-10-24T22:00:00.000-04:00');
		expect(await onSaturday('20:30', '23:00', scheduleAt)).toEqual(asItIs);
	});
});
