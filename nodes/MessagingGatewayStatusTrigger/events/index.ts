import type { StatusEvent } from '../statusEvent';
import { apiKeyChanged } from './apiKeyChanged';
import { campaignFinished } from './campaignFinished';
import { connectionChanged } from './connectionChanged';
import { messageStatusChanged } from './messageStatusChanged';

/** Every event, in the order of the dropdown. The node's form and behaviour come from here. */
export const events: StatusEvent[] = [
	apiKeyChanged,
	campaignFinished,
	connectionChanged,
	messageStatusChanged,
];

export const defaultEvent = messageStatusChanged.value;
