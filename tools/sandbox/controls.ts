import { setMaxListeners } from 'node:events';
import { deserialize, serialize } from 'node:v8';
import { Faults } from './faults';
import { Records } from './records';
import { SEEDS } from './seeds';
import { ServiceState } from './state';
import type {
	AcceptedFilter,
	AcceptedMessage,
	ApiKeySetting,
	CampaignSetting,
	Channel,
	Delivery,
	DeliveryOptions,
	FaultRule,
	Overview,
	RecordedRequest,
	RequestFilter,
	WebhookConfiguration,
} from './types';
import { statusEvent, WebhookSender } from './webhook';

const FAIL_NEXT: FaultRule = {
	operation: ['sendSms', 'sendMedia', 'sendAudio'],
	times: 1,
	fault: { refuse: 'Mensagem recusada.' },
};

const EXAMPLE = {
	messageId: '00000000-0000-4000-8000-000000000000',
	campaignId: SEEDS.campaigns.sms.running,
	channel: 'sms',
	to: '5511912345678',
	status: 'delivered',
} as const;

const LATEST = 200; // messages on the page

/** Everything between two resets. */
export class Session {
	readonly state = new ServiceState();
	readonly records = new Records();
	readonly faults = new Faults();
	readonly deliveries: Delivery[] = [];
	private readonly ended = new AbortController();
	/** Aborts delays and deliveries when the session ends. */
	readonly signal = this.ended.signal;

	/** @param kept a snapshot to go on with */
	constructor(kept?: Buffer) {
		setMaxListeners(0, this.signal); // one listener for each delayed request
		if (!kept) return;
		const { state, accepted } = deserialize(kept) as { state: object; accepted: AcceptedMessage[] };
		Object.assign(this.state, state);
		for (const message of accepted) this.records.addAccepted(message);
	}

	/** What the service knows: not the requests, faults and deliveries. */
	snapshot(): Buffer {
		return serialize({ state: this.state, accepted: this.records.accepted() });
	}

	end(): void {
		this.ended.abort();
	}
}

/** How tests control the sandbox. `client.ts` offers the same over HTTP. */
export class Controls {
	private current: Session;
	private readonly sender = new WebhookSender();

	/** @param kept a snapshot to go on with */
	constructor(kept?: Buffer) {
		this.current = new Session(kept);
	}

	/** For a sandbox that goes on with these messages. */
	snapshot(): Buffer {
		return this.current.snapshot();
	}

	get session(): Session {
		return this.current;
	}

	/** All requests, including refused ones, oldest first. */
	requests(filter?: RequestFilter): RecordedRequest[] {
		return this.current.records.requests(filter);
	}

	/** The ledger: one row for each accepted message, oldest first. */
	accepted(filter?: AcceptedFilter): AcceptedMessage[] {
		return this.current.records.accepted(filter);
	}

	/** How often a message was really sent. */
	timesAccepted(match: AcceptedFilter): number {
		return this.accepted(match).length;
	}

	/** Adds a rule; the first one that hits a request decides. */
	fault(rule: FaultRule): void {
		this.current.faults.add(rule);
	}

	clearFaults(): void {
		this.current.faults.clear();
	}

	/** Whether the next message is refused. */
	get failsNext(): boolean {
		return this.current.faults.has(FAIL_NEXT);
	}

	set failsNext(fails: boolean) {
		this.current.faults.remove(FAIL_NEXT);
		if (fails) this.fault(FAIL_NEXT);
	}

	/** What the page of messages shows. */
	overview(): Overview {
		const statuses = this.current.state.statuses();
		const latest = this.accepted().slice(-LATEST);
		const messages = latest.map((row) => ({ ...row, status: statuses.get(row.messageId) }));
		const hasWebhook = Boolean(this.webhook.url && this.webhook.enabled);
		const { failsNext, instance } = this;
		return { connected: instance.connected, hasWebhook, failsNext, messages };
	}

	/** The webhook's configuration; can be set in part. */
	get webhook(): WebhookConfiguration {
		return this.current.state.webhook;
	}

	set webhook(configuration: WebhookConfiguration) {
		Object.assign(this.current.state.webhook, configuration);
	}

	/** Set `connected` to reconnect an instance that was logged out. */
	get instance(): { connected: boolean } {
		return this.current.state.instance;
	}

	/** Adds or replaces a campaign. */
	setCampaign(campaign: CampaignSetting): void {
		this.current.state.setCampaign(structuredClone(campaign));
	}

	removeCampaign(channel: Channel, campaignId: string): void {
		const [campaign] = this.current.state.findCampaigns(channel, campaignId);
		if (campaign) this.current.state.deleteCampaign(campaign);
	}

	/** All API keys of the account. */
	get apiKeys(): ApiKeySetting[] {
		return this.current.state.apiKeys;
	}

	set apiKeys(keys: ApiKeySetting[]) {
		this.current.state.setApiKeys(structuredClone(keys));
	}

	/** Posts one event to the webhook, even a disabled one. Rejects if it has no URL. */
	async deliver(event: unknown, options: DeliveryOptions = {}): Promise<Delivery> {
		const { deliveries, signal, state } = this.current;
		const url = options.url ?? state.webhook.url;
		if (!url) throw new Error('No webhook is configured');
		const delivery = await this.sender.post(url, event, options, signal);
		deliveries.push(delivery);
		return delivery;
	}

	/** The outcomes of all deliveries, in the order in which they ended. */
	deliveries(): Delivery[] {
		return this.current.deliveries;
	}

	/** Moves every accepted message one step. Resolves once the enabled webhook has received it. */
	async advance(): Promise<void> {
		const moves = this.current.state.advance();
		if (!this.webhook.enabled || !this.webhook.url) return;
		const events = moves.map(({ message, campaign }) => statusEvent({ ...campaign, ...message }));
		await Promise.all(events.map((event) => this.deliver(event)));
	}

	/** Posts the status of the latest message once more, or an example's. Rejects without a webhook. */
	async report(): Promise<Delivery> {
		const latest = this.overview().messages.at(-1);
		return await this.deliver(statusEvent({ ...EXAMPLE, ...latest }));
	}

	/** Starts over; requests and deliveries in progress are aborted. */
	reset(): void {
		this.current.end();
		this.current = new Session();
	}

	/** Aborts everything in progress; nothing can be delivered afterwards. */
	async end(): Promise<void> {
		this.current.end();
		await this.sender.close();
	}
}
