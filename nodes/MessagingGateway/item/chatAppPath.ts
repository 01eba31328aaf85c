import type { Client } from '../../shared/client';
import type { Owner } from './values';

/**
 * A path of the chat-app operations, which need the instance token: its lack is told before any
 * request.
 *
 * @throws NodeOperationError when the credential has none
 */
export function chatAppPath(
	owner: Owner,
	{ hasInstanceToken, names }: Pick<Client, 'hasInstanceToken' | 'names'>,
	path: string,
): string {
	if (hasInstanceToken) return `/v2/${encodeURIComponent(names.chatAppName)}${path}`;
	throw owner.invalid(
		"'Instance Token' is missing in the Messaging Gateway credential",
		'Chat-app operations need it besides the API key. Copy the token of your instance from your messaging service into the credential.',
	);
}
