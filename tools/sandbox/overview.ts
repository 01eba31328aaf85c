import { measureSms } from '../../nodes/text/sms';
import type { Records } from './records';
import { REMINDED } from './seeds';
import type { ServiceState } from './state';
import type { AcceptedMessage, AcceptedRow, Overview, RefusedMessage, Totals } from './types';

const LATEST = 200;

/** The messages of the page, and the comparison of its reminders. */
export function messagesOf({
	records,
	state,
}: {
	records: Records;
	state: ServiceState;
}): Pick<Overview, 'messages' | 'totals'> {
	const statuses = state.statuses();
	const accepted = records.accepted();
	const toRow = (message: AcceptedMessage): AcceptedRow => ({
		...message,
		status: statuses.get(message.messageId),
		segments: segmentsOf(message),
	});
	const rows = [...accepted.slice(-LATEST).map(toRow), ...records.refused.slice(-LATEST)];
	const messages = rows.sort((a, b) => a.at - b.at).slice(-LATEST);
	return { messages, totals: compareReminders([...accepted, ...records.refused]) };
}

/** Counts reminders only: what somebody sends besides would blur the comparison. */
function compareReminders(messages: Array<AcceptedMessage | RefusedMessage>) {
	const senders: Record<string, { texts: Set<string>; times: Map<string, number> }> = {};
	for (const message of messages) {
		const { sender = '', to, text } = message;
		if (!REMINDED.includes(to)) continue;
		const { texts, times } = (senders[sender] ??= { texts: new Set(), times: new Map() });
		texts.add(text); // each round has another
		const reminder = `${to} ${text}`;
		if ('messageId' in message) times.set(reminder, (times.get(reminder) ?? 0) + 1);
	}
	const totals: Record<string, Totals> = {};
	for (const [sender, { texts, times }] of Object.entries(senders)) {
		const twice = [...times.values()].filter((count) => count > 1).length;
		totals[sender] = { planned: texts.size * REMINDED.length, arrived: times.size, twice };
	}
	return totals;
}

const segmentsOf = ({ channel, text }: AcceptedMessage): number | undefined =>
	channel === 'sms' ? measureSms(text).segments : undefined;
