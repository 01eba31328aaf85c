import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
	NodeHelpers,
	type ICredentialType,
	type INodeType,
	type INodeTypes,
	type IVersionedNodeType,
} from 'n8n-workflow';

const PACKAGE = 'n8n-nodes-messaging-gateway';
const ROOT = join(__dirname, '../../..');

const nodes = new Map<string, INodeType | IVersionedNodeType>();
const credentials = new Map<string, ICredentialType>();

/** The full type name, as in workflow JSON. */
export const fullName = (node: string) => `${PACKAGE}.${node}`;

/** Adds node and credential types to those of this package. */
export function register(...types: Array<INodeType | ICredentialType>) {
	for (const type of types) {
		if ('description' in type) nodes.set(fullName(type.description.name), type);
		else credentials.set(type.name, type);
	}
}

/** Loads every `nodes/**.node.ts` and `credentials/**.credentials.ts`, as n8n loads the package. */
export async function loadPackage() {
	for (const [folder, suffix] of [
		['nodes', '.node.ts'],
		['credentials', '.credentials.ts'],
	] as const) {
		for (const file of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
			if (!file.endsWith(suffix)) continue;
			const module = (await import(join(ROOT, folder, file))) as Record<
				string,
				new () => INodeType | ICredentialType
			>;
			const Type = module[basename(file, suffix)];
			if (!Type) throw new Error(`${file} exports no class of its name`);
			register(new Type());
		}
	}
}

function nodeType(name: string) {
	const type = nodes.get(name);
	if (!type) throw new Error(`Unknown node type '${name}'`);
	return type;
}

/** n8n's view of the installed nodes. */
export const nodeTypes: INodeTypes = {
	getByName: nodeType,
	getByNameAndVersion: (name, version) => NodeHelpers.getVersionedNodeType(nodeType(name), version),
	getKnownTypes: () => ({}),
};

export function credentialType(name: string) {
	const type = credentials.get(name);
	if (!type) throw new Error(`Unknown credential type '${name}'`);
	return type;
}
