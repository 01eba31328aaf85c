import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Where packages put PostgreSQL's programs that are not on the PATH: Debian's, and Homebrew's. */
const folders = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'].flatMap((folder) =>
	(existsSync(folder) ? readdirSync(folder) : [])
		.filter((name) => /^(postgresql@)?\d+$/.test(name))
		.map((name) => path.join(folder, name, 'bin')),
);

/** What programs of the system are started with. */
export const systemEnvironment = {
	...process.env,
	PATH: [process.env.PATH, ...folders].join(path.delimiter),
};

/** Programs that are not installed, of those that queue mode needs. */
export const missingPrograms = (): string[] =>
	['redis-server', 'initdb', 'postgres'].filter(
		(program) => spawnSync(program, ['--version'], { env: systemEnvironment }).status !== 0,
	);

/** @throws Error that says what to install, and how */
export function requirePrograms(): void {
	const missing = missingPrograms();
	if (missing.length === 0) return;
	throw new Error(
		[
			`Queue mode needs Redis and PostgreSQL; not found: ${missing.join(', ')}. To install them:`,
			'  Debian, Ubuntu  sudo apt-get install redis-server postgresql',
			'  macOS           brew install redis postgresql@17',
			'Both are started on ports of their own, with data of their own, which is removed at the end.',
		].join('\n'),
	);
}
