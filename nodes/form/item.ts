import {
	NodeOperationError,
	type INodeProperties,
	type IDataObject,
	type INode,
	type IBinaryData,
	type IExecuteFunctions,
} from 'n8n-workflow';

import type { Owner } from '../n8n/errors';
import type { Client } from '../service/client';
import { quoteValue } from '../text/quote';
import { toText } from '../text/values';
import { partsOf, type Part } from './part';

export type Collection = 'options' | 'filters';

/** A place from which fields are read: an item, a group of its fields, or the node of a trigger. */
export interface Reader extends Owner {
	/** Returns what was entered, or {@link unset} where an entry of a collection was not added. */
	raw(field: INodeProperties, collection?: Collection): unknown;
	/** Whether a parameter, or what is at a path in it, is an expression or contains one. */
	isFromExpression(...path: string[]): boolean;
	/** Returns the parts of an expression, evaluated; none where there is no expression. */
	parts(...path: string[]): Part[];
}

export const isNothing = (value: unknown): value is undefined | null =>
	value === undefined || value === null;

/** Whether a value is nothing or an empty text, as an expression may give it. */
export const isEmpty = (value: unknown): boolean => value === '' || isNothing(value);

/** Stands for an entry that nobody has added. */
export const unset = Symbol('unset');

/** Returns the reader of what is within a parameter. @param entered its values @param path where they are */
export const groupReader = <R extends Reader>(owner: R, entered: object, ...path: string[]) =>
	Object.assign(Object.create(owner) as R, {
		raw: ({ name }: INodeProperties) =>
			Object.hasOwn(entered, name) ? (entered as IDataObject)[name] : unset,
		// What an expression for the whole group leaves out was not added.
		isFromExpression: (name: string, ...more: string[]) =>
			Object.hasOwn(entered, name) && owner.isFromExpression(...path, name, ...more),
		parts: (...names: string[]) => owner.parts(...path, ...names),
	});

/**
 * Holds what was entered in a node, expressions unevaluated. It is read once for all items: n8n copies
 * the whole node each time, and validates a value against the node's whole description.
 */
export class Entered {
	readonly node: INode;
	/** When the run began, in ms since 1970. */
	readonly begunAt = Date.now();
	/** The values of parameters without an expression, which are the same for all items. */
	readonly values = new Map<string, unknown>();
	/** Copies of files that came with the items, by the original's ID. */
	readonly copies = new Map<string, Promise<IBinaryData>>();

	constructor(context: { getNode(): INode }) {
		this.node = context.getNode();
	}

	/** Returns what is at a path. An expression on the way stands for all it covers. */
	at(...path: string[]): unknown {
		let value: unknown = this.node.parameters;
		for (const name of path) {
			if (typeof value === 'string') return value;
			value = (value as IDataObject | undefined)?.[name];
		}
		return value;
	}

	/** Whether what is at a path is an expression or contains one. */
	hasExpression(...path: string[]): boolean {
		return containsExpression(this.at(...path));
	}
}

/** n8n marks expressions with a leading `=`, at any depth. */
function containsExpression(entered: unknown): boolean {
	if (typeof entered === 'string') return entered.startsWith('=');
	if (typeof entered !== 'object' || entered === null) return false;
	return Object.values(entered).some(containsExpression);
}

/** One input item as an operation sees it. Each parameter is evaluated once. */
export class Item implements Reader {
	/** The values of parameters with an expression. */
	private readonly values = new Map<string, unknown>();

	constructor(
		readonly context: IExecuteFunctions,
		readonly account: Omit<Client, 'attempt' | 'shown'>,
		readonly index: number,
		readonly entered = new Entered(context),
	) {}

	get total(): number {
		return this.context.getInputData().length;
	}

	get json(): IDataObject {
		return this.context.getInputData()[this.index]!.json;
	}

	/** The workflow's time zone, e.g. `America/Sao_Paulo`. */
	get timezone(): string {
		return this.context.getTimezone();
	}

	raw({ name }: Pick<INodeProperties, 'name'>, collection?: Collection): unknown {
		if (!collection) return this.parameter(name);
		// An entry that was not added to the node has no value for any item.
		const added = this.entered.node.parameters[collection];
		if (typeof added === 'object' && added !== null && !Object.hasOwn(added, name)) return unset;
		const entries = Object(this.parameter(collection)) as IDataObject;
		const isSet = Object.hasOwn(entries, name) || this.isFromExpression(collection, name);
		return isSet ? entries[name] : unset;
	}

	isFromExpression(...path: string[]): boolean {
		return this.entered.hasExpression(...path);
	}

	parts(...path: string[]): Part[] {
		const entered = this.entered.at(...path);
		if (typeof entered !== 'string' || !entered.startsWith('=')) return [];
		const [name, ...names] = path;
		let became = this.parameter(name!);
		for (const each of names) became = (Object(became) as IDataObject)[each];
		const evaluate = (code: string): unknown => this.context.evaluateExpression(code, this.index);
		return partsOf(entered.slice(1), toText(became), evaluate);
	}

	/** Returns the error of an item that cannot be sent, for the caller to throw. */
	invalid(message: string, hint: string): NodeOperationError {
		const error = new NodeOperationError(this.entered.node, this.account.redact(message), {
			itemIndex: this.index,
			description: this.account.redact(hint),
		});
		error.message = this.account.redact(message); // n8n replaces one that contains a network code
		return error;
	}

	/** Returns a value as errors may show it: one short line without secrets or the query of a URL. */
	quote(value: string): string {
		return quoteValue(value, this.account.redact);
	}

	private parameter(name: string): unknown {
		const { node, values: fixed } = this.entered;
		const known = this.values.has(name) ? this.values : fixed;
		if (known.has(name)) return known.get(name);
		// n8n validates types that no field of this node uses.
		const options = { skipValidation: true };
		const value: unknown = this.context.getNodeParameter(name, this.index, null, options);
		const isFixed = name in node.parameters && !containsExpression(node.parameters[name]);
		(isFixed ? fixed : this.values).set(name, value);
		return value;
	}
}
