import { parse } from 'yaml';

import { allInstallations, pinned } from '../../tools/host/paths';
import { read as readFile } from './files';

const read = (name: string) => readFile('.github', name);

interface Workflow {
	permissions: Record<string, string>;
	jobs: Record<string, Job>;
}
interface Job {
	container?: { image: string };
	permissions?: Record<string, string>;
	env?: Record<string, string>;
	strategy?: { matrix: { n8n: string[] } };
	steps?: Array<{ uses?: string; run?: string }>;
}
const names = ['checks', 'nightly', 'publish', 'versions'];
const workflows = names.map(
	(name) => [name, parse(read(`workflows/${name}.yml`)) as Workflow] as const,
);

test.each(workflows)('%s: all actions are pinned to commits, with versions', (name, { jobs }) => {
	const used = Object.values(jobs).flatMap(({ steps = [] }) =>
		steps.flatMap(({ uses }) => uses ?? []),
	);
	expect(used.length).toBeGreaterThan(0);
	for (const action of used) {
		expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
		expect(read(`workflows/${name}.yml`)).toMatch(new RegExp(`${action} # v\\d+\\.\\d+\\.\\d+`));
	}
});

test.each(workflows)('%s may read the code, and prove who it is to publish', (name, workflow) => {
	expect(workflow.permissions).toEqual({ contents: 'read' });
	for (const [job, { permissions }] of Object.entries(workflow.jobs)) {
		const publishes = name === 'publish' && job === 'publish';
		expect(permissions ?? { contents: 'read' }).toEqual(
			publishes ? { 'id-token': 'write' } : { contents: 'read' },
		);
	}
});

test('every n8n that there are tests for is in the matrix, and no other', () => {
	const [, versions] = workflows.find(([name]) => name === 'versions')!;
	const matrix = versions.jobs.versions!.strategy!.matrix.n8n;
	expect([...matrix].reverse()).toEqual(allInstallations().map(({ version }) => version));
});

test('every container has the same image, pinned to its digest', () => {
	const images = workflows.flatMap(([, { jobs }]) =>
		Object.values(jobs).flatMap(({ container }) => (container ? [container.image] : [])),
	);
	expect(images).toHaveLength(2);
	expect(images[0]).toMatch(/^node:24\.\d+\.\d+-bookworm@sha256:[0-9a-f]{64}$/);
	expect(new Set(images).size).toBe(1);
});

test('the image that there is a test for has the pinned n8n', () => {
	const [, versions] = workflows.find(([name]) => name === 'versions')!;
	expect(versions.jobs.image!.env!.N8N_IMAGE).toBe(`docker.n8n.io/n8nio/n8n:${pinned.version}`);
});

test('only commits of main are published', () => {
	const { steps = [] } = Object.fromEntries(workflows).publish!.jobs.pack!;
	const runs = steps.map(({ run }) => run ?? '');
	const check = runs.findIndex((run) =>
		run.includes('merge-base --is-ancestor "$GITHUB_SHA" origin/main'),
	);
	expect(check).toBeGreaterThanOrEqual(0);
	expect(check).toBeLessThan(runs.indexOf('npm ci')); // before any code of the commit runs
});
