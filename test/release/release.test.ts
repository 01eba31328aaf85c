import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { readGit } from '../../release/git';
import {
	forPeople,
	met,
	metUnless,
	notApplicable,
	onPurpose,
	type Verdict,
} from '../../release/point';
import type { Project } from '../../release/project';
import { release } from '../../release/release';

let folder: string;
const git = (...args: string[]) =>
	execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();

beforeEach(() => {
	folder = mkdtempSync(path.join(os.tmpdir(), 'release-git-'));
	git('init', '--quiet');
	git('config', 'user.name', 'Acme');
	git('config', 'user.email', 'nodes@acme.example');
	git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function run(verdicts: Verdict[], dryRun = false) {
	const lines: string[] = [];
	const project = {
		folder,
		manifest: { name: 'n8n-nodes-any', version: '1.2.3' },
		git: readGit(folder),
	} as Project;
	const points = verdicts.map((verdict, index) => ({
		guideline: `Guideline ${index}`,
		link: `https://example.com/${index}`,
		check: () => verdict,
	}));
	const print = (text: string) => void lines.push(text);
	const canBeReleased = await release(project, [{ title: 'All', points }], { dryRun, print });
	return { canBeReleased, text: lines.join('\n') };
}

const good = [
	met('here'),
	onPurpose('a reason'),
	notApplicable('no such thing'),
	forPeople('look'),
];

test('tags the commit where nothing is missing, and says how to publish it', async () => {
	const { canBeReleased, text } = await run(good);
	expect(canBeReleased).toBe(true);
	expect(git('tag', '--points-at', 'HEAD')).toBe('v1.2.3');
	expect(text).toContain('git push origin v1.2.3');
	expect(text).toContain('4 points: 1 met, 1 not, on purpose, 1 not applicable, 1 for people');
});

test('a commit that is tagged stays so', async () => {
	git('tag', 'v1.2.3');
	expect((await run(good)).canBeReleased).toBe(true);
	expect(git('tag')).toBe('v1.2.3');
});

test('a dry run only looks', async () => {
	const { canBeReleased, text } = await run(good, true);
	expect(canBeReleased).toBe(true);
	expect(git('tag')).toBe('');
	expect(text).not.toContain('git push');
});

test.each([false, true])(
	'what is missing is told, and nothing is tagged (dry run: %s)',
	async (dryRun) => {
		const { canBeReleased, text } = await run(
			[...good, metUnless(['this', 'that'], 'there')],
			dryRun,
		);
		expect(canBeReleased).toBe(false);
		expect(git('tag')).toBe('');
		expect(text).toContain('To do before a release\n\nGuideline 4:\n- this\n- that');
	},
);

test('each point is printed with its verdict, why or where, and its link', async () => {
	const { text } = await run(good);
	for (const part of ['met', 'Guideline 0', 'here', 'https://example.com/0', 'a reason', 'look']) {
		expect(text).toContain(part);
	}
});

test('reads what is not committed, tags and where git pushes to', () => {
	git('tag', 'v1.0.0');
	git('commit', '--quiet', '--allow-empty', '--message', 'Go on');
	git('tag', 'v1.1.0');
	git('remote', 'add', 'origin', 'https://example.com/any.git');
	writeFileSync(path.join(folder, 'new.txt'), '');
	expect(readGit(folder)).toEqual({
		changed: ['new.txt'],
		tagsHere: ['v1.1.0'],
		tags: ['v1.0.0', 'v1.1.0'],
		origin: 'https://example.com/any.git',
	});
});
