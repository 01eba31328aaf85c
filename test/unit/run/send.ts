import type { Operation } from '../../../nodes/MessagingGateway/operation';

/** A small operation: sends to the item's `to` with the key `key`. */
export const send: Operation = {
	value: 'send',
	name: 'Send',
	action: 'Send',
	description: '',
	fields: [],
	idempotent: false,
	uncertainty: { mayHave: 'The message may have been sent', check: 'Look it up.' },
	request: ({ json: { to, key } }) => ({
		method: 'POST',
		path: '/v1/sms/enviar',
		body: { to },
		expected: 'sent',
		recipient: to as string | undefined,
		deduplicationKey: key as string | undefined,
		output: () => ({ to }),
	}),
};
