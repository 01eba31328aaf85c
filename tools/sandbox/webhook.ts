import { Agent, request } from 'undici';
import { now } from './clock';
import { digitsOf } from './records';
import type { Campaign, Delivery, DeliveryOptions, Message } from './types';

type Reported = Message & Pick<Campaign, 'campaignId' | 'channel'>;

/** Posted when a message moves. The interface shows no event: the shape is the sandbox's. */
export const statusEvent = ({ messageId, campaignId, to, status, channel }: Reported) => ({
	event: 'message.status',
	...{ messageId, campaignId, to: digitsOf(to), status, channel },
	at: new Date().toISOString(),
});

/** Posted when a person answers a message through the chat app; of the sandbox's shape, too. */
export const replyEvent = (from: string, text: string) => ({
	event: 'message.received',
	...{ from: digitsOf(from), text, channel: 'chatApp' },
	at: new Date().toISOString(),
});

const TIMEOUT_MS = 60_000; // generous: the machine may be busy

/** Posts events, ten at a time. Nothing is posted twice. */
export class WebhookSender {
	private readonly agent = new Agent({
		connections: 10,
		pipelining: 0, // the receiver might close a kept connection just when the next event is sent
		headersTimeout: TIMEOUT_MS,
		bodyTimeout: TIMEOUT_MS,
	});

	/** Never rejects; the outcome has the reason. */
	async post(
		url: string,
		event: unknown,
		options: DeliveryOptions,
		signal: AbortSignal,
	): Promise<Delivery> {
		const at = now();
		try {
			const response = await request(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...options.headers },
				body: options.body ?? JSON.stringify(event),
				dispatcher: this.agent,
				signal,
			});
			return { url, event, status: response.statusCode, body: await response.body.text(), at };
		} catch (error) {
			return { url, event, status: null, body: String(error), at };
		}
	}

	close(): Promise<void> {
		return this.agent.destroy();
	}
}
