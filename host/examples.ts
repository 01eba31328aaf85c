import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { CredentialReference, WorkflowJson } from './client';
import { packageFolder } from './paths';

const NODE_TYPE = /^n8n-nodes-messaging-gateway\./;
const folder = path.join(packageFolder, 'examples');

/** The workflows in examples/, as a person would import them. */
export function readExamples(): WorkflowJson[] {
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as WorkflowJson);
}

/** The same workflow with a credential selected in each of this package's nodes. */
export function withCredential(
	workflow: WorkflowJson,
	credential: CredentialReference,
): WorkflowJson {
	const nodes = workflow.nodes.map((node) =>
		NODE_TYPE.test(node.type)
			? { ...node, credentials: { messagingGatewayApi: credential } }
			: node,
	);
	return { ...workflow, nodes };
}
