import type { IDataObject } from 'n8n-workflow';

import { poll } from '../../../nodes/MessagingGatewayStatusTrigger/poll';
import { forgetEverything } from '../../../nodes/gateway/memory';
import { makePollContext, type PollContextOptions } from '../support/pollContext';

let nodes = 0;

/** A node that n8n polls; its static data is kept as n8n keeps it. */
export class PolledNode {
	/** What came out of all looks. */
	readonly items: IDataObject[] = [];

	/** What was thrown, which n8n saves as failed executions. */
	readonly errors: Error[] = [];

	/** What n8n has in its database. */
	stored: IDataObject = {};

	private readonly nodeId = `node-${++nodes}`;

	private live: IDataObject = {};

	private context = this.makeContext({});

	constructor(private readonly options: Omit<PollContextOptions, 'staticData'>) {
		this.open({});
	}

	get logs(): string[] {
		return this.context.logs;
	}

	/** Publishes, or starts n8n again: in both cases there is a look, and what it throws is thrown. */
	async activate(more: Partial<PollContextOptions> = {}): Promise<IDataObject[]> {
		this.open(more);
		const items = await this.poll();
		this.save();
		return items;
	}

	/** n8n is started again: a process that remembers nothing. */
	async restart(): Promise<IDataObject[]> {
		forgetEverything();
		return await this.activate({ activationMode: 'init' });
	}

	/** @returns what came out of one look */
	async look(): Promise<IDataObject[]> {
		try {
			return await this.poll();
		} catch (error) {
			this.errors.push(error as Error);
			return [];
		}
	}

	private async poll(): Promise<IDataObject[]> {
		const found = await poll(this.context);
		if (found === null) return [];
		this.save();
		const items = found.flat().map(({ json }) => json);
		this.items.push(...items);
		return items;
	}

	private open(more: Partial<PollContextOptions>): void {
		this.live = structuredClone(this.stored);
		this.context = this.makeContext(more);
	}

	private save(): void {
		this.stored = JSON.parse(JSON.stringify(this.live)) as IDataObject;
	}

	private makeContext(more: Partial<PollContextOptions>) {
		const { nodeId, live: staticData } = this;
		return makePollContext({ ...this.options, nodeId, staticData, ...more });
	}
}

/** A message entry of interface §2.6. */
export const message = (messageId: string, status: string, to = '5511912345678') => ({
	messageId,
	status,
	to,
});
