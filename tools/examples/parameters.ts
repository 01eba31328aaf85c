/** The parameters of n8n's own nodes, as its editor stores them. */
import type { INodeParameters } from 'n8n-workflow';

type Value = string | number | boolean;

/** The parameters of Edit Fields. A field is a text unless its value is an array: its type, and its value. */
export const fields = (
	values: Record<string, Value | readonly [type: 'array' | 'boolean' | 'number', value: Value]>,
): INodeParameters => ({
	assignments: {
		assignments: Object.entries(values).map(([name, value]) => {
			const [type, text] = typeof value === 'object' ? value : (['string', value] as const);
			return { id: name, name, type, value: text };
		}),
	},
	options: {},
});

/** A condition that is a boolean expression. */
const isTrue = (expression: string) => ({
	combinator: 'and',
	conditions: [
		{
			id: 'condition',
			leftValue: expression,
			rightValue: '',
			operator: { type: 'boolean', operation: 'true', singleValue: true },
		},
	],
	options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
});

/** The parameters of Filter and If. */
export const where = (expression: string): INodeParameters => ({
	conditions: isTrue(expression),
	looseTypeValidation: true,
	options: {},
});

/** The parameters of Switch, whose item may leave by several outputs. */
export const outputs = (rules: Record<string, string>): INodeParameters => ({
	rules: {
		values: Object.entries(rules).map(([outputKey, expression]) => ({
			conditions: isTrue(expression),
			renameOutput: true,
			outputKey,
		})),
	},
	looseTypeValidation: true,
	options: { allMatchingOutputs: true },
});

/** Conditions that a row has to meet, all of them: a column, a comparison unless it is equality, a value. */
export type Conditions = Array<
	[column: string, value: Value] | [column: string, condition: string, value?: Value]
>;

const filters = (conditions: Conditions): INodeParameters => ({
	matchType: 'allConditions',
	filters: {
		conditions: conditions.map(([keyName, ...rest]) => {
			const [condition, keyValue] =
				rest.length === 2 ? rest : isUnary(rest[0]) ? rest : ['eq', ...rest];
			return { keyName, condition, ...(keyValue !== undefined && { keyValue }) };
		}) as INodeParameters[],
	},
});

/** The parameters of an operation on the rows of a table, those that meet the conditions if there are any. */
const rows = (operation: string, name: string, conditions?: Conditions): INodeParameters => ({
	...{ resource: 'row', operation, dataTableId: { __rl: true, mode: 'name', value: name } },
	...(conditions && filters(conditions)),
});

/** The values of columns that are named as the item's fields. */
export const sameColumns = (...names: string[]): Record<string, string> =>
	Object.fromEntries(names.map((name) => [name, `={{ $json.${name} }}`]));

const isUnary = (condition: Value | undefined) =>
	condition === 'isEmpty' || condition === 'isNotEmpty';

const columnsOf = (value: Record<string, Value>): INodeParameters => ({
	columns: {
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [],
		schema: Object.keys(value).map((id) => ({
			id,
			displayName: id,
			required: false,
			defaultMatch: false,
			display: true,
			type: 'string',
			readOnly: false,
			removed: false,
		})),
		attemptToConvertTypes: false,
		convertFieldsToString: false,
	},
	options: {},
});

/** The parameters of Data Table, by what it does. */
export const dataTable = {
	create: (tableName: string, columns: string[]): INodeParameters => ({
		resource: 'table',
		operation: 'create',
		tableName,
		columns: {
			column: columns.map((column) => {
				const [name = '', type = 'string'] = column.split(':');
				return { name, type };
			}),
		},
		options: { createIfNotExists: true },
	}),
	get: (name: string, conditions: Conditions, more: INodeParameters = {}): INodeParameters => ({
		...rows('get', name, conditions),
		returnAll: true,
		...more,
	}),
	insert: (name: string, values: Record<string, Value>): INodeParameters => ({
		...rows('insert', name),
		...columnsOf(values),
	}),
	update: (
		name: string,
		conditions: Conditions,
		values: Record<string, Value>,
		operation: 'update' | 'upsert' = 'update',
	): INodeParameters => ({ ...rows(operation, name, conditions), ...columnsOf(values) }),
	/** Writes the row whose columns `by` have these values, or a new one. */
	upsert: (name: string, by: string[], values: Record<string, Value>): INodeParameters => {
		const conditions = by.map((column): [string, Value] => [column, values[column]!]);
		return dataTable.update(name, conditions, values, 'upsert');
	},
	delete: (name: string, conditions: Conditions): INodeParameters => ({
		...rows('deleteRows', name, conditions),
		options: {},
	}),
	/** Passes an item on if there is no such row. */
	notExists: (name: string, conditions: Conditions): INodeParameters =>
		rows('rowNotExists', name, conditions),
};

/** The parameters of Postgres: one query per item, whose `$1` is the item or what the expression gives. */
export const query = (sql: string, argument = '$json'): INodeParameters => ({
	operation: 'executeQuery',
	query: sql,
	options: {
		queryBatching: 'independently',
		...(sql.includes('$1') && { queryReplacement: `={{ [JSON.stringify(${argument})] }}` }),
	},
});
