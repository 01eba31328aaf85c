/** What n8n loads from both packages, and what is recorded of them. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { packageFolder } from '../../tools/host/paths';
import { folderOf, load } from './worlds';

test('the loaded nodes and the credential are the same', async () => {
	const [reference, present] = await Promise.all([load('reference/0'), load('present/0')]);
	expect(reference).toHaveLength(4);
	for (const [index, type] of reference.entries()) {
		expect(structure(present[index])).toEqual(structure(type));
	}
});

/** Functions are compared by their place only. */
const structure = (type: unknown): unknown =>
	JSON.parse(
		JSON.stringify(type, (_, value: unknown) => (typeof value === 'function' ? 'ƒ' : value)),
	);

const filesOf = (name: string) =>
	readdirSync(folderOf(name), { recursive: true, encoding: 'utf8' })
		.filter((file) => /^dist\/.*\.(json|svg)$/.test(file))
		.sort();

test('all other files that n8n reads are the same, byte by byte', () => {
	const files = filesOf('reference');
	expect(files.length).toBeGreaterThan(15);
	expect(filesOf('present')).toEqual(files);
	for (const file of files) {
		const [reference, present] = ['reference', 'present'].map((name) =>
			readFileSync(folderOf(name, file), 'utf8'),
		);
		expect([file, present]).toEqual([file, reference]);
	}
});

test('what was recorded of all operations and events, and their pages, are the same', () => {
	const of = ['documentation/recorded', 'tools/documentation/recorded', 'docs/operations'];
	const unmoved = ['--find-renames=100%', '--diff-filter=r']; // a move is no change
	const reference = process.env.DIFFERENTIAL_REFERENCE!;
	const changed = execFileSync('git', ['diff', '--stat', ...unmoved, reference, '--', ...of], {
		cwd: packageFolder,
		encoding: 'utf8',
	});
	expect(changed).toBe('');
});
