import type { StatusEvent } from '../statusEvent';
import { campaignFinished } from './campaignFinished';
import { connectionChanged } from './connectionChanged';
import { messageStatusChanged } from './messageStatusChanged';

/** In the order of the dropdown. */
export const events: StatusEvent[] = [campaignFinished, connectionChanged, messageStatusChanged];

export const defaultEvent = messageStatusChanged.value;
