import { createHash } from 'node:crypto';
import { DateTime } from 'luxon';
import type {
	AcceptedFilter,
	AcceptedMessage,
	AudioSummary,
	Names,
	RecordedRequest,
	RefusedMessage,
	RequestFilter,
} from './types';

/** All requests, all accepted messages and all refused ones. */
export class Records {
	readonly refused: RefusedMessage[] = [];
	private readonly allRequests: RecordedRequest[] = [];
	private readonly allAccepted: AcceptedMessage[] = [];
	private readonly acceptedByNumber = new Map<string, AcceptedMessage[]>();

	addRequest(request: RecordedRequest): void {
		this.allRequests.push(request);
	}

	addAccepted(message: AcceptedMessage): void {
		this.allAccepted.push(message);
		const sameNumber = this.acceptedByNumber.get(message.to);
		if (sameNumber) sameNumber.push(message);
		else this.acceptedByNumber.set(message.to, [message]);
	}

	requests({ operation, to, valid }: RequestFilter = {}): RecordedRequest[] {
		return this.allRequests.filter(
			(request) =>
				(operation === undefined || [operation].flat().some((id) => id === request.operationId)) &&
				(to === undefined || destinationOf(request.body) === phoneOf(to)) &&
				(valid === undefined || request.valid === valid),
		);
	}

	accepted({ to, ...filter }: AcceptedFilter = {}): AcceptedMessage[] {
		const candidates =
			to === undefined ? this.allAccepted : (this.acceptedByNumber.get(phoneOf(to)) ?? []);
		const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
		return candidates.filter((message) =>
			wanted.every(([field, value]) => message[field as keyof typeof filter] === value),
		);
	}
}

/** The fields of a send's message, beside or in `message` (§2.2 to §2.4). */
function messageIn(body: unknown): Record<string, unknown> {
	const { message, ...fields } = fieldsOf(body);
	return { ...fieldsOf(message), ...fields };
}

/** The phone that a send's message is for. */
export function destinationOf(body: unknown): string | undefined {
	const { to } = messageIn(body);
	return typeof to === 'string' ? phoneOf(to) : undefined;
}

/** A number with its +, as it is entered and as outputs show it: on the wire, it has none. */
export const phoneOf = (to: string): string => to.replace(/^\d/, '+$&');

/** The same on the wire. */
export const digitsOf = (phone: string): string => phone.replace('+', '');

/** The text of a message, or a caption. */
export function textOf(body: unknown): string {
	const { msg } = messageIn(body);
	return typeof msg === 'string' ? msg : '';
}

/** The time zone of SMS: the examples' own. */
const SMS_ZONE = 'America/Sao_Paulo';

/** Returns when a scheduled message leaves, read as ISO 8601 or the local time of an SMS; undefined: now. */
export function dueTimeOf(body: unknown, { audioScheduleField }: Names): number | undefined {
	const message = messageIn(body);
	const schedule = String(message[audioScheduleField] ?? message.scheduled_at ?? message.schedule);
	const read = { zone: SMS_ZONE };
	const times = [DateTime.fromISO(schedule, read), DateTime.fromSQL(schedule, read)];
	return times.find(({ isValid }) => isValid)?.toMillis();
}

const LARGE_AUDIO = 100_000;

/** The body to record: large audio would fill the memory in a long run. */
export function withoutLargeAudio(body: unknown): unknown {
	const fields = fieldsOf(body);
	const text = fields.audio_base64;
	if (typeof text !== 'string' || text.length <= LARGE_AUDIO) return body;
	const audio = Buffer.from(text, 'base64');
	const sha256 = createHash('sha256').update(audio).digest('hex');
	const summary: AudioSummary = { length: text.length, bytes: audio.length, sha256 };
	return { ...fields, audio_base64: summary };
}

export const fieldsOf = (value: unknown): Record<string, unknown> =>
	typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
