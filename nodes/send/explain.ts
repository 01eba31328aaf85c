import type { IDataObject } from 'n8n-workflow';

import { inCredential } from '../account/credentialField';
import type { Withheld } from '../form/fields/sendTime';
import type { Owner } from '../n8n/errors';
import type { Uncertainty } from '../service/requestError';
import type { NotSent } from './job';
import type { ItemRequest } from './operation';
import type { WorkflowError } from './subWorkflow';

/** The message of an error, and a hint of at most three sentences. */
type ErrorText = Parameters<Owner['invalid']>;

/** The errors that say why a message is not sent. */
export const notSent = {
	unanswered: (key: string, check = ''): ErrorText => [
		`The message may have been sent: an earlier attempt with the key '${key}' has no recorded answer`,
		`${check} Nothing was sent this time.`,
	],
	elsewhere: (key: string): ErrorText => [
		`The deduplication key was used for a message to another number: '${key}'`,
		"Use an expression that returns a different key for each message, or set 'Once Per' to Key and Number.",
	],
	notClaimed: ({ message, hint }: WorkflowError): ErrorText => [
		message,
		`${hint ?? "Run the workflow again once n8n's database works."} Nothing was sent, because it is not known whether this message was sent before.`,
	],
	notAllowedYet: ({ message, hint }: WorkflowError): ErrorText => [
		message,
		`${hint} Nothing was sent, because it is not known whether this number may be contacted.`,
	],
	noAnswers: [
		'The service no longer answers, so this item was not tried',
		'Run it again once your messaging service works: nothing was sent for it, and no deduplication key is used up.',
	] as ErrorText,
	keyRefused: [
		'The service refuses the API key or token, so this item was not tried',
		`Correct it ${inCredential}, then run this item again: nothing was sent for it, and no deduplication key is used up.`,
	] as ErrorText,
	tooMany: (count: number, capacity: number): ErrorText => [
		`n8n's own store keeps the keys of at most ${capacity} messages, and this execution has ${count}`,
		"Set 'Deduplication Workflow ID' in the credential, or split the list across several workflows. Nothing in this run was sent, because n8n would forget the first keys and could send the same list twice.",
	],
};

/** The errors that say why n8n's Retry does not send a message. */
export const notRepeated = {
	retriedBefore: ({ done }: Uncertainty): ErrorText => [
		'This execution has already been retried',
		`Open the latest retry in the list of executions, and if it did not succeed, retry that one. If that only says the same, a crash or a stop cut a retry off: check at your service what was ${done}, then run the workflow for only what is missing. Nothing was ${done} this time, because that retry may have ${done} the rest.`,
	],
	/** 'Run the workflow again' would send what the retried execution has sent. */
	notTakenOver: ({ message, hint }: WorkflowError, { done }: Uncertainty): ErrorText => [
		message,
		`${hint ? `${hint} ` : ''}Use Retry again once that works. Nothing was ${done} this time, because it is not known whether another retry has ${done} the rest.`,
	],
	forgotten: ({ mayHave, check, done }: Uncertainty): ErrorText => [
		`${mayHave}: n8n kept no record of what this node did before the retry`,
		`${check} If an earlier node failed before this one began, nothing was ${done}: run the workflow again. Nothing was ${done} this time: n8n keeps that record only if this node itself failed, not after a crash or a stop.`,
	],
	changed: ({ done }: Uncertainty): ErrorText => [
		`This item was, or may have been, ${done} before the retry with another 'To' or ID, or by another operation`,
		`If it is to be ${done} as it is now as well, run the workflow again for this item. Nothing was ${done} this time.`,
	],
};

/**
 * Makes the result of a message that is not sent although nothing failed.
 *
 * @param reason workflows branch on it: never changes @param explanation the same in words
 */
export const notSentFor = (
	{ message }: ItemRequest,
	reason: 'duplicate' | 'doNotContact' | Withheld['reason'],
	explanation: string,
	more?: IDataObject,
): NotSent => ({
	kind: reason === 'duplicate' ? 'skipped' : 'withheld',
	output: [{ skipped: true, reason, explanation, ...more, to: message?.recipient }],
});
