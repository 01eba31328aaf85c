import type { INodeProperties, IPollFunctions } from 'n8n-workflow';

import type { Settings, StatusEvent } from './statusEvent';

const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	noDataExpression: true,
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** What stands under the node on the canvas, e.g. `Campaign Finished`. */
export function buildSubtitle(events: StatusEvent[]): string {
	const names = Object.fromEntries(events.map(({ value, name }) => [value, name]));
	return `={{ (${JSON.stringify(names)})[$parameter["event"]] }}`;
}

/** The node's form: the dropdown, and each field where an event is selected that has it. */
export function buildProperties(events: StatusEvent[], defaultEvent: string): INodeProperties[] {
	const fields = [...new Set(events.flatMap((event) => event.fields))];
	return [
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
		simplify,
		...events.flatMap((event) =>
			event.options ? [shownFor({ ...optionsCollection, options: event.options }, [event])] : [],
		),
	];
}

const shownFor = (field: INodeProperties, events: StatusEvent[]): INodeProperties => ({
	...field,
	displayOptions: { show: { event: events.map(({ value }) => value) } },
});

const optionsCollection: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
};

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
