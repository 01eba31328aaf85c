import { DateTime } from 'luxon';

import { describeHours, describeInstant, isWithin, nextWithin } from '../../text/sendingHours';
import type { Item } from '../item';
import type { SendBetween } from './sendBetween';

/** A message that is to be sent some time, and the hours in which it may be. */
export interface Timed extends SendBetween {
	/** When it is to be sent; undefined: at once. */
	scheduleAt: DateTime<true> | undefined;
	/** The times that the service may take a scheduled one for, where its shape leaves that open. */
	readings?(time: DateTime<true>): DateTime[];
}

/** What becomes of a message at an instant: it goes as it is, for another time, or does not go. */
export type SendTime =
	| { kind: 'asItIs' }
	| { kind: 'moved'; scheduleAt: DateTime<true> }
	| { kind: 'skipped'; reason: string };

const minuteMs = 60_000;

/**
 * Decides when a message is sent that would leave now, or is scheduled now.
 *
 * @param now in ms since 1970
 * @throws NodeOperationError where it is to be refused
 */
export function sendTime(item: Item, message: Timed, now: number): SendTime {
	const { hours, outside, scheduleAt } = message;
	if (fits(message, scheduleAt, now)) return { kind: 'asItIs' };
	const due = Math.max(now, scheduleAt?.toMillis() ?? now);
	const moved = outside === 'schedule' && nextFitting(message, due, now);
	if (moved) return { kind: 'moved', scheduleAt: moved };
	const allowed = describeHours(hours);
	const when = describeInstant(hours, due);
	if (outside === 'skip') {
		return { kind: 'skipped', reason: `It would have been sent on ${when}, outside ${allowed}` };
	}
	throw item.invalid(
		`'Send Between' does not allow sending on ${when}`,
		`To have the service send this message later, set 'Outside' to Schedule. Nothing was sent: messages may be sent from ${allowed}.`,
	);
}

/** Whether a message is sent within its hours, as whatever its time may be taken for. */
function fits(
	{ hours, readings = (time) => [time] }: Timed,
	scheduleAt: DateTime<true> | undefined,
	now: number,
): boolean {
	const times = scheduleAt ? readings(scheduleAt).map((time) => time.toMillis()) : [now];
	return times.every((time) => isWithin(hours, Math.max(time, now))); // what is past is sent at once
}

/** The first minute from `due` on that fits; undefined at the end of all time. */
function nextFitting(message: Timed, due: number, now: number): DateTime<true> | undefined {
	const { hours } = message;
	const first = Math.ceil(due / minuteMs) * minuteMs;
	for (let ms = nextWithin(hours, first); ms !== undefined; ms = nextWithin(hours, ms + minuteMs)) {
		const time = DateTime.fromMillis(ms, { zone: hours.zone });
		if (time.isValid && fits(message, time, now)) return time;
	}
	return undefined;
}
