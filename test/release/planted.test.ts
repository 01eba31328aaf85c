/** The planted bugs of `npm run test:planted` are kept in step with the code. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageFolder } from '../../tools/host/paths';
import { bugs, plant } from '../planted/bugs';

const testFiles = ['unit', 'engine'].flatMap((project) =>
	readdirSync(path.join(packageFolder, 'test', project), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => `test/${project}/${file}`),
);

test('there are sixty planted bugs and more, each for a reason of its own', () => {
	expect(bugs.length).toBeGreaterThanOrEqual(60);
	expect(new Set(bugs.map(({ file, why }) => `${file} ${why}`)).size).toBe(bugs.length);
});

test('each planted bug has one place in the code, and tests to find it', () => {
	for (const bug of bugs) {
		const text = readFileSync(path.join(packageFolder, bug.file), 'utf8');
		expect(plant(bug, text)).not.toBe(text);
		for (const part of bug.tests) {
			expect([part, testFiles.some((file) => file.includes(part))]).toEqual([part, true]);
		}
	}
});
