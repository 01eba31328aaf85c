import type { Owner } from './owner';

/**
 * What the service's documentation leaves open, and the country of an account's numbers. Each
 * default stands here and nowhere else; the credential lets an account that differs change it.
 */
export const openNameDefaults = {
	/** §4: the word that replaces the chat app's brand in `/v2/<name>/…` and in `<name>_mode`. */
	chatAppName: 'chatapp',
	/** §4.7, §4.8: query parameter that carries the campaign's identifier. */
	campaignIdParameter: 'campaignId',
	/** §4.1: query parameter that filters API keys by status. */
	keyStatusParameter: 'status',
	/** §2.3: body field that schedules an audio message. */
	audioScheduleField: 'scheduled_at',
	/** Whose numbers are written without `+` or `00`: a calling code or a country; empty: nobody's. */
	defaultCountryCode: '',
	/** §2.4: the time zone that `schedule` is read in; empty: the workflow's. */
	smsScheduleTimezone: '',
};

export type OpenNames = typeof openNameDefaults;

/** Picks the open names out of a credential; an empty field means its default. */
export function openNames(credential: Partial<Record<keyof OpenNames, unknown>>): OpenNames {
	const names = { ...openNameDefaults };
	for (const name of Object.keys(names) as Array<keyof OpenNames>) {
		const value = credential[name]; // an expression may give a number
		const text = typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : '';
		if (text !== '') names[name] = text;
	}
	return names;
}

/** An account as the endpoints need it. */
export interface Account {
	names: OpenNames;
	/** The path of a chat-app operation. @throws what is made of it when there is no instance token */
	chatAppPath(path: string): string;
}

/** Where the operations of the chat app stand, e.g. for `/instance/connectionState` (interface §4). */
export const pathInChatApp = ({ chatAppName }: OpenNames, path: string): string =>
	`/v2/${encodeURIComponent(chatAppName)}${path}`;

/** Chat-app operations need the instance token: its lack is told, by the owner, before any request. */
export const accountOf = (
	owner: Pick<Owner, 'invalid'>,
	{ names, hasInstanceToken }: { names: OpenNames; hasInstanceToken: boolean },
): Account => ({
	names,
	chatAppPath(path) {
		if (hasInstanceToken) return pathInChatApp(names, path);
		throw owner.invalid(
			"'Instance Token' is missing in the Messaging Gateway credential",
			"Copy the token of your chat-app instance from your messaging service into the credential. For SMS, which needs no token, set 'Channel' to SMS or use Send SMS.",
		);
	},
});
