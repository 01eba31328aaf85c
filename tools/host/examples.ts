import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import type { CredentialReference, HostClient, WorkflowJson } from './client';
import { packageFolder } from './paths';

const SUB_WORKFLOW_TRIGGER = 'n8n-nodes-base.executeWorkflowTrigger';
const folder = path.join(packageFolder, 'examples');

/** By n8n's name of their type. */
export type Credentials = Record<string, CredentialReference>;

/**
 * Imports workflows in examples/ (default: all) and selects the given credentials in their nodes.
 *
 * @returns ids by name
 */
export async function importExamples(
	client: HostClient,
	credentials: Credentials,
	files = exampleFiles(),
): Promise<Map<string, string>> {
	const nodeTypes = await client.nodeTypes();
	const ids = new Map<string, string>();
	for (const file of files) {
		const workflow = withCredentials(readExample(file), nodeTypes, credentials);
		ids.set(workflow.name, await client.createWorkflow(workflow));
	}
	return ids;
}

/**
 * A workflow in examples/, with the credentials selected, ready to be created.
 *
 * @param file without .json
 */
export const prepareExample = async (
	client: HostClient,
	file: string,
	credentials: Credentials,
): Promise<WorkflowJson> =>
	withCredentials(readExample(file), await client.nodeTypes(), credentials);

/**
 * Publishes the sub-workflows among the examples: n8n calls published ones only.
 *
 * @returns their names
 * @throws Error when one cannot be published
 */
export async function publishSubWorkflows(
	client: HostClient,
	ids: Map<string, string>,
): Promise<string[]> {
	const names = exampleFiles()
		.map(readExample)
		.filter(({ nodes }) => {
			const triggers = nodes.filter(({ type }) => type.endsWith('Trigger'));
			return triggers.length > 0 && triggers.every(({ type }) => type === SUB_WORKFLOW_TRIGGER);
		})
		.map(({ name }) => name);
	for (const name of names) {
		const { status } = await client.activate(ids.get(name) ?? '');
		if (status !== 'published') throw new Error(`'${name}' could not be published: ${status}`);
	}
	return names;
}

/** Without .json. */
export const exampleFiles = (): string[] =>
	readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.map((file) => path.basename(file, '.json'));

export const readExample = (file: string): WorkflowJson =>
	JSON.parse(readFileSync(path.join(folder, `${file}.json`), 'utf8')) as WorkflowJson;

function withCredentials(
	workflow: WorkflowJson,
	nodeTypes: INodeTypeDescription[],
	credentials: Credentials,
): WorkflowJson {
	const nodes = workflow.nodes.map((node) => {
		const accepted = nodeTypes
			.filter(({ name }) => name === node.type)
			.flatMap((nodeType) => nodeType.credentials ?? [])
			.map(({ name }) => name);
		const selected = Object.entries(credentials).filter(([type]) => accepted.includes(type));
		return selected.length > 0 ? { ...node, credentials: Object.fromEntries(selected) } : node;
	});
	return { ...workflow, nodes };
}
