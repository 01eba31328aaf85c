/** The nodes' forms as the pages show them. */
import type {
	IDataObject,
	IDisplayOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { asSentence } from '../../nodes/text/sentences';
import { code, plain, table } from './markdown';

/** Values that decide which fields are shown, e.g. resource and operation. */
export type Selection = Record<string, string>;

/** The fields shown for a selection, without the dropdowns of the selection itself. */
export const fieldsFor = (properties: INodeProperties[], selection: Selection): INodeProperties[] =>
	properties.filter(
		({ name, displayOptions: { show } = {} }) =>
			!(name in selection) &&
			Object.entries(selection).every(([by, value]) => show?.[by]?.includes(value) ?? true),
	);

/** The entries of a collection such as 'Options'. */
export const entriesOf = ({ type, options = [] }: INodeProperties): INodeProperties[] =>
	type === 'collection' ? (options as INodeProperties[]) : [];

export const noticesOf = (fields: INodeProperties[]): string[] =>
	fields.filter(isNotice).map(({ displayName }) => plain(displayName));

export const isNotice = ({ type }: INodeProperties): boolean =>
	['notice', 'callout'].includes(type);

/**
 * Rows for all fields except notices and collections; the fields of a group follow it.
 *
 * @param around a collection whose entries they are
 */
export const describeFields = (
	fields: INodeProperties[],
	selection: Selection = {},
	around: INodeProperties[] = [],
): string =>
	table(
		['field', 'value', 'default', 'description'],
		fields
			.filter((field) => !isNotice(field) && !['collection', 'hidden'].includes(field.type))
			.flatMap((field) => rowsOf(field, selection, [...fields, ...around.map(asAround)])),
	);

/** Names a field like a condition inside a collection does. */
const asAround = (field: INodeProperties) => ({ ...field, name: `/${field.name}` });

function rowsOf(
	field: INodeProperties,
	selection: Selection,
	beside: INodeProperties[],
	above = '',
): string[][] {
	const { displayName, required } = field;
	const name = `${above}**${plain(displayName)}**${required ? ' (required)' : ''}`;
	const row = [name, valueOf(field), defaultOf(field), purposeOf(field, selection, beside)];
	const groups =
		field.type === 'fixedCollection' ? (field.options as INodePropertyCollection[]) : [];
	const inner = groups.flatMap((group) => {
		const describeByType = group.values.map((each) => ({
			...each,
			default: defaultIn(field, group, each),
		}));
		return describeByType.flatMap((each) =>
			rowsOf(each, {}, describeByType, `${above}${plain(displayName)} → `),
		);
	});
	return [row, ...inner];
}

/** The default of a new group takes precedence over that of its field. */
function defaultIn(
	{ default: value }: INodeProperties,
	{ name: group }: INodePropertyCollection,
	{ name, default: own }: INodeProperties,
): INodeProperties['default'] {
	const added = (value as Record<string, IDataObject | undefined>)[group];
	return (added?.[name] as INodeProperties['default'] | undefined) ?? own;
}

type Describe = (field: INodeProperties) => string;

const values: Partial<Record<INodeProperties['type'], Describe>> = {
	string: ({ typeOptions }) => (typeOptions?.rows ? 'text, several lines' : 'text'),
	number: ({ typeOptions: { minValue } = {} }) =>
		minValue === undefined ? 'number' : `number, ${minValue} or more`,
	boolean: () => 'on or off',
	options: ({ options = [] }) =>
		(options as INodePropertyOptions[])
			.map(({ name, description }) =>
				description
					? `**${plain(name)}**: ${plain(asSentence(description))}`
					: `**${plain(name)}**`,
			)
			.join('\n'),
	multiOptions: ({ options = [] }) =>
		`any of ${(options as INodePropertyOptions[]).map(({ name }) => `**${plain(name)}**`).join(', ')}`,
	dateTime: () => 'date and time',
	json: () => 'JSON',
	fixedCollection: ({ typeOptions }) =>
		typeOptions?.multipleValues ? 'any number of entries' : 'the fields below',
	resourceLocator: ({ modes = [] }) =>
		modes
			.map(({ displayName, placeholder }) =>
				[displayName, exampleIn(placeholder)].filter(Boolean).join(', '),
			)
			.join('\n'),
	workflowSelector: () => 'one of your workflows',
};

function valueOf(field: INodeProperties): string {
	const describe = values[field.type];
	if (!describe)
		throw new Error(`'${field.displayName}': no description for the type ${field.type}`);
	return [describe(field), exampleIn(field.placeholder)].filter(Boolean).join(', ');
}

/** Returns undefined for a placeholder without an example, e.g. 'Add Option'. */
function exampleIn(placeholder = ''): string | undefined {
	const [, example] = /^e\.g\. (.*)$/s.exec(placeholder) ?? [];
	return example && `e.g. ${code(example)}`;
}

function defaultOf({ type, default: value, options = [], modes = [] }: INodeProperties): string {
	if (type === 'boolean') return value ? 'on' : 'off';
	if (type === 'options' || type === 'multiOptions') {
		const names = [value].flat().map((each) => nameOf(options as INodePropertyOptions[], each));
		return plain(names.join(', '));
	}
	if (type === 'resourceLocator') {
		const { mode } = value as { mode: string };
		return plain(modes.find(({ name }) => name === mode)?.displayName ?? '');
	}
	return typeof value === 'object' || value === '' ? '–' : code(String(value));
}

const nameOf = (options: INodePropertyOptions[], wanted: unknown): string =>
	options.find(({ value }) => value === wanted)?.name ?? String(wanted);

function purposeOf(
	{ description, hint, modes = [], displayOptions }: INodeProperties,
	selection: Selection,
	beside: INodeProperties[],
): string {
	const hints = [hint, ...modes.map((mode) => mode.hint)];
	return [description, ...hints]
		.filter((text) => text !== undefined)
		.map((text) => plain(asSentence(text)))
		.concat(conditionsOf(displayOptions, selection, beside))
		.join(' ');
}

/** Conditions for showing a field, except those that the selection decides. */
function conditionsOf(
	{ show = {}, hide = {} }: IDisplayOptions = {},
	selection: Selection,
	beside: INodeProperties[],
): string[] {
	const describe = (start: string, by: string, wanted: unknown[] = []) => {
		const other = beside.find(({ name }) => name === by);
		const names = wanted.map((value) => plain(choiceOf(other, value)));
		return `${start} *${plain(other?.displayName ?? by)}* is ${names.join(' or ')}.`;
	};
	return [
		...Object.entries(show)
			.filter(([by]) => !(by in selection))
			.map(([by, wanted]) => describe('Only if', by, wanted)),
		...Object.entries(hide).map(([by, wanted]) => {
			const others = (wanted ?? []).flatMap(valueThatIsNot);
			return others.length > 0 ? describe('Only if', by, others) : describe('Not if', by, wanted);
		}),
	];
}

/** Reads n8n's condition `{ _cnd: { not } }`. */
const valueThatIsNot = (condition: unknown): unknown[] => {
	const { _cnd } = (condition ?? {}) as { _cnd?: { not?: unknown } };
	return _cnd && 'not' in _cnd ? [_cnd.not] : [];
};

/** A value as the form shows it. */
function choiceOf(field: INodeProperties | undefined, value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	return nameOf((field?.options ?? []) as INodePropertyOptions[], value);
}

/** Rows for the values entered, with expressions as the editor shows them. */
export function describeEntered(fields: INodeProperties[], entered: IDataObject): string {
	const rows = Object.entries(entered).flatMap(([name, value]) => {
		const field = fields.find((each) => each.name === name);
		if (!field) throw new Error(`No field '${name}'`);
		return enteredRows(field, value);
	});
	return rows.length === 0 ? '' : table(['field', 'value'], rows);
}

function enteredRows(field: INodeProperties, value: unknown): string[][] {
	const inner = entriesOf(field);
	if (inner.length > 0) {
		return Object.entries(value as IDataObject).flatMap(([name, entry]) =>
			enteredRows(
				inner.find((each) => each.name === name)!,
				entry,
			),
		);
	}
	if (field.type === 'fixedCollection') {
		return (field.options as INodePropertyCollection[]).flatMap(({ name, values }) =>
			[(value as IDataObject)[name] ?? []].flat().flatMap((group) =>
				Object.entries(group as IDataObject).flatMap(([key, entry]) =>
					enteredRows(
						values.find((each) => each.name === key)!,
						entry,
					),
				),
			),
		);
	}
	const shown = isLocator(value) ? value.value : value;
	const text =
		field.type === 'options' || field.type === 'boolean'
			? choiceOf(field, shown)
			: code(typeof shown === 'string' ? shown.replace(/^=/, '') : JSON.stringify(shown));
	return [[`**${plain(field.displayName)}**`, text]];
}

const isLocator = (value: unknown): value is { value: unknown } =>
	typeof value === 'object' && value !== null && '__rl' in value;
