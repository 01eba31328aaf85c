import type { INodeProperties, IPollFunctions } from 'n8n-workflow';

import { flag } from '../form/field';
import { channelField } from '../form/fields/campaign';
import { optionsCollection } from '../form/option';
import { textBySelection, notice, asProperties, shownWhere } from '../n8n/properties';
import { campaignFinished } from './events/campaignFinished';
import { campaignIdsField, asStatus } from './events/campaigns';
import { connectionChanged } from './events/connectionChanged';
import { messageStatusChanged, statusesOption } from './events/messageStatusChanged';
import { readerOf } from './field';
import type { StatusEvent, Settings } from './statusEvent';

/** The events, in the order of the dropdown. */
export const events: StatusEvent[] = [campaignFinished, connectionChanged, messageStatusChanged];

const defaultEvent = messageStatusChanged.value;

/** The text below the node on the canvas, e.g. `Campaign Finished`. */
export const subtitle = textBySelection(
	['event'],
	Object.fromEntries(events.map(({ value, name }) => [value, name])),
);

const simplifyField = flag({
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	noDataExpression: true,
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const loopNotice = notice(
	'loopNotice',
	'Do not send with the account that you watch, unless a Filter lets only some through: each message you send has a status that starts this workflow again.',
);

export const statusTriggerProperties: INodeProperties[] = asProperties([
	shownWhere({ event: [messageStatusChanged.value] }, loopNotice),
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: events.map(({ name, value, description }) => ({ name, value, description })),
		default: defaultEvent,
		description: 'The kind of change that starts the workflow',
	},
	...[
		{ ...channelField, noDataExpression: true, description: 'How the messages are sent' },
		campaignIdsField,
	].map((field) =>
		shownWhere({ event: [campaignFinished.value, messageStatusChanged.value] }, field),
	),
	simplifyField,
	shownWhere({ event: [messageStatusChanged.value] }, optionsCollection([statusesOption])),
]);

export function readSettings(context: IPollFunctions): Settings {
	const reader = readerOf(context);
	return {
		channel: channelField.read(reader),
		campaignIds: campaignIdsField.read(reader),
		statuses: statusesOption.read(reader).map((status) => asStatus(status).toLowerCase()),
		simplify: simplifyField.read(reader),
	};
}
