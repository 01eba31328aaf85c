import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { poll } from '../../../nodes/MessagingGatewayStatusTrigger/poll';
import { forgetEverything } from '../../../nodes/gateway/memory';
import { makePollContext, type PollContextOptions } from '../support/pollContext';

let nodes = 0;

/** A node that n8n polls; its static data is kept as n8n keeps it. */
export class PolledNode {
	/** What came out of all polls. */
	readonly items: IDataObject[] = [];

	/** What was thrown, which n8n saves as failed executions. */
	readonly errors: Array<Error & { description?: string | null }> = [];

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

	/** The messages of what was thrown. */
	get failures(): string[] {
		return this.errors.map(({ message }) => message);
	}

	/** Publishes, or starts n8n again: in both cases there is a poll, and what it throws is thrown. */
	async activate(more: Partial<PollContextOptions> = {}): Promise<IDataObject[]> {
		this.open(more);
		const items = await this.pollOnce();
		this.save();
		return items;
	}

	/** n8n is started again: a process that remembers nothing. */
	async restart(): Promise<IDataObject[]> {
		forgetEverything();
		return await this.activate({ activationMode: 'init' });
	}

	/** @returns what came out of one poll */
	async poll(): Promise<IDataObject[]> {
		try {
			return await this.pollOnce();
		} catch (error) {
			this.errors.push(error as Error);
			return [];
		}
	}

	private async pollOnce(): Promise<IDataObject[]> {
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

/** What the service answers; a function makes it, of the campaign that is asked for. */
export interface Service {
	answer: unknown;
}

/** A node with these parameters; `service.answer` may be changed. */
export function watch(
	parameters: IDataObject,
	answer: unknown,
	options: Partial<PollContextOptions> = {},
) {
	const service: Service = { answer };
	/** Addresses, or the campaign that was asked for. */
	const asked: string[] = [];
	const node = new PolledNode({
		parameters: { channel: 'sms', campaignIds: 'c-1', ...parameters },
		async answer({ method, url, qs }: IHttpRequestOptions) {
			asked.push(String(qs?.campaignId ?? `${method} ${url}`));
			const { answer: given } = service;
			return typeof given === 'function' ? await given(String(qs?.campaignId), url) : given;
		},
		...options,
	});
	return { node, service, asked };
}

/** The same, published: its first poll is over. */
export async function published(...[parameters, answer, options]: Parameters<typeof watch>) {
	const watched = watch(parameters, answer, options);
	expect(await watched.node.activate()).toEqual([]);
	watched.asked.length = 0;
	return watched;
}

/** A message entry of interface §2.6. */
export const message = (messageId: string, status: string, to = '5511912345678') => ({
	messageId,
	status,
	to,
});

/** A campaign of interface §2.6. */
export const campaign = (campaignId: string, ...messages: IDataObject[]): IDataObject => ({
	campaignId,
	nome: 'Novidades',
	statistics: { total: messages.length },
	messages,
});

/** For `watch`: each campaign has one message, `m-` and its ID, with this status. */
export const everyStatus = (status: string) => (campaignId: string) => ({
	campaigns: [campaign(campaignId, message(`m-${campaignId}`, status))],
});

/** A node that watches the messages of these campaigns, published. */
export const watchMessages = async (
	campaignIds: string[],
	options: Partial<PollContextOptions> = {},
) =>
	await published({ event: 'messageStatusChanged', campaignIds }, everyStatus('queued'), options);

/** What came out of `watchMessages`, shortly. */
export const statuses = (items: IDataObject[]): string[] =>
	items.map(({ messageId, status }) => `${String(messageId)} ${String(status)}`);

/** Refusals of the service, for all requests and for one. */
export const invalidToken = { success: false, message: 'Token inválido.' };
export const notFound = { success: false, message: 'Campanha não encontrada.' };
