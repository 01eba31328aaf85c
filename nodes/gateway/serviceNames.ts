import { isText, textOf } from '../text/text';
import { parsePause, type Pause } from './pacing/pace';
import type { Owner } from './node';

/** Defaults for what the service's documentation leaves open; the credential can override them. */
export const openNameDefaults = {
	/** §4: the chat app's name in `/v2/<name>/…` and in `<name>_mode`; empty: not yet entered. */
	chatAppName: '',
	/** §4.7, §4.8: query parameter with the campaign ID. */
	campaignIdParameter: 'campaignId',
	/** §4.1: query parameter that filters API keys by status. */
	keyStatusParameter: 'status',
	/** §2.3: body field that schedules an audio message. */
	audioScheduleField: 'scheduled_at',
	/** Seconds between two messages of the chat app: a number, or a range. */
	chatAppPause: '1-3',
	/** Calling code or country of numbers without `+` or `00`; empty: none. */
	defaultCountryCode: '',
	/** Countries that messages may go to; empty: all. */
	allowedCountries: '',
	/** §2.4: time zone of `schedule`; empty: the workflow's. */
	smsScheduleTimezone: '',
};

export type OpenNames = typeof openNameDefaults;

/** The names of a credential; an empty field means its default. */
export function openNames(credential: Partial<Record<keyof OpenNames, unknown>>): OpenNames {
	const names = { ...openNameDefaults };
	for (const name of Object.keys(names) as Array<keyof OpenNames>) {
		names[name] = textOf(credential[name]) || names[name];
	}
	const { allowedCountries } = credential;
	// An expression that gives no text must not allow all of them.
	if ('allowedCountries' in credential && !isText(allowedCountries)) {
		names.allowedCountries = JSON.stringify(allowedCountries) ?? 'nothing';
	}
	return names;
}

/** What a request calls things at the account's service. */
export type ServiceNames = ReturnType<typeof serviceNamesOf>;

/** The path of a chat-app operation such as `/instance/connectionState` (interface §4). */
export const pathInChatApp = ({ chatAppName }: OpenNames, path: string): string =>
	`/v2/${encodeURIComponent(chatAppName)}${path}`;

export const serviceNamesOf = (
	owner: Pick<Owner, 'invalid' | 'quote'>,
	{ names, hasInstanceToken }: { names: OpenNames; hasInstanceToken: boolean },
) => ({
	names,

	/** The path of a chat-app operation. @throws NodeOperationError without instance token or name */
	chatAppPath(path: string): string {
		if (hasInstanceToken && names.chatAppName) return pathInChatApp(names, path);
		const missing = Object.entries({
			...(!hasInstanceToken && { 'Instance Token': howToGetToken }),
			...(!names.chatAppName && { 'Chat App Name': `'Chat App Name' is ${chatAppNameIs}.` }),
		});
		const fields = missing.map(([label]) => `'${label}'`).join(' and ');
		const howTo = missing.map(([, text]) => text).join(' ');
		throw owner.invalid(
			`${fields} ${missing.length === 1 ? 'is' : 'are'} missing in the Messaging Gateway credential`,
			`${howTo} SMS does not need this: set 'Channel' to SMS, or use Send SMS.`,
		);
	},

	/** How far apart the chat app's messages leave. @throws NodeOperationError if that can't be read */
	chatAppPause(): Pause {
		const pause = parsePause(names.chatAppPause);
		if (pause) return pause;
		throw owner.invalid(
			`'Pause Between Messages' in the Messaging Gateway credential is not a number of seconds: '${owner.quote(names.chatAppPause)}'`,
			howToPause,
		);
	},
});

const howToGetToken = 'Copy the token of your chat-app instance from your messaging service.';

/** What to enter as 'Pause Between Messages'. */
export const howToPause =
	'Enter seconds: a number such as 2, a range such as 1-3, or 0 for no pause.';

/** What to enter as 'Chat App Name'. */
export const chatAppNameIs =
	"the word between /v2/ and /message in the addresses of your service's documentation";
