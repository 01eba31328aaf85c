/** With a full stop at its end, unless it has one, also within quotation marks: `"Sem saldo."` */
export const asSentence = (text: string): string =>
	/[.!?…]["')]*$/.test(text) ? text : `${text}.`;
