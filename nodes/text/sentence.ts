/** Adds a full stop if there is none, not even within quotation marks: `"Sem saldo."` */
export const asSentence = (text: string): string =>
	/[.!?…]["')]*$/.test(text) ? text : `${text}.`;

/** An error's message and description as one text. */
export const withHint = (error: { message: string; description?: string | null }): string =>
	[asSentence(error.message), error.description].filter(Boolean).join(' ');
