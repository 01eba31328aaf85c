import { jsonParse, type INodeProperties } from 'n8n-workflow';

/** What the forms of all nodes are built with: visibility, the collection 'Options', texts by choice. */

/** n8n keeps a form as JSON: what reads the values of its fields stays behind. */
export const asProperties = (fields: INodeProperties[]): INodeProperties[] =>
	jsonParse(JSON.stringify(fields));

/** A field that is shown where this is selected, and its own conditions are met. */
export const shownWhere = (
	selected: Record<string, string[]>,
	field: INodeProperties,
): INodeProperties => ({
	...field,
	displayOptions: { ...field.displayOptions, show: { ...selected, ...field.displayOptions?.show } },
});

/** The collection 'Options', its entries in the order of their labels. */
export const optionsCollection = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [...options].sort((a, b) => a.displayName.localeCompare(b.displayName)),
});

/**
 * An expression that gives the text of what is selected, as for what stands under a node.
 *
 * @param fields names of the dropdowns
 * @param texts by their values, with dots between them
 */
export function textBySelection(
	fields: string[],
	texts: Record<string, string | undefined>,
): string {
	const selection = fields.map((name) => `$parameter["${name}"]`).join(' + "." + ');
	return `={{ (${JSON.stringify(texts)})[${selection}] }}`;
}
