import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config, TopLevelSpec } from 'vega-lite';

/** Where pages are written, and their pictures below. */
export const docs = path.join(__dirname, '..', 'docs');

/** GitHub's colours of text and lines. */
const themes = {
	light: {
		text: '#1f2328',
		line: '#d1d9e0',
		series: [
			'#0969da',
			'#bf8700',
			'#1a7f37',
			'#8250df',
			'#cf222e',
			'#818b98',
			'#54aeff',
			'#bf3989',
		],
	},
	dark: {
		text: '#f0f6fc',
		line: '#3d444d',
		series: [
			'#4493f8',
			'#d29922',
			'#3fb950',
			'#ab7df8',
			'#f85149',
			'#9198a1',
			'#a5d6ff',
			'#db61a2',
		],
	},
};

/**
 * Draws a picture for light pages and one for dark ones.
 *
 * @param folder of the page that shows it
 * @returns Markdown that shows the one that fits
 */
export async function plot(
	name: string,
	description: string,
	spec: TopLevelSpec,
	folder = docs,
): Promise<string> {
	const { parse, View } = await import('vega'); // cannot be required: it awaits while it loads
	const { compile } = await import('vega-lite');
	const images = path.join(folder, 'images');
	mkdirSync(images, { recursive: true });
	for (const [theme, colours] of Object.entries(themes)) {
		const { spec: vega } = compile(spec, { config: configOf(colours) });
		const svg = await new View(parse(vega), { renderer: 'none' }).toSVG();
		writeFileSync(path.join(images, `${name}-${theme}.svg`), `${svg}\n`);
	}
	return [
		'<picture>',
		`  <source media="(prefers-color-scheme: dark)" srcset="images/${name}-dark.svg">`,
		`  <img alt="${description}" src="images/${name}-light.svg">`,
		'</picture>',
	].join('\n');
}

const configOf = ({ text, line, series }: (typeof themes)['light']): Config => ({
	background: 'transparent',
	font: 'system-ui, sans-serif',
	view: { stroke: line },
	axis: {
		labelColor: text,
		titleColor: text,
		gridColor: line,
		domainColor: line,
		tickColor: line,
	},
	legend: { labelColor: text, titleColor: text, labelLimit: 300 },
	text: { color: text },
	rule: { color: text },
	title: { color: text },
	header: { labelColor: text, titleColor: text },
	range: { category: series },
});
