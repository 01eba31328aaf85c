import { setMaxListeners } from 'node:events';
import { deserialize, serialize } from 'node:v8';
import { OPERATIONS } from './document';
import { Faults } from './faults';
import { messagesOf } from './overview';
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
	NextMessage,
	Overview,
	RecordedRequest,
	RefusedMessage,
	RequestFilter,
	WebhookConfiguration,
} from './types';
import { replyEvent, statusEvent, WebhookSender } from './webhook';

const SENDS = OPERATIONS.filter(({ isSend }) => isSend).map(({ id }) => id);

const NEXT: Record<Exclude<NextMessage, 'accepted'>, FaultRule> = {
	refused: { operation: SENDS, times: 1, fault: { refuse: 'Mensagem recusada.' } },
	lost: { operation: SENDS, times: 1, fault: { reset: 'afterAccept' } },
};

/** Long enough to kill n8n meanwhile. */
const SLOWLY: FaultRule = { operation: SENDS, fault: { delayMs: 5_000 } };

const EXAMPLE = {
	messageId: '00000000-0000-4000-8000-000000000000',
	campaignId: SEEDS.campaigns.sms.running,
	channel: 'sms',
	to: '5511912345678',
	status: 'delivered',
} as const;

/** The content of a snapshot. */
interface SnapshotContent {
	state: object;
	accepted: AcceptedMessage[];
	refused: RefusedMessage[];
}

/** Everything between two resets. */
export class SandboxSession {
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
		const { state, accepted, refused } = deserialize(kept) as SnapshotContent;
		Object.assign(this.state, state);
		for (const message of accepted) this.records.addAccepted(message);
		this.records.refused.push(...refused);
	}

	/** Returns the service's own data: not the requests, faults and deliveries. */
	snapshot(): Buffer {
		const { state, records } = this;
		const kept: SnapshotContent = { state, accepted: records.accepted(), refused: records.refused };
		return serialize(kept);
	}

	end(): void {
		this.ended.abort();
	}
}

/** How tests control the sandbox. `controlRoutes.ts` offers the same over HTTP. */
export class Controls {
	private current: SandboxSession;
	private readonly sender = new WebhookSender();
	/** The process of the n8n that `npm start` has started: the page says how to kill it. */
	n8nPid?: number;

	/** @param kept a snapshot to go on with */
	constructor(kept?: Buffer) {
		this.current = new SandboxSession(kept);
	}

	/** Returns a snapshot for a sandbox that goes on with these messages. */
	snapshot(): Buffer {
		return this.current.snapshot();
	}

	get session(): SandboxSession {
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

	/** The fate of the next message, whoever sends it. */
	get nextMessage(): NextMessage {
		const { faults } = this.current;
		return faults.has(NEXT.refused) ? 'refused' : faults.has(NEXT.lost) ? 'lost' : 'accepted';
	}

	set nextMessage(next: NextMessage) {
		this.simulate(next, this.answersSlowly);
	}

	/** Whether each message is answered after five seconds only. */
	get answersSlowly(): boolean {
		return this.current.faults.has(SLOWLY);
	}

	set answersSlowly(slowly: boolean) {
		this.simulate(this.nextMessage, slowly);
	}

	/** Returns the content of the page of messages. */
	overview(): Overview {
		const { nextMessage, answersSlowly, n8nPid, instance, webhook } = this;
		const hasWebhook = Boolean(webhook.url && webhook.enabled);
		const switches = { nextMessage, answersSlowly, connected: instance.connected, hasWebhook };
		return { ...switches, n8nPid, ...messagesOf(this.current) };
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
		const latest = this.overview().messages.findLast((message) => 'messageId' in message);
		return await this.deliver(statusEvent({ ...EXAMPLE, ...latest }));
	}

	/** Posts an answer of the latest message's recipient, or an example's. Rejects without a webhook. */
	async reply(text: string): Promise<Delivery> {
		const { to } = this.overview().messages.at(-1) ?? EXAMPLE;
		return await this.deliver(replyEvent(to, text));
	}

	/** The rules of the page: what happens to the next message goes before slowness. */
	private simulate(next: NextMessage, slowly: boolean): void {
		const { faults } = this.current;
		for (const rule of [NEXT.refused, NEXT.lost, SLOWLY]) faults.remove(rule);
		if (next !== 'accepted') faults.add(NEXT[next]);
		if (slowly) faults.add(SLOWLY);
	}

	/** Starts over; requests and deliveries in progress are aborted. */
	reset(): void {
		this.current.end();
		this.current = new SandboxSession();
	}

	/** Aborts everything in progress; nothing can be delivered afterwards. */
	async end(): Promise<void> {
		this.current.end();
		await this.sender.close();
	}
}
