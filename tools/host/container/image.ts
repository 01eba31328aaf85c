import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ImageInstallation } from '../paths';
import { docker, missingDocker } from './docker';

/** Pulls an image unless it exists. @throws Error that says what to do */
export async function pullImage(
	{ image }: ImageInstallation,
	report: (line: string) => void,
): Promise<void> {
	const missing = missingDocker();
	if (missing) throw new Error(`An n8n from an image needs ${missing}. Or leave out N8N_IMAGE.`);
	if (docker('image', 'inspect', image).status === 0) return;
	report(`Pulling ${image} (once; about 1 GB) …`);
	await promisify(execFile)('docker', ['pull', '--quiet', image]).catch(
		({ stderr }: { stderr: string }) => {
			throw new Error(
				`${image} cannot be pulled. Check its name and tag. Docker says: ${stderr.trim()}`,
			);
		},
	);
	report(`${image} is pulled.`);
}

interface Contents {
	/** The path in the image. */
	n8nBinary: string;
	modules: string[];
}

const known = new Map<string, Contents>();

/** @throws Error when the image has no n8n */
export function contentsOf({ image }: ImageInstallation): Contents {
	const contents = known.get(image) ?? readContents(image);
	known.set(image, contents);
	return contents;
}

const script = `
	const { existsSync, readdirSync, realpathSync } = require('node:fs');
	const path = require('node:path');
	const files = process.env.PATH.split(':').map((folder) => path.join(folder, 'n8n'));
	const n8nBinary = realpathSync(files.find(existsSync));
	const modules = readdirSync(path.join(n8nBinary, '../../dist/modules'));
	console.log(JSON.stringify({ n8nBinary, modules }));
`;

function readContents(image: string): Contents {
	const options = ['--rm', '--network', 'none', '--entrypoint', 'node'];
	const { status, stdout, stderr } = docker('run', ...options, image, '-e', script);
	if (status !== 0) throw new Error(`${image} has no n8n that can be started: ${stderr}`);
	return JSON.parse(stdout) as Contents;
}
