import { setTimeout as sleep } from 'node:timers/promises';
import { postJson } from '../../../tools/host';

const PAUSE = 200; // ms before a delivery is repeated
const PATIENCE = 20_000; // ms until an answer is given up

/** Notifications to one address, each sent again, under an id of its own, until it is answered. */
export class Deliveries {
	/** The ids that were answered. */
	readonly answered: string[] = [];
	repeated = 0;

	private sent = 0;

	constructor(
		private readonly name: string,
		private readonly url: string,
	) {}

	async send(): Promise<void> {
		for (;;) {
			const messageId = `${this.name} ${++this.sent}`;
			if (await this.isAnswered({ messageId })) {
				this.answered.push(messageId);
				return;
			}
			this.repeated++;
			await sleep(PAUSE);
		}
	}

	private async isAnswered(event: object): Promise<boolean> {
		try {
			const signal = AbortSignal.timeout(PATIENCE);
			const response = await postJson(this.url, event, { signal });
			const body = await response.text();
			// While n8n's database is being prepared, it answers 200 with this to whatever it is asked.
			return response.status === 200 && !body.startsWith('n8n is starting up');
		} catch {
			return false;
		}
	}
}
