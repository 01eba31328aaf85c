import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { poll } from '../../../nodes/MessagingGatewayStatusTrigger/poll';
import { inProcess } from '../../../nodes/n8n/processState';
import { makePollContext, type PollContextOptions } from '../../../tools/shared/pollContext';

/** Lets time pass, and sets the machine's clock, which else shows the time. */
export class Clock {
	private passedMs = 0;
	private setBy = 0;

	constructor() {
		const { now } = performance;
		jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + this.passedMs);
		const start = Date.UTC(2030, 0, 1);
		jest.spyOn(Date, 'now').mockImplementation(() => start + this.passedMs + this.setBy);
	}

	pass(seconds: number): void {
		this.passedMs += seconds * 1000;
	}

	/** @param hours ahead of the time; negative: behind it */
	set(hours: number): void {
		this.setBy = hours * 3_600_000;
	}
}

// The polls of an account share what its service has asked for, and tests share the account.
beforeEach(() => inProcess.clear());

let nodes = 0;

/** A node that n8n polls; its static data is stored as n8n stores it. */
export class PolledNode {
	/** The output of all polls. */
	readonly items: IDataObject[] = [];
	/** What polls threw: n8n saves these as failed executions. */
	readonly errors: Array<Error & { description?: string | null }> = [];
	/** The static data in n8n's database. */
	stored: IDataObject = {};
	private readonly nodeId = `node-${++nodes}`;
	private live: IDataObject = {};
	private context!: ReturnType<typeof makePollContext>;

	constructor(private readonly options: Omit<PollContextOptions, 'staticData'>) {
		this.open();
	}

	get logs(): string[] {
		return this.context.logs;
	}

	get failures(): string[] {
		return this.errors.map(({ message }) => message);
	}

	/** Publishes, or starts n8n again. Both poll once, and throw what that poll throws. */
	async activate(more?: Partial<PollContextOptions>): Promise<IDataObject[]> {
		this.open(more);
		const items = await this.pollOnce();
		this.save();
		return items;
	}

	/** Starts n8n again, in a process that remembers nothing. */
	async restart(): Promise<IDataObject[]> {
		inProcess.clear();
		return await this.activate({ activationMode: 'init' });
	}

	/** @returns the output of one poll */
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
		expect(found).not.toEqual([[]]); // it would start the workflow with nothing
		if (found === null) return [];
		this.save();
		const items = found.flat().map(({ json }) => json);
		this.items.push(...items);
		return items;
	}

	private open(more: Partial<PollContextOptions> = {}): void {
		this.live = structuredClone(this.stored);
		const { nodeId, live: staticData } = this;
		this.context = makePollContext({ ...this.options, nodeId, staticData, ...more });
	}

	private save(): void {
		this.stored = JSON.parse(JSON.stringify(this.live)) as IDataObject;
	}
}

/** A node with these parameters; the tests may change `service.answer`, or make it a function. */
export function watch(
	parameters: IDataObject,
	answer: unknown,
	options: Partial<PollContextOptions> = {},
) {
	const service = { answer };
	/** The campaigns requested, or the addresses. */
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
export const message = (messageId: string, status: string) => ({
	messageId,
	status,
	to: '5511912345678',
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
export const watchMessages = async (campaignIds: string[]) =>
	await published({ event: 'messageStatusChanged', campaignIds }, everyStatus('queued'));

/** Items as short texts, e.g. `m-a sent`. */
export const statuses = (items: IDataObject[]): string[] =>
	items.map(({ messageId, status }) => `${String(messageId)} ${String(status)}`);

/** Refusals of the service, of every request and of one. */
export const invalidToken = { success: false, message: 'Token inválido.' };
export const notFound = { success: false, message: 'Campanha não encontrada.' };
