import type { IDataObject } from 'n8n-workflow';

import type { Operation } from '../../nodes/MessagingGateway/operation';
import { Item } from '../../nodes/form/item';
import { connect } from '../../nodes/gateway/client';
import { makeContext, type ContextOptions } from './context';

/** One item with these parameters. */
export async function makeItem(
	parameters: Record<string, unknown> = {},
	options: Omit<ContextOptions, 'items'> = {},
): Promise<Item> {
	const context = makeContext({ ...options, items: [parameters as IDataObject] });
	return new Item(context, await connect(context), 0);
}

/** One item of an operation, with the defaults of its fields and these parameters. */
export async function makeItemOf(
	operation: Operation,
	parameters: IDataObject = {},
	options: Omit<ContextOptions, 'items'> = {},
): Promise<Item> {
	const defaults = operation.fields.map((field) => [field.name, field.default] as const);
	return await makeItem({ ...Object.fromEntries(defaults), options: {}, ...parameters }, options);
}
