import { jsonParse, type IDisplayOptions, type INodeProperties } from 'n8n-workflow';

/** Returns fields without the functions that read them: n8n serves forms as JSON. */
export const asProperties = (fields: INodeProperties[]): INodeProperties[] =>
	jsonParse(JSON.stringify(fields));

/** Shows a field for this selection only, on top of its own conditions. */
export const shownWhere = (
	selected: NonNullable<IDisplayOptions['show']>,
	field: INodeProperties,
): INodeProperties => ({
	...field,
	displayOptions: { ...field.displayOptions, show: { ...selected, ...field.displayOptions?.show } },
});

/** Returns a text between the fields, which has no value. */
export const notice = (name: string, displayName: string): INodeProperties => ({
	displayName,
	name,
	type: 'notice',
	default: '',
});

/** Returns the only group of fields in a fixed collection. */
export const groupOf = (...values: INodeProperties[]): INodeProperties['options'] => [
	{ displayName: 'Values', name: 'values', values },
];

/** Returns the collection 'Options', sorted by label. */
export const optionsCollection = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [...options].sort((a, b) => a.displayName.localeCompare(b.displayName)),
});

/**
 * Returns an expression for the text of the current selection.
 *
 * @param fields names of the dropdowns
 * @param texts the texts by the values of the dropdowns, joined with dots
 */
export function textBySelection(fields: string[], texts: Record<string, string>): string {
	const selection = fields.map((name) => `$parameter["${name}"]`).join(' + "." + ');
	return `={{ (${JSON.stringify(texts)})[${selection}] }}`;
}
