/** The pictures in the documents are those of the code; docs/screens.md shows every form. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { taken, wanted } from '../../host/pictures';
import { allScreens, picturesFolder, screensPage } from '../../host/screens';

const docs = path.join(__dirname, '../../docs');
const folder = path.join(docs, picturesFolder);

const names = allScreens.flatMap(({ name }) => [`${name}.png`, `${name}-dark.png`]);

test('no form has changed since its pictures: npx tsx host/screenshots.ts forms takes them again', () => {
	expect(readFileSync(path.join(docs, 'screens.md'), 'utf8')).toBe(screensPage());
});

test('each form has a light and a dark picture, and there is no other', () => {
	expect(readdirSync(folder).sort()).toEqual([...names].sort());
});

test('the pictures are narrow and small', () => {
	for (const name of names) {
		const width = readFileSync(path.join(folder, name)).readUInt32BE(16);
		expect(width).toBeGreaterThan(300);
		expect(width).toBeLessThanOrEqual(900);
	}
	const bytes = names.map((name) => statSync(path.join(folder, name)).size);
	expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4_000_000);
});

describe('the other pictures', () => {
	const images = path.join(docs, 'images');
	const pictures = readdirSync(images).filter((name) => name.endsWith('.png'));

	test('nothing on them has changed: npx tsx host/screenshots.ts takes them again', () => {
		expect(taken()).toEqual(wanted());
	});

	test('each is noted, and there is no other', () => {
		expect(pictures.sort()).toEqual(
			Object.keys(wanted())
				.map((name) => `${name}.png`)
				.sort(),
		);
	});

	test('a document shows each', () => {
		const documents = ['README.md', ...readdirSync(docs).map((name) => path.join('docs', name))]
			.filter((name) => name.endsWith('.md'))
			.map((name) => readFileSync(path.join(docs, '..', name), 'utf8'))
			.join('\n');
		expect(pictures.filter((name) => !documents.includes(`images/${name}`))).toEqual([]);
	});
});
