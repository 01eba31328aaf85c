import { readdirSync } from 'node:fs';
import path from 'node:path';
import { context, type BuildContext } from 'esbuild';
import { installedFolder } from '../communityPackage';
import { packageFolder } from '../paths';

/**
 * Compiles changed sources into the package that an n8n has installed. With N8N_DEV_RELOAD, n8n loads
 * it again, and open editors show the new forms. Icons, schemas and bundled libraries are as built.
 */
export async function compileOnChange(userFolder: string): Promise<BuildContext> {
	const files = ['credentials', 'nodes'].flatMap((folder) =>
		readdirSync(path.join(packageFolder, folder), { recursive: true })
			.map((file) => path.join(folder, String(file)))
			.filter((file) => file.endsWith('.ts') && path.basename(file) !== 'bundled.ts'),
	);
	const compiler = await context({
		absWorkingDir: packageFolder,
		entryPoints: files,
		outbase: '.',
		outdir: path.join(installedFolder(userFolder), 'dist'),
		format: 'cjs',
		platform: 'node',
		target: 'node20',
		logLevel: 'info',
	});
	await compiler.watch();
	return compiler;
}
