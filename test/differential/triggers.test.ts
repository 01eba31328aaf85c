/** Both triggers: what they request, store, start and log. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { SEEDS, type Fault } from '../../tools/sandbox';
import { fetchTestEvent, startPolling, startWebhook, type Polling } from '../engine/harness';
import { foreign, TriggerWorkflow, useSandbox } from '../engine/trigger/support';
import { asParameters, deliveryCases, post } from '../fuzz/support/deliveryCases';
import { compare, errorOf, type Copy } from './worlds';

const sandbox = useSandbox();

const requestsOf = () =>
	sandbox()
		.requests()
		.map(({ method, path, query, headers, body, status }) => {
			return { method, path, query, headers, body, status };
		});

const copy = fc.constantFrom<Copy>(0, 1);
const faults = fc.constantFrom<Fault>(
	...[
		{ status: 500 },
		{ status: 401 },
		{ reset: 'beforeAccept' as const },
		{ html: true as const },
	],
	...[{ tooMany: true as const, retryAfter: 1 }, { truncate: true as const }],
	{ refuse: 'Não.' },
);
const fault = fc.option(faults, { freq: 4, nil: undefined });

/** Two workflows with one webhook; each step runs in one of two processes. */
compare(
	'the webhook and its deliveries',
	fc.record({
		before: fc.constantFrom(null, null, foreign),
		enabled: fc.boolean(),
		conflict: fc.constantFrom('refuse' as const, 'takeOver' as const, 'takeOver' as const),
		first: copy,
		steps: fc.array(
			fc.record({
				action: fc.constantFrom(
					...(['deliver', 'deliver', 'deliver', 'restart', 'watch', 'listen'] as const),
					...(['deliverTest', 'endTest', 'publish', 'unpublish', 'foreign', 'off'] as const),
				),
				workflow: fc.constantFrom(0, 0, 0, 1),
				copy,
				delivery: deliveryCases,
				fault,
			}),
			{ minLength: 1, maxLength: 5 },
		),
	}),
	async ({ before, enabled, conflict, first, steps }, { use, number }) => {
		sandbox().reset();
		sandbox().webhook = { url: before, enabled: before !== null && enabled };
		const workflows = [0, 1].map(
			(index) => new TriggerWorkflow(sandbox(), `workflow-${number}-${index}`, { conflict }),
		);
		const states: unknown[] = [];
		const take = async (taken: Copy, action: string, then: () => Promise<unknown>) => {
			use(taken);
			const came = await then().catch((error: Error) => ({ error: errorOf(error) }));
			const staticData = workflows.map((workflow) => structuredClone(workflow.staticData));
			states.push({ action, came, webhook: { ...sandbox().webhook }, staticData });
		};
		await take(first, 'publish', async () => await workflows[0]!.publish());
		for (const { action, workflow: index, copy: taken, delivery, fault: hit } of steps) {
			const workflow = workflows[index]!;
			sandbox().clearFaults();
			if (hit) sandbox().fault({ times: 1, fault: hit });
			await take(taken, action, async () => {
				if (action === 'foreign') sandbox().webhook = { url: `${foreign}2`, enabled: true };
				else if (action === 'off') sandbox().webhook.enabled = false;
				else if (action === 'watch') {
					const trigger = await workflow.watch();
					await trigger.tick();
					await trigger.close();
					const { failedExecutions, emittedErrors } = trigger;
					return { failures: [...failedExecutions, ...emittedErrors].map(errorOf) };
				} else if (action === 'deliver' || action === 'deliverTest') {
					workflow.options.options = asParameters(delivery.options);
					return await deliver(workflow, action === 'deliverTest', delivery.request);
				} else return await workflow[action]();
			});
		}
		return { requests: requestsOf(), states };
	},
	{ share: 0.09, worldCount: 4 },
);

async function deliver(
	workflow: TriggerWorkflow,
	isTest: boolean,
	request: Parameters<typeof post>[1],
) {
	const secret = /mgt=v1\.\w+\.([\w-]{43})/.exec(sandbox().webhook.url ?? '')?.[1] ?? 'none';
	const server = await startWebhook(workflow.prepare(isTest));
	try {
		const answer = await post(server.url, request, secret);
		const [delivery] = await server.deliveries();
		return { answer: answer === 'closed' ? answer : answer.status, ...delivery };
	} finally {
		await server.close();
	}
}

const { sms, chatApp } = SEEDS.campaigns;

/** What happens to an account between two polls, and what n8n does. */
const steps = fc.array(
	fc.record({
		copy,
		action: fc.constantFrom(
			...(['poll', 'poll', 'poll', 'poll', 'restart', 'test', 'advance', 'send', 'send'] as const),
			...(['disconnect', 'connect', 'revoke', 'newKey', 'delete', 'change'] as const),
		),
		fault,
	}),
	{ minLength: 2, maxLength: 9 },
);

compare(
	'polls',
	fc.record({
		event: fc.constantFrom(
			...['messageStatusChanged', 'campaignFinished', 'connectionChanged', 'apiKeyChanged'],
		),
		channel: fc.constantFrom('sms', 'sms', 'chatApp'),
		campaignIds: fc.constantFrom(
			...['', sms.running, `${sms.finished}\n${sms.running}`, 'x', '={{ [1, null] }}'],
			...[`={{ ['${chatApp.finished}', '${sms.running}'] }}`, '={{ $json.nothing }}'],
		),
		statuses: fc.constantFrom(undefined, '', 'sent', 'delivered, error', '={{ ["queued"] }}'),
		simplify: fc.boolean(),
		budgetMs: fc.constantFrom(undefined, undefined, 60_000),
		first: copy,
		steps,
	}),
	async ({ statuses, budgetMs, first, steps: taken, ...parameters }, { use, number }) => {
		sandbox().reset();
		const staticData: IDataObject = {};
		const options = {
			node: 'messagingGatewayStatusTrigger',
			workflowId: `workflow-${number}`,
			parameters: { ...parameters, options: statuses === undefined ? {} : { statuses } },
			credential: sandbox().credential as never,
			staticData,
		};
		let polling: Polling | undefined;
		const publish = async (activationMode: 'activate' | 'init') => {
			polling = await startPolling({ ...options, activationMode, budgetMs });
		};
		const states: unknown[] = [];
		for (const { copy: of, action, fault: hit } of [
			{ copy: first, action: 'publish' as const, fault: undefined },
			...taken,
		]) {
			use(of);
			if (hit) sandbox().fault({ times: 1, fault: hit });
			const changes = {
				publish: async () => await publish('activate'),
				restart: async () => await publish('init'),
				poll: async () => await polling?.tick(),
				test: async () => await fetchTestEvent(options),
				advance: async () => await sandbox().advance(),
				send: async () => await send(),
				disconnect: async () => (sandbox().instance.connected = false),
				connect: async () => (sandbox().instance.connected = true),
				revoke: async () => (sandbox().apiKeys[3]!.status = 'revoked'),
				newKey: async () => (sandbox().apiKeys = sandbox().apiKeys.slice(1)),
				delete: async () => sandbox().removeCampaign('sms', sms.finished),
				change: async () =>
					sandbox().setCampaign({
						channel: 'sms',
						campaignId: sms.scheduled,
						messages: [{ messageId: 'm', to: '5511900000001', status: 'read' }],
					}),
			};
			const came = await changes[action]().catch((error: Error) => ({ error: errorOf(error) }));
			states.push({
				action,
				came: action === 'test' ? came : came && 'error' in (came as object) ? came : undefined,
				executions: polling?.executions.splice(0),
				failures: polling?.failedExecutions.splice(0).map(errorOf),
				staticData: structuredClone(staticData),
			});
		}
		return { requests: requestsOf(), states };
	},
	{ share: 0.08, worldCount: 4 },
);

/** Sends through the service itself. */
async function send(): Promise<undefined> {
	const { url, credential } = sandbox();
	await fetch(`${url}/v1/sms/enviar`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-api-key': credential.apiKey },
		body: JSON.stringify({ to: '5511912345678', msg: 'Olá', tiposms: '1' }),
	});
}
