import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

/**
 * Values of the parameters that hold no expression. They are the same for all items, so each is
 * read once: n8n validates a value against the node's whole description at every reading.
 */
export class Literals {
	private readonly values = new Map<string, unknown>();

	private readonly entered: INodeParameters;

	constructor(context: IExecuteFunctions) {
		this.entered = context.getNode().parameters;
	}

	read(name: string, evaluate: () => unknown): unknown {
		if (this.values.has(name)) return this.values.get(name);
		const value = evaluate();
		if (name in this.entered && !holdsExpression(this.entered[name])) this.values.set(name, value);
		return value;
	}
}

/** n8n marks an expression with a leading `=`, at any depth. */
export function holdsExpression(entered: unknown): boolean {
	if (typeof entered === 'string') return entered.startsWith('=');
	if (typeof entered !== 'object' || entered === null) return false;
	return Object.values(entered).some(holdsExpression);
}
