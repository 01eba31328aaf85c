import { Agent, request } from 'undici';
import type {
	AcceptedFilter,
	AcceptedMessage,
	ApiKeySetting,
	CampaignSetting,
	FaultRule,
	RecordedRequest,
	RequestFilter,
	SandboxCredential,
	WebhookConfiguration,
} from './types';

/** The controls of a sandbox in another process; `controls.ts` describes them. */
export class SandboxClient {
	private readonly agent = new Agent({ connect: { rejectUnauthorized: false } });

	/** @param url the sandbox's base URL */
	constructor(private readonly url: string) {}

	credential(): Promise<SandboxCredential> {
		return this.call('GET', '/credential');
	}

	requests(filter: RequestFilter = {}): Promise<RecordedRequest[]> {
		return this.call('GET', `/requests?${queryOf(filter)}`);
	}

	accepted(filter: AcceptedFilter = {}): Promise<AcceptedMessage[]> {
		return this.call('GET', `/accepted?${queryOf(filter)}`);
	}

	async timesAccepted(match: AcceptedFilter): Promise<number> {
		const path = `/accepted/count?${queryOf(match)}`;
		return (await this.call<{ count: number }>('GET', path)).count;
	}

	fault(rule: FaultRule): Promise<void> {
		return this.call('POST', '/faults', rule);
	}

	webhook(): Promise<WebhookConfiguration> {
		return this.call('GET', '/webhook');
	}

	setCampaign(campaign: CampaignSetting): Promise<void> {
		return this.call('PUT', '/campaigns', campaign);
	}

	setApiKeys(keys: ApiKeySetting[]): Promise<ApiKeySetting[]> {
		return this.call('PUT', '/api-keys', keys);
	}

	advance(): Promise<void> {
		return this.call('POST', '/advance');
	}

	reset(): Promise<void> {
		return this.call('POST', '/reset');
	}

	/** Closes the client's connections, not the sandbox. */
	close(): Promise<void> {
		return this.agent.close();
	}

	private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await request(`${this.url}/_sandbox${path}`, {
			method: method as 'GET',
			headers: body === undefined ? {} : { 'content-type': 'application/json' },
			body: body === undefined ? null : JSON.stringify(body),
			dispatcher: this.agent,
		});
		const text = await response.body.text();
		if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${text}`);
		return (text === '' ? undefined : JSON.parse(text)) as T;
	}
}

/** Lists become repeated parameters. */
function queryOf(filter: RequestFilter | AcceptedFilter): URLSearchParams {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(filter))
		for (const each of [value].flat()) if (each !== undefined) query.append(name, String(each));
	return query;
}
