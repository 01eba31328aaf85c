import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import type { CredentialReference, HostClient, WorkflowJson } from './client';
import { packageFolder } from './paths';

const examplesFolder = path.join(packageFolder, 'examples');

/** The sandbox's people, by the placeholders of the examples: nobody is to text a real number by mistake. */
const numbersByPlaceholder = {
	'+55 11 9XXXX-XXXX': '+55 11 91234-5678',
	'+55 (11) 9XXXX-XXXX': '+55 (11) 91234-5678',
	'+55119XXXXXXXX': '+5511912345678',
	'+55 21 9XXXX-XXXX': '+55 21 99876-5432',
	'+55 31 9XXXX-XXXX': '+55 31 98888-7777',
	'+55 31 9XXXX-0000': '+55 31 98888-0000',
	'+55 41 9XXXX-XXXX': '+55 41 97777-6666',
	'+55 41 9XXXX-XXX': '+55 41 97777-666',
	'+55 11 3XXX-XXXX': '+55 11 3333-4444',
	'+55 51 9XXXX-XXXX': '+55 51 99123-4567',
	'+55 92 9XXXX-XXXX': '+55 92 99876-5432',
	'+351 9XX XXX XXX': '+351 912 345 678',
	'+598 9X XXX XXX': '+598 94 231 234',
	'55319XXXXXXXX': '5531988887777',
	'0055 21 9XXXX.XXXX': '0055 21 99876.5432',
	'+1 202 XXX XXXX': '+1 202 555 0143',
};

/** The workflow with numbers that can be sent to. */
export const withNumbers = (workflow: WorkflowJson): WorkflowJson =>
	JSON.parse(
		Object.entries(numbersByPlaceholder).reduce(
			(json, [placeholder, number]) => json.replaceAll(placeholder, number),
			JSON.stringify(workflow),
		),
	) as WorkflowJson;

/** Credentials by n8n's name of their type. */
export type Credentials = Record<string, CredentialReference>;

/**
 * Imports workflows in examples/ (default: all) with numbers of the sandbox's people, and selects the
 * given credentials in their nodes.
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

/** A workflow in examples/, with numbers and credentials, ready to be created. @param file without .json */
export const prepareExample = async (
	client: HostClient,
	file: string,
	credentials: Credentials,
): Promise<WorkflowJson> =>
	withCredentials(readExample(file), await client.nodeTypes(), credentials);

/** Returns the names of the examples, without .json. */
export const exampleFiles = (): string[] =>
	readdirSync(examplesFolder)
		.filter((file) => file.endsWith('.json'))
		.map((file) => path.basename(file, '.json'));

export const readExample = (file: string): WorkflowJson =>
	JSON.parse(readFileSync(path.join(examplesFolder, `${file}.json`), 'utf8')) as WorkflowJson;

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
	return withNumbers({ ...workflow, nodes });
}
