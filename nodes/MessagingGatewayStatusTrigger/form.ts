import type { INodeProperties, IPollFunctions } from 'n8n-workflow';

import { asProperties, optionsCollection, shownWhere, textBySelection } from '../form/build';
import { simplifyField } from '../form/fields/simplify';
import type { Settings, StatusEvent } from './statusEvent';

/** What stands under the node on the canvas, e.g. `Campaign Finished`. */
export function buildSubtitle(events: StatusEvent[]): string {
	const names = Object.fromEntries(events.map(({ value, name }) => [value, name]));
	return textBySelection(['event'], names);
}

/** The node's form: the dropdown, and each field where an event is selected that has it. */
export function buildProperties(events: StatusEvent[], defaultEvent: string): INodeProperties[] {
	const fields = [...new Set(events.flatMap((event) => event.fields))];
	return asProperties([
		{
			displayName: 'Trigger On',
			name: 'event',
			type: 'options',
			noDataExpression: true,
			options: events.map(({ name, value, description }) => ({ name, value, description })),
			default: defaultEvent,
			description: 'What starts the workflow',
		},
		...fields.map((field) =>
			shownFor(
				field,
				events.filter((event) => event.fields.includes(field)),
			),
		),
		{ ...simplifyField, noDataExpression: true },
		...events.flatMap((event) =>
			event.options ? [shownFor(optionsCollection(event.options), [event])] : [],
		),
	]);
}

const shownFor = (field: INodeProperties, events: StatusEvent[]): INodeProperties =>
	shownWhere({ event: events.map(({ value }) => value) }, field);

export function readSettings(context: IPollFunctions): Settings {
	return {
		channel: context.getNodeParameter('channel', '') === 'sms' ? 'sms' : 'chatApp',
		campaignIds: context.getNodeParameter('campaignIds', ''),
		statuses: context.getNodeParameter('options.statuses', ''),
		simplify: context.getNodeParameter('simplify', true) !== false,
	};
}

/**
 * The entries of a list that was typed as one text, or that an expression gives as a list; each once,
 * in upper or lower case.
 *
 * @returns undefined where an entry is an object
 */
export function toList(value: unknown, separators: RegExp): string[] | undefined {
	const entries = [value].flat(Infinity).filter((entry) => entry !== undefined && entry !== null);
	if (entries.some((entry) => typeof entry === 'object')) return undefined;
	const texts = entries.flatMap((entry) => String(entry).split(separators));
	const named = texts.map((text) => text.trim()).filter((text) => text !== '');
	// Of entries with the same name the first one stays: a map keeps the last.
	const each = new Map(named.reverse().map((text) => [text.toLowerCase(), text]));
	return [...each.values()].reverse();
}
