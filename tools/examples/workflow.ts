import { createHash } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowJson } from '../host';
import { fields, outputs, query, where } from './parameters';

/** A place on the canvas, in columns and rows of nodes. */
export type Place = [column: number, row: number];

type More = Partial<
	Pick<INode, 'onError' | 'executeOnce' | 'retryOnFail' | 'alwaysOutputData' | 'disabled'>
> & { maxTries?: number; waitBetweenTries?: number };

const base = 'n8n-nodes-base.';

/** The settings of a workflow whose executions hold numbers of people. */
export const keepsNoData = { saveDataSuccessExecution: 'none' } as const;

/** A node that goes on where its request fails. */
export const continues = { onError: 'continueRegularOutput' as const };
const nodesWithWebhook = ['form', 'formTrigger', 'messagingGatewayTrigger'];

/** A workflow in examples/ as it is written: node by node, with the lines between them. */
export class ExampleWorkflow {
	private readonly nodes: INode[] = [];
	private readonly connections: WorkflowJson['connections'] = {};

	/** @param file without .json */
	constructor(
		readonly file: string,
		readonly name: string,
		private readonly settings: WorkflowJson['settings'] = {},
	) {}

	/** Adds notes above the nodes, from left to right. */
	notes(height: number, widths: number[], contents: Record<string, string>): void {
		let left = -60;
		for (const [index, [name, content]] of Object.entries(contents).entries()) {
			const color = [undefined, 4, 5][index];
			const width = widths[index]!;
			const parameters = { content, height, width, ...(color && { color }) };
			this.push(`Note: ${name}`, `${base}stickyNote`, 1, [left, -260 - height], parameters);
			left += width + 20;
		}
	}

	/**
	 * Adds a node.
	 *
	 * @param type with its version, e.g. `set@3.4`: one of n8n's own
	 * @returns its name
	 */
	add(
		name: string,
		type: string,
		[column, row]: Place,
		parameters: INodeParameters = {},
		more: More = {},
	): string {
		const [kind = '', version] = type.split('@');
		const fullType = kind.startsWith('messagingGateway')
			? `n8n-nodes-messaging-gateway.${kind}`
			: base + kind;
		const position: [number, number] = [column * 220, row * 160];
		const webhookId = nodesWithWebhook.includes(kind) && { webhookId: this.id(`${name} webhook`) };
		this.push(name, fullType, Number(version), position, parameters, { ...more, ...webhookId });
		return name;
	}

	set(name: string, place: Place, values: Parameters<typeof fields>[0], more?: More): string {
		return this.add(name, 'set@3.4', place, fields(values), more);
	}

	/** Adds a node that keeps the item's fields, and adds some. */
	addFields(name: string, place: Place, values: Parameters<typeof fields>[0]): string {
		return this.add(name, 'set@3.4', place, { ...fields(values), includeOtherFields: true });
	}

	filter(name: string, place: Place, expression: string): string {
		return this.add(name, 'filter@2.2', place, where(expression));
	}

	if(name: string, place: Place, expression: string): string {
		return this.add(name, 'if@2.2', place, where(expression));
	}

	switch(name: string, place: Place, rules: Record<string, string>): string {
		return this.add(name, 'switch@3.2', place, outputs(rules));
	}

	/** Adds a trigger that starts the workflow by the clock. */
	schedule(name: string, place: Place, interval: INodeParameters): string {
		return this.add(name, 'scheduleTrigger@1.2', place, { rule: { interval: [interval] } });
	}

	dataTable(name: string, place: Place, parameters: INodeParameters, more?: More): string {
		return this.add(name, 'dataTable@1.1', place, parameters, more);
	}

	/** Adds a query, whose `$1` is the item or the argument. */
	postgres(name: string, place: Place, sql: string, argument?: string, more?: More): string {
		return this.add(name, 'postgres@2.6', place, query(sql, argument), more);
	}

	/** Adds the trigger of a workflow that others call. */
	called(name: string, place: Place): string {
		return this.add(name, 'executeWorkflowTrigger@1.1', place, { inputSource: 'passthrough' });
	}

	/** Adds a form that asks for a number. */
	numberForm(name: string, place: Place, formTitle: string, formDescription: string): string {
		const field = {
			fieldLabel: 'Phone Number',
			placeholder: '+55 11 9XXXX-XXXX',
			requiredField: true,
		};
		return this.add(name, 'formTrigger@2.2', place, {
			...{ formTitle, formDescription, formFields: { values: [field] } },
			options: { appendAttribution: false },
		});
	}

	/** Adds the last page of a form. */
	lastPage(name: string, place: Place, completionTitle: string, completionMessage: string): string {
		const parameters = { operation: 'completion', completionTitle, completionMessage, options: {} };
		return this.add(name, 'form@1', place, parameters);
	}

	sendSms(
		name: string,
		place: Place,
		message: { to: string; text: string } & INodeParameters,
		more?: More,
	): string {
		const { to, text, ...options } = message;
		const parameters = { resource: 'message', operation: 'sendSms', to, text, options };
		return this.add(name, 'messagingGateway@1', place, parameters, more);
	}

	/** Adds a look-up of messages. */
	getStatus(name: string, place: Place, find: INodeParameters): string {
		const parameters = { resource: 'message', operation: 'getStatus', ...find, options: {} };
		return this.add(name, 'messagingGateway@1', place, parameters, continues);
	}

	/** Adds a dry run, which only reads a number. */
	readNumber(name: string, place: Place, number: string, more: More = continues): string {
		return this.sendSms(name, place, { to: number, text: 'STOP', dryRun: true }, more);
	}

	/** Connects a node with others, which n8n runs from the top of the canvas to its bottom. */
	connect(from: string, to: string | string[], output = 0): void {
		const outputs = (this.connections[from] ??= { main: [] }).main!;
		while (outputs.length <= output) outputs.push([]);
		for (const node of [to].flat()) outputs[output]!.push({ node, type: 'main', index: 0 });
	}

	/** Connects each output of a node with its own target. */
	branch(from: string, ...targets: Array<string | string[]>): void {
		for (const [output, to] of targets.entries()) this.connect(from, to, output);
	}

	/** Connects each node with the next one. */
	chain(...names: string[]): void {
		for (const [index, name] of names.slice(1).entries()) this.connect(names[index]!, name);
	}

	toJson(): WorkflowJson {
		const { name, nodes, connections, settings } = this;
		return { name, nodes, connections, settings: { executionOrder: 'v1', ...settings } };
	}

	private push(
		name: string,
		type: string,
		typeVersion: number,
		position: [number, number],
		parameters: INodeParameters,
		more: Partial<INode> = {},
	): void {
		const node = { id: this.id(name), name, type, typeVersion, position };
		this.nodes.push({ ...node, ...more, parameters });
	}

	/** Returns an id that stays when the workflow is written again. */
	private id(of: string): string {
		const hex = createHash('sha256').update(`${this.file}/${of}`).digest('hex');
		const part = (from: number, to: number) => hex.slice(from, to);
		return `${part(0, 8)}-${part(8, 12)}-5${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}`;
	}
}
