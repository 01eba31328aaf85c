import type { KeyStore, StoreError } from './keyStore';

type Text = [message: string, hint: string];

/** What to tell of an item that was not sent because of its key. */
export const notSent = {
	unanswered: (key: string, check = ''): Text => [
		`The message may have been sent: an earlier attempt with the key '${key}' has no recorded answer`,
		`Nothing was sent now. ${check}`,
	],
	elsewhere: (key: string): Text => [
		`'Deduplication Key' stands for a message to another number already: '${key}'`,
		'Each key names one message. Let the expression give a value of its own for each, and check that every field it uses has a value.',
	],
	notClaimed: ({ message, advice }: StoreError, store: Pick<KeyStore, 'advice'>): Text => [
		message,
		`Nothing was sent, since it is not known whether the message was sent before. ${advice ?? store.advice}`,
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
