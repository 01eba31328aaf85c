import type { INodeProperties, IPollFunctions } from 'n8n-workflow';

import { asProperties, optionsCollection, shownWhere, textBySelection } from '../form/build';
import { flag, readerOf } from '../form/field';
import { channelField } from '../form/fields/campaign';
import { defaultEvent, events } from './events';
import { statusesOption } from './events/messageStatusChanged';
import { campaignIdsField } from './events/watchedCampaigns';
import { asStatus } from './histories';
import type { Settings, StatusEvent } from './statusEvent';

/** The text below the node on the canvas, e.g. `Campaign Finished`. */
export const subtitle = textBySelection(
	['event'],
	Object.fromEntries(events.map(({ value, name }) => [value, name])),
);

const shownFor = (field: INodeProperties, has: (event: StatusEvent) => boolean): INodeProperties =>
	shownWhere({ event: events.filter(has).map(({ value }) => value) }, field);

const simplifyField = flag({
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	noDataExpression: true,
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

const fields = new Set(events.flatMap((event) => event.fields));

export const properties: INodeProperties[] = asProperties([
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: events.map(({ name, value, description }) => ({ name, value, description })),
		default: defaultEvent,
		description: 'The kind of change that starts the workflow',
	},
	...[...fields].map((field) => shownFor(field, (event) => event.fields.includes(field))),
	simplifyField,
	...events.flatMap((event) =>
		event.options ? [shownFor(optionsCollection(event.options), (has) => has === event)] : [],
	),
]);

/** @throws NodeOperationError when one of them cannot be used */
export function readSettings(context: IPollFunctions): Settings {
	const reader = readerOf(context);
	return {
		channel: channelField.read(reader),
		campaignIds: campaignIdsField.read(reader),
		statuses: statusesOption.read(reader).map((status) => asStatus(status).toLowerCase()),
		simplify: simplifyField.read(reader),
	};
}
