import type { Client } from './client';
import type { OpenNames } from './account';
import type { Owner } from './owner';

/** The path of a chat-app operation (interface §4), e.g. for `/instance/connectionState`. */
export const pathInChatApp = ({ chatAppName }: OpenNames, path: string): string =>
	`/v2/${encodeURIComponent(chatAppName)}${path}`;

/**
 * The same. These operations need the instance token: its lack is told before any request.
 *
 * @throws what the owner makes of it when the credential has none
 */
export function chatAppPath(
	owner: Pick<Owner, 'invalid'>,
	{ hasInstanceToken, names }: Pick<Client, 'hasInstanceToken' | 'names'>,
	path: string,
): string {
	if (hasInstanceToken) return pathInChatApp(names, path);
	throw owner.invalid(
		"'Instance Token' is missing in the Messaging Gateway credential",
		'Chat-app operations need it besides the API key. Copy the token of your instance from your messaging service into the credential.',
	);
}
