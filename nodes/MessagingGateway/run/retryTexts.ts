type Text = [message: string, hint: string];

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
