import { apiKeyHandlers } from './apiKeys';
import { campaignHandlers } from './campaigns';
import type { Handlers } from './handler';
import { instanceHandlers } from './instance';
import { messageHandlers } from './messages';
import { webhookHandlers } from './webhook';

/** What each operation of the document does. */
export const handlers: Handlers = {
	...apiKeyHandlers,
	...campaignHandlers,
	...instanceHandlers,
	...messageHandlers,
	...webhookHandlers,
};
