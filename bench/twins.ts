import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

const source = path.join(__dirname, 'nodes');
const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };

/** Builds the nodes of bench/nodes; n8n loads a folder in N8N_CUSTOM_EXTENSIONS as `CUSTOM.<name>`. */
export function buildTwins(folder: string): void {
	mkdirSync(folder, { recursive: true });
	for (const file of readdirSync(source)) {
		const { outputText } = transpileModule(readFileSync(path.join(source, file), 'utf8'), {
			compilerOptions,
		});
		writeFileSync(path.join(folder, file.replace(/\.ts$/, '.js')), outputText);
	}
}

/** Of an n8n that has them, and whose memory is looked at. */
export const nodesEnvironment = (folder: string): Record<string, string> => ({
	N8N_CUSTOM_EXTENSIONS: folder,
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	NODE_OPTIONS: '--inspect-port=0', // for inspector.ts: any free one
});
