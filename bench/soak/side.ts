import { randomUUID } from 'node:crypto';
import { startHost, type Host, type WorkflowJson } from '../../host';
import { chain, node, startedByPost } from '../../testing/workflows';
import { audioNodes } from '../audioWays';
import type { BenchCredential, Setup } from '../bench';
import { startSandboxProcess, type SandboxProcess } from '../sandboxProcess';
import { smsWorkflow } from '../sms';
import { nodesEnvironment } from '../twins';
import { smsNode } from '../ways';

/** Whose nodes do the work. */
export type Nodes = 'this package' | 'built-in nodes';

/** An n8n of its own, with workflows that do the same by different nodes. */
export interface Side {
	readonly nodes: Nodes;
	readonly host: Host;
	readonly sandbox: SandboxProcess;
	/** Where to post what starts each workflow. */
	readonly urls: Record<'delivery' | 'list' | 'audio', string>;
	stop(): Promise<void>;
}

const LIST = 20; // SMS
const FILE_SIZE = 500_000; // bytes

export async function startSide(nodes: Nodes, setup: Setup, twins: string): Promise<Side> {
	const sandbox = await startSandboxProcess();
	try {
		const env = nodesEnvironment(twins);
		const host = await startHost({ tarball: setup.tarball, env });
		const stop = async () => {
			await host.stop();
			await sandbox.stop();
		};
		try {
			return { nodes, host, sandbox, urls: await publishAll(nodes, host, sandbox), stop };
		} catch (error) {
			await host.stop();
			throw error;
		}
	} catch (error) {
		await sandbox.stop();
		throw error;
	}
}

async function publishAll(
	nodes: Nodes,
	host: Host,
	{ client, credential: access }: SandboxProcess,
): Promise<Side['urls']> {
	const reference = await host.client.createCredential(access);
	const credential = { ...reference, baseUrl: access.baseUrl };
	const isOurs = nodes === 'this package';
	const sms = goesOn(smsNode(isOurs ? 'package' : 'httpRequest', credential));
	const audio = audioNodes(isOurs ? nodes : 'Extract from File + HTTP Request', credential);
	const file = node('Items', 'CUSTOM.benchItems', { count: 1, fileSize: FILE_SIZE });

	const onPost = (path: string, workflow: WorkflowJson) =>
		startedByPost(path, 'onReceived', workflow);
	const workflows = {
		list: onPost('list', smsWorkflow(LIST, sms)),
		audio: onPost('audio', chain('Audio', file, ...audio.map(goesOn))),
		delivery: isOurs
			? withTrigger(smsWorkflow(1, sms), credential)
			: onPost('delivery', smsWorkflow(1, sms)),
	};
	for (const workflow of Object.values(workflows)) {
		const { status } = await host.client.activate(await host.client.createWorkflow(workflow));
		if (status !== 'published') throw new Error(`The workflow could not be published: ${status}`);
	}
	const webhook = (path: string) => `${host.url}/webhook/${path}`;
	const { url } = await client.webhook();
	return {
		list: webhook('list'),
		audio: webhook('audio'),
		delivery: isOurs ? (url ?? '') : webhook('delivery'),
	};
}

/** What fails comes out as an item: the workflow goes on. */
const goesOn = <T extends object>(each: T) => ({
	...each,
	onError: 'continueRegularOutput' as const,
});

/** The workflow, started by this package's trigger. */
function withTrigger(workflow: WorkflowJson, credential: BenchCredential): WorkflowJson {
	const trigger = node(
		'Trigger',
		'n8n-nodes-messaging-gateway.messagingGatewayTrigger',
		{},
		{ webhookId: randomUUID(), credentials: { messagingGatewayApi: credential } },
	);
	workflow.nodes.push({ ...trigger, id: randomUUID(), position: [0, 200] });
	workflow.connections.Trigger = workflow.connections.Start!;
	return workflow;
}
