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

/** What the sandbox knows between two resets. */
export class Session {
	readonly state = new ServiceState();
	readonly records = new Records();
	readonly faults = new Faults();
	readonly deliveries: Delivery[] = [];
	private readonly ended = new AbortController();
	/** Cuts off delays and deliveries when the session ends. */
	readonly signal = this.ended.signal;

	constructor() {
		setMaxListeners(0, this.signal); // each delayed request waits with it
	}

	end(): void {
		this.ended.abort();
	}
}

/** What tests do with the stand-in service. `client.ts` has the same over HTTP. */
export class Controls {
	private current = new Session();
	private readonly sender = new WebhookSender();

	get session(): Session {
		return this.current;
	}

	/** Every request seen, oldest first, refused ones included. */
	requests(filter?: RequestFilter): RecordedRequest[] {
		return this.current.records.requests(filter);
	}

	/** The ledger: one row per message really accepted, oldest first. */
	accepted(filter?: AcceptedFilter): AcceptedMessage[] {
		return this.current.records.accepted(filter);
	}

	/** How often was this message really sent? */
	timesAccepted(match: AcceptedFilter): number {
		return this.accepted(match).length;
	}

	/** Misbehaves from now on; of several rules, the first that hits a request decides. */
	fault(rule: FaultRule): void {
		this.current.faults.add(rule);
	}

	clearFaults(): void {
		this.current.faults.clear();
	}

	/** The webhook's configuration; may be set, whole or by field. */
	get webhook(): WebhookConfiguration {
		return this.current.state.webhook;
	}

	set webhook(configuration: WebhookConfiguration) {
		Object.assign(this.current.state.webhook, configuration);
	}

	/** Set `connected` to bring a logged-out instance back. */
	get instance(): { connected: boolean } {
		return this.current.state.instance;
	}

	/** Puts a campaign there, or another state of one. */
	setCampaign(campaign: CampaignSetting): void {
		this.current.state.setCampaign(structuredClone(campaign));
	}

	/** As when it was deleted at the service. */
	removeCampaign(channel: Channel, campaignId: string): void {
		const [campaign] = this.current.state.findCampaigns(channel, campaignId);
		if (campaign) this.current.state.deleteCampaign(campaign);
	}

	/** The API keys of the account; set, they are these and no others. */
	get apiKeys(): ApiKeySetting[] {
		return this.current.state.apiKeys;
	}

	set apiKeys(keys: ApiKeySetting[]) {
		this.current.state.setApiKeys(structuredClone(keys));
	}

	/** Posts one event to the configured webhook, enabled or not. Rejects if there is no address. */
	async deliver(event: unknown, options: DeliveryOptions = {}): Promise<Delivery> {
		const { deliveries, signal, state } = this.current;
		const url = options.url ?? state.webhook.url;
		if (!url) throw new Error('No webhook is configured');
		const delivery = await this.sender.post(url, event, options, signal);
		deliveries.push(delivery);
		return delivery;
	}

	/** Outcome of each delivery made, in the order in which they ended. */
	deliveries(): Delivery[] {
		return this.current.deliveries;
	}

	/**
	 * Moves every accepted message one step: queued → sent → delivered or error. If the webhook is
	 * enabled, each move is delivered there. The moves are done on return, the deliveries when the
	 * promise resolves.
	 */
	async advance(): Promise<void> {
		const moves = this.current.state.advance();
		if (!this.webhook.enabled || !this.webhook.url) return;
		await Promise.all(moves.map((move) => this.deliver(statusEvent(move))));
	}

	/** Back to a fresh sandbox. Requests and deliveries still under way are cut off. */
	reset(): void {
		this.current.end();
		this.current = new Session();
	}

	/** Cuts off what is under way; nothing can be delivered afterwards. */
	async end(): Promise<void> {
		this.current.end();
		await this.sender.close();
	}
}
