import { messageIdNames } from '../outcome';
import { textOf } from '../../text/text';

/** Returns a boolean, which some services write as a text or a number. */
export function readFlag(value: unknown): boolean | undefined {
	if (typeof value === 'object') return undefined; // `String` may throw
	const word = String(value).trim().toLowerCase();
	if (word === 'true' || word === '1') return true;
	return word === 'false' || word === '0' ? false : undefined;
}

/** Matches the names of flags, of statuses and of errors in the answers of services. */
const flagName = /^(success|sucesso|ok|accepted)$/i;
const statusName = /status(_?(message|code|text|name))?$|^(state|situa[cç][aã]o)$/i;
const errorName =
	/^(has_?|is_?)?(err|erros?|errors?|failed|failures?|rejected)(_?(code|messages?|text|msg))?$/i;

const knownName = new RegExp(
	[flagName, statusName, errorName].map((of) => of.source).join('|'),
	'i',
);

/** Matches a status of a message that was not taken, in English or Portuguese: `REJECTED_NO_CREDIT`. */
const failureWord =
	/(?<!(no|sem|without)[\s_-]?)(error|(?<![a-z])err(os?)?(?![a-z])|fail|falh|rej(ect|eit)|refus|recus|den(ied|y)|negad|declin|inv[aá]lid|undeliv|unsent|not[\s_-]?(sent|deliver|accept|allow)|n[aã]o[\s_-]|bloc?k|bloque|blacklist|cancel|expired|expirad|abort|delet|unauthori|forbid|disconnect|desconect|insufficient|insuficiente|^(ko|nok|nack|no|n[aã]o|false)$)/i;

/** Matches an error that is none. */
const noError =
	/^(|-|0+|false|null|none|n\/?a|ok|no[\s_-]?errors?|nenhum|sem[\s_-]?erros?)$|(?<!\b(no|not|sem) )\b(success(ful(ly)?)?|sucesso)\b/i;

/** Matches an ID that no message has: 0, a negative number, an empty UUID, a word instead. */
const noId = /^([0.-]+|-\d+|null|undefined|none|false|nan|n\/a|err(or?)?|fail(ed)?|invalid)$/i;

/**
 * Whether an answer says anywhere, ten levels deep, that the message failed: by a flag, a status, an error or
 * its ID. That is no refusal, as a proxy may have written it, but with a yes beside it nobody knows.
 *
 * @param name the nearest name around the value that says what it is
 */
export function saysFailed(value: unknown, name = '', depth = 0): boolean {
	if (typeof value === 'object' && value !== null) {
		const nameFor = (key: string) =>
			messageIdNames.includes(key) || knownName.test(key) ? key : name;
		const fields = depth < 10 ? Object.entries(value) : [];
		return fields.some(([key, child]) => saysFailed(child, nameFor(key), depth + 1));
	}
	const text = typeof value === 'boolean' ? String(value) : textOf(value);
	if (flagName.test(name)) return readFlag(text) === false || failureWord.test(text);
	if (errorName.test(name)) return !noError.test(text);
	if (messageIdNames.includes(name)) return noId.test(text);
	return statusName.test(name) && (failureWord.test(text) || /^[45]\d\d$/.test(text));
}
