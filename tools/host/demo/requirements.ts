import { spawnSync } from 'node:child_process';
import { isHostInstalled } from '../install';
import type { Installation } from '../paths';

/** @throws Error that says what to install before n8n, and how */
export function requireCompiler(n8n: Installation): void {
	if (process.platform === 'win32') {
		throw new Error(
			"Windows is not supported. Use WSL: 'wsl --install' in PowerShell, then the same commands in its terminal.",
		);
	}
	if ('image' in n8n || isHostInstalled(n8n)) return;
	const programs = ['python3', 'make', 'g++'];
	const missing = programs.filter((program) => spawnSync(program, ['--version']).status !== 0);
	if (missing.length === 0) return;
	throw new Error(
		[
			`Parts of n8n have to be compiled. Not found: ${missing.join(', ')}. To install them:`,
			'  Debian, Ubuntu  sudo apt-get install python3 make g++',
			'  macOS           xcode-select --install',
		].join('\n'),
	);
}
