import { spawnSync } from 'node:child_process';
import { bringsNode } from '../paths';

const N8N_NODE = 24; // that n8n's package.json asks for

/** @throws Error that says what to use instead */
export function requirePlatform(): void {
	if (process.platform === 'win32') {
		throw new Error(
			"Windows is not supported. Use WSL: 'wsl --install' in PowerShell, then the same commands in its terminal.",
		);
	}
	if (!bringsNode && Number.parseInt(process.versions.node) < N8N_NODE) {
		throw new Error(
			`n8n needs Node.js ${N8N_NODE} or newer, and this is ${process.versions.node}: https://nodejs.org`,
		);
	}
}

/** Says what to install if n8n could not be: some parts of it may have to be compiled. */
export function adviceOnCompilers(): string {
	const programs = ['python3', 'make', 'g++'];
	const missing = programs.filter((program) => spawnSync(program, ['--version']).status !== 0);
	if (missing.length === 0) return '';
	return [
		`\nParts of n8n had to be compiled. Not found: ${missing.join(', ')}. To install them:`,
		'  Debian, Ubuntu  sudo apt-get install python3 make g++',
		'  macOS           xcode-select --install',
		'On Linux with Docker, nothing has to be compiled:',
		'  N8N_IMAGE=docker.n8n.io/n8nio/n8n:2.41.1 npm start',
	].join('\n');
}
