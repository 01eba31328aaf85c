import type { CredentialReference, HostClient } from '../../../tools/host';
import { tokenOf } from '../../../nodes/account/triggerToken';
import {
	startSandbox,
	type Delivery,
	type RecordedRequest,
	type Sandbox,
} from '../../../tools/sandbox';

/** A webhook that somebody else has registered. Nothing is ever delivered to it. */
export const foreign = { url: 'https://crm.example.com/hooks/messages?key=hush', enabled: true };

/** An account of the service, and what triggers do with its webhook. */
export class Account {
	/** What the webhooks of this account's workflows are called here, by webhook id. */
	private readonly names = new Map<string, string>();
	private reported = 0;

	private constructor(
		readonly sandbox: Sandbox,
		readonly credential: CredentialReference,
		private readonly client: HostClient,
	) {}

	static async open(client: HostClient): Promise<Account> {
		const sandbox = await startSandbox();
		try {
			return new Account(sandbox, await client.createCredential(sandbox.credential), client);
		} catch (error) {
			await sandbox.close();
			throw error;
		}
	}

	/** A credential for it with these rules. */
	async credentialWith(rules: object): Promise<CredentialReference> {
		return await this.client.createCredential({ ...this.sandbox.credential, ...rules });
	}

	/** @param name distinguishes several workflows; empty for the only one */
	introduce(webhookId: string, name: string): void {
		this.names.set(webhookId, name && ` of ${name}`);
	}

	/** The URL that the service delivers to, with the trigger's secret. */
	get url(): string {
		const { url } = this.sandbox.webhook;
		if (!url) throw new Error('No webhook is configured');
		return url;
	}

	get secret(): string {
		return tokenOf(this.url)?.secret ?? '';
	}

	/** @throws Error with the reason when no answer came */
	async deliver(event: unknown, url?: string): Promise<Delivery> {
		const delivery = await this.sandbox.deliver(event, url ? { url } : {});
		if (delivery.status === null) throw new Error(`Not delivered: ${delivery.body}`);
		return delivery;
	}

	/** How often the service was asked since the last call of `calls`. */
	get newCalls(): number {
		return this.sandbox.requests().length - this.reported;
	}

	/**
	 * What the service was asked for since the last call of this method, e.g. `GET, POST on: production`.
	 *
	 * A published trigger checks its registration every three minutes. Such a check reads and then
	 * writes nothing: it is left out, so that the time of day does not matter.
	 *
	 * @param options.onlyReads nothing else is expected than reads: their number does not matter
	 */
	calls({ onlyReads = false } = {}): string {
		const requests = this.sandbox.requests().slice(this.reported);
		this.reported += requests.length;
		const isLook = ({ method, status }: RecordedRequest, index: number) =>
			method === 'GET' && status === 200 && requests[index + 1]?.method !== 'POST';
		const calls = requests
			.filter((request, index) => onlyReads || !isLook(request, index))
			.map((request) => this.describeRequest(request));
		return (onlyReads ? [...new Set(calls)].join(', ') : summarise(calls)) || '–';
	}

	/** The webhook that the service has now, e.g. `production`; `none` where there never was one. */
	left(): string {
		const { url, enabled } = this.sandbox.webhook;
		if (url === null) return 'none';
		return this.describeUrl(url, enabled) + (enabled ? '' : ', off');
	}

	async close(): Promise<void> {
		await this.sandbox.close();
	}

	private describeRequest({ method, body, status, valid }: RecordedRequest): string {
		const { enable = false, url } = (body ?? {}) as { enable?: boolean; url?: string };
		const call = url
			? `${method} ${enable ? 'on' : 'off'}: ${this.describeUrl(url, enable)}`
			: method;
		const outcome = status === null ? ' → no answer' : ` → ${status}`;
		return call + (status === 200 ? '' : outcome) + (valid ? '' : ' (not valid)');
	}

	/** No addresses, which differ from run to run. A secret that is missing, or left behind, shows. */
	private describeUrl(text: string, enabled: boolean | null): string {
		const { host, hostname, pathname } = new URL(text);
		const [, kind = '', webhookId = ''] = pathname.split('/');
		const name = this.names.get(webhookId);
		if (name === undefined) return hostname === '127.0.0.1' ? 'the CRM' : host; // at any port
		const hasSecret = tokenOf(text) !== undefined;
		const oddity = hasSecret === enabled ? '' : hasSecret ? ' with a secret' : ' without a secret';
		return (kind === 'webhook-test' ? 'test' : 'production') + name + oddity;
	}
}

/** `a, b, b, b` → `a, 3 × b`. */
function summarise(calls: string[]): string {
	const runs: Array<{ call: string; times: number }> = [];
	for (const call of calls) {
		const last = runs.at(-1);
		if (last?.call === call) last.times++;
		else runs.push({ call, times: 1 });
	}
	return runs.map(({ call, times }) => (times > 1 ? `${times} × ${call}` : call)).join(', ');
}
