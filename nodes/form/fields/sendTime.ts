import type { DateTime } from 'luxon';

import { zonesOf } from '../../text/phoneZones';
import {
	isWithin,
	nextWithin,
	describeHours,
	describeInstant,
	zoneOutside,
	type SendingHours,
} from '../../text/sendingHours';
import type { Item } from '../item';
import { formatInstant, formatIso } from './scheduleAt';
import { recipientZone, type SendBetween } from './sendBetween';
import type { Destination } from './to';

/** When a message to a certain number may be sent. */
export interface SendingTimes extends Pick<SendBetween, 'outside' | 'notAfter'> {
	/** Undefined: at any hour. */
	hours: SendingHours | undefined;
}

/**
 * Returns when a message to a number may be sent.
 *
 * @param due when it is its turn, in ms since 1970
 * @throws NodeOperationError when no hour fits the number, unless the message is to be skipped
 */
export function sendingTimesOf(
	item: Item,
	{ windows, zone, outside, notAfter }: SendBetween,
	to: Destination,
	due: number,
): SendingTimes {
	if (windows.length === 0) return { hours: undefined, outside, notAfter };
	const zones = zone === recipientZone ? zonesOf(to.recipient, to) : [zone];
	const hours = { windows, zones };
	const isSkipped = outside === 'skip' || isLate(due, notAfter);
	if (zones.length === 1 || isSkipped || nextWithin(hours, due))
		return { hours, outside, notAfter };
	throw item.invalid(
		explainNoHour(hours, due),
		"Enter a time zone by name in 'Timezone', e.g. {{ $json.timezone }}, or set 'Outside' to Skip.",
	);
}

const isLate = (due: number, notAfter: DateTime<true> | undefined): notAfter is DateTime<true> =>
	notAfter !== undefined && due > notAfter.toMillis();

const explainNoHour = (hours: SendingHours, due: number): string =>
	hours.zones.length === 0
		? 'The time zone of this number is not known'
		: `It would be sent on ${describeOutside(hours, due)}, and no hour of 'Send Between' fits all time zones of this number`;

/** Describes an instant as the clock shows it where it is outside the hours. */
const describeOutside = (hours: SendingHours, due: number): string =>
	describeInstant(zoneOutside(hours, due) ?? hours.zones[0]!, due);

/** A message that is not sent, although nothing failed. Workflows branch on the reason: it never changes. */
export interface Withheld {
	kind: 'withheld';
	reason: 'late' | 'noHour' | 'outsideHours';
	why: string;
}

/**
 * Decides when a message whose turn is `now` (ms since 1970) is sent (undefined: now), or why it is not.
 *
 * @param scheduleAt later than that; undefined: the message is sent now
 * @throws NodeOperationError when the message is refused
 */
export function sendTime(
	item: Item,
	times: SendingTimes | undefined,
	scheduleAt: DateTime<true> | undefined,
	now: number,
): { kind: 'due'; time: DateTime<true> | undefined } | Withheld {
	if (!times) return { kind: 'due', time: scheduleAt };
	const { hours, outside, notAfter } = times;
	const due = scheduleAt?.toMillis() ?? now;
	if (isLate(due, notAfter)) {
		const why = `It would have been sent at ${formatInstant(due, item.timezone)}, later than 'Not After' allows: ${formatIso(notAfter)}`;
		return { kind: 'withheld', reason: 'late', why };
	}
	if (!hours || isWithin(hours, due)) return { kind: 'due', time: scheduleAt };
	const next = nextWithin(hours, due);
	if (outside === 'schedule' && next) return sendTime(item, times, next, now);
	if (outside === 'skip' && !next) {
		return { kind: 'withheld', reason: 'noHour', why: explainNoHour(hours, due) };
	}
	const allowed = describeHours(hours);
	const when = describeOutside(hours, due);
	if (outside === 'skip') {
		const why = `It would have been sent on ${when}, outside ${allowed}`;
		return { kind: 'withheld', reason: 'outsideHours', why };
	}
	throw item.invalid(
		`'Send Between' does not allow sending on ${when}`,
		`Run the workflow again within the hours, or change 'Outside'. Nothing was sent: messages may be sent from ${allowed}.`,
	);
}
