import type { OpenNames } from './openNames';

/** The path of a chat-app operation (interface §4), e.g. for `/instance/connectionState`. */
export const chatAppPath = ({ chatAppName }: OpenNames, path: string): string =>
	`/v2/${encodeURIComponent(chatAppName)}${path}`;

/** Chat-app operations need the instance token: its lack is told before any request. */
export const noInstanceToken = {
	message: "'Instance Token' is missing in the Messaging Gateway credential",
	description:
		'Chat-app operations need it besides the API key. Copy the token of your instance from your messaging service into the credential.',
};
