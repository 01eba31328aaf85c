/** What a send says where nobody knows whether it was carried out. */
export const uncertainty = {
	mayHave: 'The message may have been sent',
	does: 'sends',
	done: 'sent',
	check: 'Look it up.',
};
