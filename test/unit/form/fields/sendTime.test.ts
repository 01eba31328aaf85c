/** What engine/action/sendBetween does not show of a message's time. All of it, made up: test/fuzz/sendBetween.test.ts. */
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

test('a time that is past is sent at once, so now counts', async () => {
	const scheduleAt = at(`${monday}10:00`);
	expect(await decide(`${monday}17:00`, { scheduleAt })).toBe(asItIs);
	expect(await decide(`${monday}18:00`, { scheduleAt })).toBe(nextMorning);
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
