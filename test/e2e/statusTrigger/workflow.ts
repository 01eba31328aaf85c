/** A workflow that starts with the status trigger, and the changes that it received. */
import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { outputOf, type FinishedExecution, type HostClient } from '../../../tools/host';
import { until } from '../../../tools/host/until';
import type { Sandbox } from '../../../tools/sandbox';
import { node } from '../../../tools/shared/workflows';

export const triggerName = 'Status';
export const campaignId = 'c-1';

/** Creates the campaign with messages in these statuses, by message id. */
export function setStatuses(sandbox: Sandbox, statuses: Record<string, string>): void {
	const to = '5511912345678';
	const entries = Object.entries(statuses);
	const messages = entries.map(([messageId, status]) => ({ messageId, status, to }));
	sandbox.setCampaign({ channel: 'sms', campaignId, messages });
}

/** An n8n whose clock advances with `tick`. */
export interface TickingHost {
	client: HostClient;
	tick(): void;
}

export class StatusWorkflow {
	private constructor(
		private readonly host: TickingHost,
		readonly id: string,
	) {}

	static async create(
		host: TickingHost,
		account: object,
		parameters: INodeParameters = {},
	): Promise<StatusWorkflow> {
		const { client } = host;
		const credential = await client.createCredential(account);
		const nodes = [
			node(
				triggerName,
				'n8n-nodes-messaging-gateway.messagingGatewayStatusTrigger',
				{
					event: 'messageStatusChanged',
					channel: 'sms',
					campaignIds: campaignId,
					pollTimes: { item: [{ mode: 'everyMinute' }] },
					...parameters,
				},
				{ credentials: { messagingGatewayApi: credential } },
			),
			node('End', 'n8n-nodes-base.noOp', {}),
			node('Error', 'n8n-nodes-base.errorTrigger', {}),
		];
		const id = await client.createWorkflow({
			name: `Status ${randomUUID()}`,
			nodes: nodes.map((each, at) => ({ ...each, id: randomUUID(), position: [at * 220, 0] })),
			connections: { [triggerName]: { main: [[{ node: 'End', type: 'main', index: 0 }]] } },
			settings: {},
		});
		return new StatusWorkflow(host, id);
	}

	async publish(): Promise<void> {
		const { status, triggers } = await this.host.client.activate(this.id);
		expect({ status, triggers }).toMatchObject({ status: 'published' });
	}

	async unpublish(): Promise<void> {
		await this.host.client.deactivate(this.id);
	}

	/** Its executions in this mode, oldest first. */
	async executions(mode = 'trigger'): Promise<FinishedExecution[]> {
		const { client } = this.host;
		const all = (await client.executions(this.id)).filter((each) => each.mode === mode);
		return await Promise.all(all.reverse().map(async ({ id }) => client.waitForExecution(id)));
	}

	/** The changes that it received, e.g. `a queued → sent`. */
	async told(): Promise<string[]> {
		return (await this.executions()).flatMap((execution) =>
			outputOf(execution, triggerName).map(
				({ json }) => `${json.messageId} ${json.previousStatus} → ${json.status}`,
			),
		);
	}

	/** Waits until it has received this number of changes. */
	async isTold(count: number): Promise<void> {
		await ticking(this.host, `${count} changes are reported`, async () => {
			return (await this.told()).length >= count;
		});
	}
}

/** Advances n8n's clock until a condition holds. */
export async function ticking(
	host: TickingHost,
	what: string,
	holds: () => boolean | Promise<boolean>,
	limit?: number,
): Promise<void> {
	const holdsAfterATick = async () => {
		if (await holds()) return true;
		host.tick();
		return false;
	};
	await until(what, holdsAfterATick, { interval: 500, limit });
}

/** Advances n8n's clock until the service has received this number of further requests. */
export async function polls(host: TickingHost, sandbox: Sandbox, count: number): Promise<void> {
	const before = sandbox.requests().length;
	await ticking(host, 'the trigger has polled', () => sandbox.requests().length >= before + count);
}
