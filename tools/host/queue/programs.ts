import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** PostgreSQL's programs that are not on the PATH, from Debian's and Homebrew's packages. */
const programFolders = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'].flatMap(
	(folder) =>
		(existsSync(folder) ? readdirSync(folder) : [])
			.filter((name) => /^(postgresql@)?\d+$/.test(name))
			.map((name) => path.join(folder, name, 'bin')),
);

export const systemEnvironment = {
	...process.env,
	PATH: [process.env.PATH, ...programFolders].join(path.delimiter),
};

/** The programs that queue mode needs and that are not installed. */
export const missingPrograms = (): string[] =>
	['redis-server', 'initdb', 'postgres'].filter(
		(program) => spawnSync(program, ['--version'], { env: systemEnvironment }).status !== 0,
	);
