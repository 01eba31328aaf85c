import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const read = (name: string) => readFileSync(join(__dirname, '../../../docs', name), 'utf8');

/** E.g. `4.3, 4.6 to 4.8`. */
const sectionsIn = (text: string): string[] =>
	text.split(', ').flatMap((part) => {
		const [first, last = first] = part.split(' to ').map((section) => Number(section.slice(2)));
		return Array.from({ length: last! - first! + 1 }, (_, index) => `§4.${first! + index}`);
	});

test('docs/openapi.yaml lists the error texts of interface §7 at the operations that list them', () => {
	interface Described {
		description: string;
		responses: { default: { 'x-error-messages'?: string[] } };
	}
	const { paths } = parse(read('openapi.yaml')) as {
		paths: Record<string, Record<string, Described>>;
	};
	const listed = Object.values(paths)
		.flatMap((methods) => Object.values(methods))
		.flatMap(({ description, responses }) =>
			(responses.default['x-error-messages'] ?? []).map((text) => [
				/^§[\d.]+\d/.exec(description)![0],
				text,
			]),
		);
	const rows = [...read('interface.md').matchAll(/^\| `(.+\.)` \| (.+) \|$/gm)];
	expect(rows).toHaveLength(5);
	const told = rows.flatMap(([, text, at]) => sectionsIn(at!).map((section) => [section, text]));
	expect(told.sort()).toEqual(listed.sort());
});
