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

/** When a message to a certain number may be sent: without windows, at any hour. */
export type SendingTimes = Omit<SendBetween, 'zone'> & SendingHours;

/** Returns when a message due at an instant (ms since 1970) may be sent. @throws when no hour fits what is not skipped */
export function sendingTimesOf(
	item: Item,
	{ windows, zone, outside, notAfter }: SendBetween,
	to: Destination,
	due: number,
): SendingTimes {
	const zones = zone === recipientZone ? zonesOf(to.recipient, to) : [zone];
	const times = { windows, zones: windows.length > 0 ? zones : [], outside, notAfter };
	const isSkipped = outside === 'skip' || isLate(times, due);
	if (zones.length === 1 || isSkipped || isWithin(times, due) || nextWithin(times, due))
		return times;
	throw item.invalid(
		explainNoHour(times, due),
		"Enter a time zone by name in 'Timezone', e.g. {{ $json.timezone }}, or set 'Outside' to Skip.",
	);
}

const isLate = ({ notAfter }: Pick<SendBetween, 'notAfter'>, due: number): boolean =>
	notAfter !== undefined && due > notAfter.toMillis();

/** Describes an instant as the clock shows it where it is outside the hours. */
const describeOutside = (hours: SendingHours, due: number): string =>
	describeInstant(zoneOutside(hours, due)!, due);

const explainNoHour = (hours: SendingHours, due: number): string =>
	hours.zones.length === 0
		? 'The time zone of this number is not known'
		: `It would be sent on ${describeOutside(hours, due)}, and no hour of 'Send Between' fits all time zones of this number`;

/** A message that is not sent, although nothing failed. Workflows branch on the reason: it never changes. */
export interface Withheld {
	kind: 'withheld';
	reason: 'late' | 'noHour' | 'outsideHours';
	why: string;
}

/**
 * Decides when a message whose turn is `now` (ms since 1970) is sent, or why it is not. Undefined stands for now.
 *
 * @throws NodeOperationError when the message is refused
 */
export function sendTime(
	item: Item,
	times: SendingTimes | undefined,
	scheduleAt: DateTime<true> | undefined,
	now: number,
): { kind: 'due'; time: DateTime<true> | undefined } | Withheld {
	if (!times) return { kind: 'due', time: scheduleAt };
	const { outside, notAfter } = times;
	const due = scheduleAt?.toMillis() ?? now;
	const skip = (reason: Withheld['reason'], why: string) =>
		({ kind: 'withheld', reason, why }) as const;
	if (isLate(times, due)) {
		const at = formatInstant(due, item.timezone);
		const allowed = `later than 'Not After' allows: ${formatIso(notAfter!)}`;
		return skip('late', `It would have been sent at ${at}, ${allowed}`);
	}
	if (isWithin(times, due)) return { kind: 'due', time: scheduleAt };
	const next = nextWithin(times, due);
	if (outside === 'schedule' && next) return sendTime(item, times, next, now);
	if (outside === 'skip' && !next) return skip('noHour', explainNoHour(times, due));
	const allowed = describeHours(times);
	const when = describeOutside(times, due);
	if (outside === 'skip') {
		return skip('outsideHours', `It would have been sent on ${when}, outside ${allowed}`);
	}
	throw item.invalid(
		`'Send Between' does not allow sending on ${when}`,
		`Run the workflow again within the hours, or change 'Outside'. Nothing was sent: messages may be sent from ${allowed}.`,
	);
}
