/** What engine/action/sendBetween does not show of a message's time. Any hours: test/unit/text/sendingHours.test.ts. */
import { DateTime } from 'luxon';

import { sendTime, type SendBetween } from '../../../../nodes/form/fields/sendBetween';
import { makeItem } from '../../../../tools/shared/item';

const zone = 'America/New_York';
const days = new Set([1, 2, 3, 4, 5]);
const hours = { windows: [{ from: 540, to: 1080, days }], zone };

async function decide(
	now: string,
	{ scheduleAt, ...more }: Partial<SendBetween> & { scheduleAt?: DateTime<true> } = {},
) {
	const sendBetween: SendBetween = { hours, outside: 'schedule', ...more };
	return sendTime(await makeItem(), sendBetween, scheduleAt, Date.parse(now));
}

test('a refused message can be sent within the hours, or be scheduled or skipped', async () => {
	const refused = decide('2026-11-28T20:15-05:00', { outside: 'refuse' });
	await expect(refused).rejects.toMatchObject({
		description: expect.stringMatching(
			/^Run the workflow again within the hours, or change 'Outside'\. Nothing was sent/,
		),
	});
});

test('a time for which there is no later one is refused', async () => {
	const scheduleAt = DateTime.fromMillis(8.64e15, { zone }) as DateTime<true>;
	await expect(decide('2026-11-23T10:00-05:00', { scheduleAt })).rejects.toThrow(
		"'Send Between' does not allow sending",
	);
});
