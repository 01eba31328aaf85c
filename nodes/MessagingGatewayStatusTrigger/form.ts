import type { INodeProperties, IPollFunctions } from 'n8n-workflow';

import { asProperties, optionsCollection, shownWhere, textBySelection } from '../form/build';
import { simplifyField } from '../form/fields/simplify';
import { defaultEvent, events } from './events';
import type { Settings, StatusEvent } from './statusEvent';

/** The text below the node on the canvas, e.g. `Campaign Finished`. */
export const subtitle = textBySelection(
	['event'],
	Object.fromEntries(events.map(({ value, name }) => [value, name])),
);

const shownFor = (field: INodeProperties, has: (event: StatusEvent) => boolean): INodeProperties =>
	shownWhere({ event: events.filter(has).map(({ value }) => value) }, field);

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
	{ ...simplifyField, noDataExpression: true },
	...events.flatMap((event) =>
		event.options ? [shownFor(optionsCollection(event.options), (has) => has === event)] : [],
	),
]);

export function readSettings(context: IPollFunctions): Settings {
	return {
		channel: context.getNodeParameter('channel', '') === 'chatApp' ? 'chatApp' : 'sms',
		campaignIds: context.getNodeParameter('campaignIds', ''),
		statuses: context.getNodeParameter('options.statuses', ''),
		simplify: context.getNodeParameter('simplify', true) !== false,
	};
}
