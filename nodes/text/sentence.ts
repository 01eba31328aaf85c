/** With a full stop at its end, unless it has one, also within quotation marks: `"Sem saldo."` */
export const asSentence = (text: string): string =>
	/[.!?…]["')]*$/.test(text) ? text : `${text}.`;

/** What an error says, and how to go on, as one text. */
export const withHint = (error: { message: string; description?: string | null }): string =>
	[asSentence(error.message), error.description].filter(Boolean).join(' ');
