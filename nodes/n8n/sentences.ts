// The sentences of n8n that this package's behaviour depends on. Each has a test with n8n's own.

/** Whether n8n cannot call a workflow. It says the same of a wrong ID as of one that is not published. */
export const isNotCallable = ({ message }: Error): boolean =>
	message.endsWith(' cannot be called by this workflow') || // by its settings
	/^workflow\b.* (not (active|published)|does not exist)/i.test(message);

/** Whether n8n has ended an execution: it was stopped, its time was up, or n8n shuts down. */
export const isCancellation = ({ message }: Error): boolean => /cancell?ed/i.test(message);

/**
 * Keeps an error that ends an execution from counting as canceled: n8n looks for this word in its
 * message, which may come from the service or an item. An invisible space hides it.
 */
export const asFailure = <E extends Error>(error: E): E =>
	Object.assign(error, { message: error.message.replaceAll('canceled', 'cancel\u200bed') });
