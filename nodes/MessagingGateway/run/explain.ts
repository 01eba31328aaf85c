import type { Outcome, Reason } from '../../gateway/outcome';
import { executionsShowWhy, type WorkflowError } from './askedWorkflow';
import type { KeyStore, StoreError } from './keys/keyStore';

type Text = [message: string, hint: string];

/** What to tell of an item that was not sent because of its key. */
export const notSent = {
	unanswered: (key: string, check = ''): Text => [
		`The message may have been sent: an earlier attempt with the key '${key}' has no recorded answer`,
		`Nothing was sent now. ${check}`,
	],
	elsewhere: (key: string): Text => [
		`'Deduplication Key' was used for a message to another number: '${key}'`,
		'Each key names one message. Use an expression that gives each message its own, and check that its fields have values.',
	],
	notClaimed: ({ message, advice }: StoreError, store: Pick<KeyStore, 'advice'>): Text => [
		message,
		`Nothing was sent, since it is not known whether the message was sent before. ${advice ?? store.advice}`,
	],
	notAllowedYet: ({ message, advice = executionsShowWhy }: WorkflowError): Text => [
		message,
		`Nothing was sent, since it is not known whether this number may be contacted. ${advice}`,
	],
	tooMany: (count: number, { capacity }: Pick<KeyStore, 'capacity'>): Text => [
		`'Deduplication Key' can guard ${capacity} messages in an execution, and with this run it would have ${count}`,
		"Nothing of this run was sent, since n8n would then forget the first keys, and the same list would be sent again. Let a workflow keep the keys ('Deduplication Store'), or split the list among several workflows.",
	],
};

/** The output of an item whose message was accepted before. */
export const skipped = (key: string) => ({
	skipped: true,
	deduplicationKey: key,
	reason: 'A message with this key was accepted before',
});

/** The output of an item whose number must not be written to. */
export const blocked = { skipped: true, reason: 'doNotContact' };

/** What to tell of items that n8n's Retry must not repeat. */
export const notRepeated = {
	retriedBefore: [
		'This execution was retried before',
		'Nothing was sent now, since that retry may have sent the rest. Look for it in the list of executions: if it did not succeed, retry that one.',
	] as Text,
	forgotten: (count: number): Text => [
		`It is not known which of these ${count} items were sent before the retry`,
		"Nothing was sent now. n8n has kept no record of the run that it repeats, for example because n8n was ended in the middle of it. Look up at your messaging service what was accepted, and run the workflow again for the rest. With a 'Deduplication Key', a retry sends what was not sent.",
	],
	changed: [
		'This item was sent before the retry, to another number or by another operation',
		'Nothing was sent now. If it is to be sent again as it is now, run the workflow again for this item.',
	] as Text,
};

/** Tells of a request that n8n ended, by Stop or its own time limit, as what it is: no fault of the service's. */
export function asStopped(outcome: Outcome): Outcome {
	if (outcome.kind === 'accepted' || outcome.reason.text !== 'ERR_CANCELED') return outcome;
	const left = outcome.kind === 'unknown' ? 'the service answered' : 'the request left';
	const reason: Reason = {
		...outcome.reason,
		explanation: { message: `The execution was stopped before ${left}` },
	};
	return { ...outcome, reason };
}
