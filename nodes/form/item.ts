import {
	NodeOperationError,
	type IBinaryData,
	type IDataObject,
	type IExecuteFunctions,
} from 'n8n-workflow';

import type { Client } from '../gateway/client';
import type { StoredFile } from '../gateway/endpoints/messages';
import { serviceNamesOf, type OpenNames, type ServiceNames } from '../gateway/serviceNames';
import { quoteValue } from '../text/quote';
import { pieceSize } from '../gateway/base64';
import { isHumanReview, isInEngine2, type Owner } from '../gateway/node';
import type { Rules } from '../gateway/rules';
import { Entered } from './entered';

export type Collection = 'options' | 'filters';

export const isNothing = (value: unknown): value is undefined | null =>
	value === undefined || value === null;

export const isEmpty = (value: unknown): boolean => isNothing(value) || value === '';

/** What an entry of a collection gives for an item; `isSet`: it was added. */
export interface Entry {
	value: unknown;
	isSet: boolean;
	isFromExpression: boolean;
}

const notAdded: Entry = { value: undefined, isSet: false, isFromExpression: false };

/** One input item as an operation sees it. Each parameter is evaluated once. */
export class Item implements Owner {
	private readonly values = new Map<string, unknown>();
	private readonly client: Client;
	/** Of the item's account. */
	readonly rules: Rules;

	constructor(
		private readonly context: IExecuteFunctions,
		{ client, rules }: { client: Client; rules: Rules },
		readonly index: number,
		private readonly entered = new Entered(context),
	) {
		this.client = client;
		this.rules = rules;
	}

	/** Items in the run. */
	get total(): number {
		return this.context.getInputData().length;
	}

	/** This account's names for what the interface leaves open. */
	get names(): OpenNames {
		return this.client.names;
	}

	/** When the run of the node began, in ms since 1970. */
	get begunAt(): number {
		return this.entered.begunAt;
	}

	/** Of the node, when it was added to the workflow. */
	get version(): number {
		return this.entered.node.typeVersion;
	}

	get json(): IDataObject {
		return this.context.getInputData()[this.index]!.json;
	}

	/** Whether the node reviews an AI agent's tool call. */
	get isHumanReview(): boolean {
		return isHumanReview(this.entered.node);
	}

	/** The service's address without a path. */
	get serviceOrigin(): string {
		return this.client.origin;
	}

	/** Earlier runs of the node in this execution, as in a loop. */
	get runIndex(): number {
		return this.context.getWorkflowDataProxy(this.index).$runIndex as number;
	}

	/** The workflow's time zone, e.g. `America/Sao_Paulo`. */
	get timezone(): string {
		return this.context.getTimezone();
	}

	/** Otherwise it may be the server's. */
	get isTimezoneKnown(): boolean {
		return !isInEngine2(this.context);
	}

	parameter<T>(name: string, fallback?: T): T {
		// n8n validates types that no field of this node uses.
		return this.read(name, fallback, { skipValidation: true }) as T;
	}

	/** The value of a resource locator; empty if nothing is chosen. */
	locator(name: string): unknown {
		return this.read(name, '', { extractValue: true });
	}

	entry(collection: Collection, name: string): Entry {
		if (this.entered.lacks(collection, name)) return notAdded;
		const entries = Object(this.parameter(collection, {})) as IDataObject;
		const isFromExpression = this.isFromExpression(collection, name);
		const isSet = isFromExpression || Object.hasOwn(entries, name);
		return { value: entries[name], isSet, isFromExpression };
	}

	/** Whether a parameter, or what is at a path in it, is an expression or contains one. */
	isFromExpression(...path: string[]): boolean {
		return this.entered.hasExpression(...path);
	}

	/** The expressions in a text with more than one part that give nothing: `{{ $json.id }}` of `{{ $json.id }}-sent`. */
	emptyParts(...path: string[]): string[] {
		const entered = this.entered.at(...path);
		if (typeof entered !== 'string' || !entered.startsWith('=')) return [];
		const parts = entered.match(/\{\{[^]*?\}\}/g) ?? [];
		if (parts[0] === entered.slice(1).trim()) return [];
		return parts.filter((part) => {
			const value: unknown = this.context.evaluateExpression(part, this.index);
			return isEmpty(value);
		});
	}

	/** Whether an AI agent's model fills in the parameter. */
	isFromAi(name: string): boolean {
		return /\$fromAI\b/i.test(String(this.entered.at(name)));
	}

	/** @throws NodeOperationError when the item has no such file */
	file(fieldName: string): IBinaryData {
		try {
			return this.context.helpers.assertBinaryData(this.index, fieldName);
		} catch {
			// n8n's error does not list the files.
			const { binary = {} } = this.context.getInputData()[this.index]!;
			const others = Object.keys(binary).map((name) => `'${this.quote(name)}'`);
			throw this.invalid(
				`This item has no file in '${this.quote(fieldName)}'`,
				others.length > 0
					? `Set 'Input Data Field Name' to ${others.join(' or ')}.`
					: 'Add a node before this one that outputs a file, e.g. HTTP Request, Google Drive or Read/Write Files from Disk.',
			);
		}
	}

	/** @throws NodeOperationError when n8n's binary data store does not have the file */
	async storedFile(id: string): Promise<StoredFile> {
		const metadata = await this.context.helpers.getBinaryMetadata(id).catch(() => undefined);
		if (!metadata) {
			throw this.invalid(
				'The file of this item could not be read from the binary data store of n8n',
				'Nothing was sent. Run the node that produces the file again.',
			);
		}
		return {
			size: metadata.fileSize,
			open: async () => await this.context.helpers.getBinaryStream(id, pieceSize),
		};
	}

	/**
	 * A stored file that n8n keeps as long as this execution. Those of others may go before, and what
	 * the trigger has taken in moves when the execution waits or ends: of these, a copy, one for a run.
	 */
	async ownFile(file: IBinaryData): Promise<IBinaryData> {
		const { id = '', fileName, mimeType } = file;
		if (id.includes(`/executions/${this.context.getExecutionId()}/`)) return file;
		const { getBinaryStream, prepareBinaryData } = this.context.helpers;
		const copy = async () =>
			await prepareBinaryData(await getBinaryStream(id, pieceSize), fileName, mimeType);
		const { copies } = this.entered;
		return await (copies.get(id) ?? copies.set(id, copy()).get(id)!);
	}

	/**
	 * A public URL of a stored file, which n8n signs until it ends; undefined if this n8n has none.
	 *
	 * @param seconds until it ends
	 */
	signedUrl(file: IBinaryData, seconds: number): string | undefined {
		const { createBinarySignedUrl } = this.context.helpers as Partial<IExecuteFunctions['helpers']>;
		return createBinarySignedUrl?.(file, `${seconds}s`);
	}

	/** The signed URL at which n8n calls this node's `webhook` while the execution waits. */
	resumeUrl(query: Record<string, string>): string {
		return this.context.getSignedResumeUrl(query);
	}

	/** What requests of this item call things. */
	get service(): ServiceNames {
		return serviceNamesOf(this, this.client);
	}

	/** The error of an item that cannot be sent, for the caller to throw. */
	invalid(message: string, description: string): NodeOperationError {
		const error = new NodeOperationError(this.entered.node, this.client.redact(message), {
			itemIndex: this.index,
			description: this.client.redact(description),
		});
		error.message = this.client.redact(message); // n8n replaces one that contains a network code
		return error;
	}

	/** A value as errors may show it: one short line without secrets or the query of a URL. */
	quote(value: string): string {
		return quoteValue(value, this.client.redact);
	}

	private read(name: string, fallback: unknown, options: object): unknown {
		if (!this.values.has(name)) {
			const evaluate = () => this.evaluate(name, fallback, options);
			this.values.set(name, this.entered.value(name, evaluate));
		}
		return this.values.get(name);
	}

	private evaluate(name: string, fallback: unknown, options: object): unknown {
		try {
			return this.context.getNodeParameter(name, this.index, fallback, options);
		} catch (error) {
			// n8n walks through values, and runs out of stack where one contains itself.
			throw error instanceof RangeError
				? this.invalid(
						'A value of this item contains itself or is nested too deeply',
						'Use expressions that return single values, e.g. {{ $json.customer.name }}.',
					)
				: error;
		}
	}
}
