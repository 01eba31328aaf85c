import { execFileSync } from 'node:child_process';

export interface Git {
	/** Files that are not committed. */
	changed: string[];
	/** Tags of the commit that is checked out. */
	tagsHere: string[];
	/** All tags. */
	tags: string[];
	/** Where it is pushed to. */
	origin?: string;
}

export function readGit(folder: string): Git {
	const lines = (...args: string[]) =>
		execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).split('\n').filter(Boolean);
	return {
		changed: lines('status', '--porcelain').map((line) => line.slice(3)),
		tagsHere: lines('tag', '--points-at', 'HEAD'),
		tags: lines('tag'),
		origin: lines('remote').includes('origin')
			? lines('remote', 'get-url', 'origin')[0]
			: undefined,
	};
}

export function createTag(folder: string, tag: string): void {
	execFileSync('git', ['tag', '--annotate', tag, '--message', tag], { cwd: folder });
}
