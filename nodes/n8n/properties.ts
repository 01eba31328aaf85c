import { jsonParse, type INodeProperties, type IDisplayOptions } from 'n8n-workflow';

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

/** Returns an expression for the text of what is selected. @param texts by the values of the dropdowns, with dots */
export function textBySelection(fields: string[], texts: Record<string, string>): string {
	const selection = fields.map((name) => `$parameter["${name}"]`).join(' + "." + ');
	return `={{ (${JSON.stringify(texts)})[${selection}] }}`;
}
