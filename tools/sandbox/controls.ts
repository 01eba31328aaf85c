import { setMaxListeners } from 'node:events';
import { Faults } from './faults';
import { Records } from './records';
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
	RecordedRequest,
	RequestFilter,
	WebhookConfiguration,
} from './types';
import { statusEvent, WebhookSender } from './webhook';

/** Everything between two resets. */
export class Session {
	readonly state = new ServiceState();
	readonly records = new Records();
	readonly faults = new Faults();
	readonly deliveries: Delivery[] = [];
	private readonly ended = new AbortController();
	/** Aborts delays and deliveries when the session ends. */
	readonly signal = this.ended.signal;

	constructor() {
		setMaxListeners(0, this.signal); // one listener for each delayed request
	}

	end(): void {
		this.ended.abort();
	}
}

/** How tests control the sandbox. `client.ts` offers the same over HTTP. */
export class Controls {
	private current = new Session();
	private readonly sender = new WebhookSender();

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
		await Promise.all(moves.map((move) => this.deliver(statusEvent(move))));
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
