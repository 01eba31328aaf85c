import { measureSms } from '../../nodes/text/sms';
import type { Records } from './records';
import type { ServiceState } from './state';
import type { AcceptedMessage, AcceptedRow, Overview, Totals } from './types';

const LATEST = 200;

/** The messages of the page, and how many there are. */
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

	const totals: Record<string, Totals> = {};
	const totalsOf = ({ sender = '' }: { sender?: string }) =>
		(totals[sender] ??= { accepted: 0, twice: 0, refused: 0, segments: 0 });
	const times = new Map<string, number>();
	for (const message of accepted) {
		const total = totalsOf(message);
		total.accepted += 1;
		total.segments += segmentsOf(message) ?? 0;
		const same = JSON.stringify([message.sender, message.operationId, message.body]);
		const before = times.get(same) ?? 0;
		if (before === 1) total.twice += 1;
		times.set(same, before + 1);
	}
	for (const message of records.refused) totalsOf(message).refused += 1;
	return { messages, totals };
}

const segmentsOf = ({ channel, text }: AcceptedMessage): number | undefined =>
	channel === 'sms' ? measureSms(text).segments : undefined;
