import type { StatusEvent } from '../statusEvent';
import { apiKeyChanged } from './apiKeyChanged';
import { campaignFinished } from './campaignFinished';
import { connectionChanged } from './connectionChanged';
import { messageStatusChanged } from './messageStatusChanged';

/** In the order of the dropdown. */
export const events: StatusEvent[] = [
	apiKeyChanged,
	campaignFinished,
	connectionChanged,
	messageStatusChanged,
];

export const defaultEvent = messageStatusChanged.value;
