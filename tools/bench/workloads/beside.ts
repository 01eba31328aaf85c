import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { INode } from 'n8n-workflow';
import { MessagingGatewayApi } from '../../../credentials/MessagingGatewayApi.credentials';
import {
	freePort,
	outputOf,
	startHost,
	type CredentialReference,
	type Host,
	type HostOptions,
	type WorkflowJson,
} from '../../host';
import { until } from '../../host/until';
import { startSandbox, type Sandbox } from '../../sandbox';
import { onceBy } from '../../shared/deduplication';
import { chain, items, node } from '../../shared/workflows';
import { measuredNode, smsNode } from '../ways';
import type { Workload } from '../workload';

const comparedWays = ['httpRequest', 'twilio', 'package'] as const;
type ComparedWay = (typeof comparedWays)[number];

const comparedTitles: Record<ComparedWay, string> = {
	httpRequest: 'HTTP Request',
	twilio: "Twilio's node",
	package: 'this package',
};

const types: Record<ComparedWay, string> = {
	httpRequest: 'n8n-nodes-base.httpRequest',
	twilio: 'n8n-nodes-base.twilio',
	package: 'n8n-nodes-messaging-gateway.messagingGateway',
};

const LIMITED = 60;

export const beside: Workload = {
	name: 'beside',
	title: "Beside HTTP Request and Twilio's node",
	text: "The same list of SMS, sent by n8n's HTTP Request node with the same credential, by n8n's own Twilio node, and by this package, each as it comes. All reach the same sandbox; what the Twilio node sends is passed on to it. *Not sent*: *On Error* is *Continue*. *Sent twice*: n8n is killed (SIGKILL) when half of the list was accepted, started again, and *Retry* is pressed, with *Save execution progress* on, so that n8n can retry. The messages of this package have a *Deduplication* key; those under way at the kill end as *may have been sent* and are named. *Fields* are those of node and credential.",
	measure: async ({ tarball, folder, quick }) => {
		const place = await Place.open(tarball, await mkdtemp(path.join(folder, 'beside-')));
		try {
			const killed = quick ? 20 : 300;
			const of: Record<ComparedWay, string[]> = { httpRequest: [], twilio: [], package: [] };
			for (const way of comparedWays) {
				of[way].push(String(await place.notSent(way)));
				of[way].push(...(await place.afterKill(way, killed)).map(String));
				of[way].push(...(await place.fields(way)));
				console.log(comparedTitles[way], ...of[way]);
			}
			const what = [
				`of ${LIMITED}, not sent to a service that takes 5 a second`,
				`of ${killed}, sent twice after a kill and Retry`,
				`of ${killed}, left for a person to check after that`,
				'field for a list of people who want no messages',
				'field for a dry run',
			];
			return {
				columns: ['', ...comparedWays.map((way) => comparedTitles[way])],
				rows: what.map((row, index) => [row, ...comparedWays.map((way) => of[way][index]!)]),
				targets: what
					.slice(0, 2)
					.map((row, index) => ({ what: row, limit: 0, measured: Number(of.package[index]) })),
			};
		} finally {
			await place.close();
		}
	},
};

/** An n8n with two credentials, for a service that answers as itself and as Twilio. */
class Place {
	private constructor(
		private readonly options: HostOptions,
		private host: Host,
		private readonly sandbox: Sandbox,
		private readonly twilio: Server,
		private readonly credentials: Record<'messagingGatewayApi' | 'twilioApi', CredentialReference>,
	) {}

	static async open(tarball: string, userFolder: string): Promise<Place> {
		const sandbox = await startSandbox();
		const twilio = await answerAsTwilio(sandbox);
		const { port } = twilio.address() as AddressInfo;
		const options = {
			tarball,
			userFolder,
			port: await freePort(),
			env: {
				NODE_OPTIONS: `--require=${path.join(__dirname, '../twilioHere.cjs')}`,
				TWILIO_HERE: `http://127.0.0.1:${port}`,
			},
		};
		const host = await startHost(options);
		const { client } = host;
		const account = { authType: 'authToken', accountSid: 'AC1', authToken: 'token' };
		const credentials = {
			messagingGatewayApi: await client.createCredential({
				...sandbox.credential,
				timeout: 3_600_000, // none while the service keeps half of a list waiting
			}),
			twilioApi: await client.createCredential(account, 'twilioApi'),
		};
		return new Place(options, host, sandbox, twilio, credentials);
	}

	async close(): Promise<void> {
		await this.host.stop();
		this.twilio.close();
		await this.sandbox.close();
		await rm(this.options.userFolder!, { recursive: true, force: true });
	}

	async notSent(way: ComparedWay): Promise<number> {
		this.sandbox.reset();
		this.sandbox.fault({ operation: 'sendSms', perSecond: 5, fault: { tooMany: true } });
		const workflow = this.workflow(way, LIMITED, { onError: 'continueRegularOutput' });
		const execution = await this.host.client.execute(workflow);
		if (outputOf(execution, measuredNode).length !== LIMITED)
			throw new Error(`${way}: not all came out`);
		return LIMITED - this.sandbox.accepted().length;
	}

	/** @returns how many were sent twice, and how many not at all */
	async afterKill(way: ComparedWay, count: number): Promise<number[]> {
		const { sandbox } = this;
		const half = count / 2;
		sandbox.reset();
		sandbox.fault({ operation: 'sendSms', skip: half, fault: { delayMs: 3_600_000 } });
		const workflow = this.workflow(way, count);
		workflow.settings!.saveExecutionProgress = true; // without it, n8n cannot retry what was killed
		const id = await this.host.client.run(await this.host.client.createWorkflow(workflow));
		await until('half of them are sent', () => sandbox.requests().length > half);
		await this.host.kill();
		sandbox.hangUp();
		sandbox.clearFaults();
		this.host = await startHost(this.options);
		await this.host.client.waitForExecution(id);
		const retried = await this.host.client.retry(id);
		const { error, data } = await this.host.client.waitForExecution(retried);
		const counts = new Map<string, number>();
		for (const { to } of sandbox.accepted()) counts.set(to, (counts.get(to) ?? 0) + 1);
		const twice = [...counts.values()].filter((times) => times > 1).length;
		const doubtful = JSON.stringify([error, data]).includes('may have been sent');
		if (counts.size < count && !doubtful)
			throw new Error(`${comparedTitles[way]}: lost in silence`);
		return [twice, count - counts.size];
	}

	/** The label of the first one about each. */
	async fields(way: ComparedWay): Promise<string[]> {
		const all = await this.host.client.nodeTypes();
		const fields = all.filter(({ name }) => name === types[way]).flatMap((type) => type.properties);
		if (way === 'package') fields.push(...new MessagingGatewayApi().properties);
		if (fields.length === 0) throw new Error(`${way}: no fields`);
		const labels = labelsOf(fields);
		return [/opt.?out|unsubscri|do.?not.?contact|block.?list/i, /dry.?run|simulat|preview/i].map(
			(what) => labels.find((label) => what.test(label)) ?? 'none',
		);
	}

	private workflow(way: ComparedWay, count: number, more: Partial<INode> = {}): WorkflowJson {
		const rows = Array.from({ length: count }, (_, i) => ({
			phone: `55119${10_000_001 + i}`,
			name: `Customer ${i}`,
			order: String(i),
		}));
		return chain('Beside', ...items(...rows), { ...this.send(way), ...more });
	}

	private send(way: ComparedWay) {
		const { messagingGatewayApi, twilioApi } = this.credentials;
		if (way === 'twilio') {
			const parameters = {
				from: '+5511900000000',
				to: '={{ $json.phone }}',
				message: '=Hello {{ $json.name }}, your order {{ $json.order }} is on its way.',
			};
			return node(measuredNode, types.twilio, parameters, { credentials: { twilioApi } });
		}
		const account = { ...messagingGatewayApi, baseUrl: this.sandbox.url };
		return smsNode(way, account, way === 'package' ? onceBy('={{ $json.order }}') : {});
	}
}

/** A message to Twilio's API goes to the service, and its answer back. */
async function answerAsTwilio({ url, credential }: Sandbox): Promise<Server> {
	const server = createServer(async (request, response) => {
		const form = new URLSearchParams((await buffer(request)).toString());
		const body = { to: form.get('To')?.replace('+', ''), msg: form.get('Body'), tiposms: '1' };
		const answer = await fetch(`${url}/v1/sms/enviar`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-api-key': credential.apiKey },
			body: JSON.stringify(body),
		}).catch(() => undefined);
		if (!answer) return response.destroy();
		const told = answer.ok ? { sid: 'SM1', status: 'queued' } : { message: await answer.text() };
		response.writeHead(answer.status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(told));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return server;
}

interface Labelled {
	displayName?: string;
	options?: unknown[];
	values?: unknown[];
}

/** Returns the labels of fields, at any depth. */
const labelsOf = (fields: unknown[]): string[] =>
	(fields as Labelled[]).flatMap(({ displayName, options = [], values = [] }) => [
		...(displayName ? [displayName] : []),
		...labelsOf(options),
		...labelsOf(values),
	]);
