/** What engine/action/sendBetween does not show of a message's time. Any hours: test/unit/text/sendingHours.test.ts. */
import { DateTime } from 'luxon';

import type { SendBetween } from '../../../../nodes/form/fields/sendBetween';
import { sendingTimesOf, sendTime } from '../../../../nodes/form/fields/sendTime';
import { makeItem } from '../../../../tools/shared/item';

const zone = 'America/New_York';
const days = new Set([1, 2, 3, 4, 5]);
const windows = [{ from: 540, to: 1080, days }];
const to = { to: '79161234567', recipient: '+79161234567', country: 'RU', kind: 'mobile' } as const;

async function decide(
	now: string,
	{ scheduleAt, ...more }: Partial<SendBetween> & { scheduleAt?: DateTime<true> } = {},
) {
	const entered = { windows, zone, outside: 'schedule', notAfter: undefined, ...more } as const;
	const item = await makeItem();
	const due = scheduleAt?.toMillis() ?? Date.parse(now);
	const times = sendingTimesOf(item, entered, to, due);
	const decision = sendTime(item, times, scheduleAt, Date.parse(now));
	return decision.kind === 'due' ? { time: decision.time?.toMillis() } : decision;
}

const at = (time: string) => DateTime.fromISO(time, { zone }) as DateTime<true>;

test('a time for which there is no later one is refused', async () => {
	const scheduleAt = DateTime.fromMillis(8.64e15, { zone }) as DateTime<true>;
	await expect(decide('2026-11-23T10:00-05:00', { scheduleAt })).rejects.toThrow(
		"'Send Between' does not allow sending",
	);
});

// 2026-11-23 is a Monday.
const oClock = (time: string) => `2026-11-23T${time}-05:00`;
const [late, outsideHours] = [{ reason: 'late' }, { reason: 'outsideHours' }];
const fromEleven = [{ from: 660, to: 1080, days }];

test.each<[string, string, Partial<SendBetween> & { scheduleAt?: DateTime<true> }, object]>([
	['on time, to the millisecond', oClock('10:00'), {}, { time: undefined }],
	['a millisecond later', oClock('10:00:00.001'), {}, late],
	['by its schedule', oClock('09:30'), { scheduleAt: at('2026-11-23T10:01') }, late],
	['where hours begin later', oClock('08:00'), { windows: fromEleven }, late],
	['where hours begin before', oClock('08:00'), {}, { time: +at('2026-11-23T09:00') }],
	['outside the hours, and before', oClock('08:00'), { outside: 'skip' }, outsideHours],
	['outside the hours, and after', oClock('20:00'), { outside: 'skip' }, late],
	['after, where it would be refused', oClock('20:00'), { outside: 'refuse' }, late],
	['after, where no hour fits', oClock('20:00'), { zone: 'recipient' }, late],
	['without windows', '2026-11-22T04:00-05:00', { windows: [] }, { time: undefined }],
])("a message with 'Not After' %s", async (_, now, more, expected) => {
	const notAfter = at('2026-11-23T10:00');
	expect(await decide(now, { notAfter, ...more })).toMatchObject(expected);
});

describe('a number in eleven time zones at once', () => {
	const wide = [{ from: 540, to: 1260, days }];
	const recipient = { zone: 'recipient', windows: wide };

	test('leaves in the hours of all of them, or is moved there', async () => {
		// From nine in Kaliningrad to nine in Kamchatka.
		expect(await decide('2026-11-23T07:00Z', recipient)).toEqual({ time: undefined });
		for (const now of ['2026-11-23T09:00Z', '2026-11-24T06:59Z'])
			expect(await decide(now, recipient)).toEqual({ time: Date.parse('2026-11-24T07:00Z') });
	});

	test('is skipped outside these, which names a zone that is', async () => {
		expect(await decide('2026-11-23T09:00Z', { ...recipient, outside: 'skip' })).toEqual({
			kind: 'withheld',
			reason: 'outsideHours',
			why: 'It would have been sent on Monday, 21:00 in Asia/Anadyr, outside 09:00 to 21:00, Monday, Tuesday, Wednesday, Thursday, Friday',
		});
	});
});
