/** The day in a time zone, e.g. `2030-12-31`, so many days from now. */
export const dayIn = (timeZone: string, days = 0): string =>
	new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now() + days * 24 * 60 * 60 * 1000);
