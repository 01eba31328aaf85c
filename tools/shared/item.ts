import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../nodes/MessagingGateway/operation';
import { Item } from '../../nodes/form/item';
import { connect } from '../../nodes/gateway/client';
import { makeContext, type ContextOptions } from './context';
import { neededBy } from './operations';

/** One item with these parameters. */
export async function makeItem(
	parameters: Record<string, unknown> = {},
	options: Omit<ContextOptions, 'items'> = {},
): Promise<Item> {
	const context = makeContext({ ...options, items: [parameters as IDataObject] });
	return new Item(context, await connect(context), 0);
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
