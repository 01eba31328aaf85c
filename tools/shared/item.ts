import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Operation } from '../../nodes/send/operation';
import { Item } from '../../nodes/form/item';
import { accountsOf } from '../../nodes/send/run';
import { makeContext, type ContextOptions } from './context';
import { neededBy } from './operations';

/** The account of a context's first item. */
export const accountIn = async (context: IExecuteFunctions) => await (await accountsOf(context))(0);

/** One item with these parameters. */
export async function makeItem(
	parameters: Record<string, unknown> = {},
	options: Omit<ContextOptions, 'items'> = {},
): Promise<Item> {
	const context = makeContext({ ...options, items: [parameters as IDataObject] });
	return new Item(context, await accountIn(context), 0);
}

/** The defaults of an operation's fields, and what it needs. */
export const parametersOf = (operation: Operation): IDataObject => ({
	...Object.fromEntries(operation.fields.map((field) => [field.name, field.default])),
	options: {},
	...neededBy(operation),
});

/** One item of an operation, with these parameters besides. */
export const makeItemOf = async (
	operation: Operation,
	parameters: IDataObject = {},
	options: Omit<ContextOptions, 'items'> = {},
): Promise<Item> => await makeItem({ ...parametersOf(operation), ...parameters }, options);
