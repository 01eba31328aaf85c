import type { IBinaryData, IDataObject, INode } from 'n8n-workflow';

/**
 * What was entered in a node, expressions unevaluated. Read once for all items: n8n copies the whole
 * node each time, and validates a value against the node's whole description.
 */
export class Entered {
	readonly node: INode;

	/** When the run began, in ms since 1970. */
	readonly begunAt = Date.now();

	/** Of parameters without an expression, which are the same for all items. */
	private readonly values = new Map<string, unknown>();

	/** Of files that came with the items, by the original's ID. */
	readonly copies = new Map<string, Promise<IBinaryData>>();

	constructor(context: { getNode(): INode }) {
		this.node = context.getNode();
	}

	/** What is at a path. An expression on the way stands for all it covers. */
	at(...path: string[]): unknown {
		return path.reduce<unknown>(
			(value, name) =>
				typeof value === 'string' ? value : (value as IDataObject | undefined)?.[name],
			this.node.parameters,
		);
	}

	/** Whether an entry was certainly not added to a collection, for no item. */
	lacks(collection: string, name: string): boolean {
		const entries = this.node.parameters[collection];
		return typeof entries === 'object' && entries !== null && !Object.hasOwn(entries, name);
	}

	/** Whether what is at a path is an expression or contains one. */
	hasExpression(...path: string[]): boolean {
		return containsExpression(this.at(...path));
	}

	/** A parameter's value for an item: evaluated again only if it may differ from the last one's. */
	value(name: string, evaluate: () => unknown): unknown {
		if (this.values.has(name)) return this.values.get(name);
		const value = evaluate();
		if (name in this.node.parameters && !this.hasExpression(name)) this.values.set(name, value);
		return value;
	}
}

/** n8n marks expressions with a leading `=`, at any depth. */
function containsExpression(entered: unknown): boolean {
	if (typeof entered === 'string') return entered.startsWith('=');
	if (typeof entered !== 'object' || entered === null) return false;
	return Object.values(entered).some(containsExpression);
}
