import { DateTime } from 'luxon';

import { describeHours, describeInstant, isWithin, nextWithin } from '../../text/sendingHours';
import type { Item } from '../item';
import type { SendBetween } from './sendBetween';

/** A message with its schedule, and the hours in which it may be sent. */
export interface Timed extends SendBetween {
	/** Undefined: now. */
	scheduleAt: DateTime<true> | undefined;
	/** What the service may take a scheduled time for, where its format is ambiguous. */
	readings?(time: DateTime<true>): DateTime[];
}

type SendTime =
	| { kind: 'asItIs' }
	| { kind: 'moved'; scheduleAt: DateTime<true> }
	| { kind: 'skipped'; reason: string };

const minuteMs = 60_000;

/**
 * Decides what happens to a message whose turn is `now` (ms since 1970).
 *
 * @throws NodeOperationError when the message is refused
 */
export function sendTime(item: Item, message: Timed, now: number): SendTime {
	const { hours, outside, canSchedule, scheduleAt } = message;
	if (fits(message, scheduleAt, now)) return { kind: 'asItIs' };
	const due = Math.max(now, scheduleAt?.toMillis() ?? now);
	const moved = canSchedule && outside === 'schedule' && nextFitting(message, due, now);
	if (moved) return { kind: 'moved', scheduleAt: moved };
	const allowed = describeHours(hours);
	const when = describeInstant(hours, due);
	if (outside === 'skip') {
		return { kind: 'skipped', reason: `It would have been sent on ${when}, outside ${allowed}` };
	}
	const later = canSchedule
		? "To have the service send this message later, set 'Outside' to Schedule."
		: 'Run the workflow again within the hours.';
	throw item.invalid(
		`'Send Between' does not allow sending on ${when}`,
		`${later} Nothing was sent: messages may be sent from ${allowed}.`,
	);
}

/** Whether every reading of the message's time is within its hours. */
function fits(
	{ hours, readings = (time) => [time] }: Timed,
	scheduleAt: DateTime<true> | undefined,
	now: number,
): boolean {
	const times = scheduleAt ? readings(scheduleAt).map((time) => time.toMillis()) : [now];
	return times.every((time) => isWithin(hours, Math.max(time, now))); // past times are sent at once
}

/** The first minute from `due` on that fits; undefined beyond what dates can express. */
function nextFitting(message: Timed, due: number, now: number): DateTime<true> | undefined {
	const { hours } = message;
	const first = Math.ceil(due / minuteMs) * minuteMs;
	for (let ms = nextWithin(hours, first); ms !== undefined; ms = nextWithin(hours, ms + minuteMs)) {
		const time = DateTime.fromMillis(ms, { zone: hours.zone });
		if (time.isValid && fits(message, time, now)) return time;
	}
	return undefined;
}
