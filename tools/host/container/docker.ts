import { spawnSync, type SpawnSyncReturns } from 'node:child_process';

export const docker = (...args: string[]): SpawnSyncReturns<string> =>
	spawnSync('docker', args, { encoding: 'utf8' });

/** Says what is missing and where to get it; empty if Docker works. */
export function missingDocker(): string {
	const { error, status, stderr } = docker('version');
	if (error) return 'Docker (https://docs.docker.com/engine/install)';
	if (status === 0) return '';
	return `a running Docker that this user may use (https://docs.docker.com/engine/daemon/start): ${stderr.trim()}`;
}
