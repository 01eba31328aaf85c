/** The service's OpenAPI document: for pages, by method and path of a request, and as docs/interface.md. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { serviceTexts } from '../../nodes/service/outcome';
import { OPERATIONS, type Operation } from '../sandbox/document';
import { code, page, paragraphs, table } from './markdown';

/** @throws Error when the document has no such operation */
export function endpointOf(request: { method: string; path: string }): Operation {
	const found = OPERATIONS.find((each) => {
		const pattern = `^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`;
		return each.method === request.method.toLowerCase() && new RegExp(pattern).test(request.path);
	});
	if (!found) throw new Error(`${request.method} ${request.path} is not in docs/openapi.yaml`);
	// §5.4 applies to every operation, even if §7 lists none for it.
	return found.errorTexts.length > 0
		? found
		: { ...found, errorTexts: [serviceTexts.invalidToken] };
}

/** E.g. `GET /v1/apikeys`. */
export const requestLine = ({ method, path }: Operation): string =>
	code(`${method.toUpperCase()} ${path}`);

const interfaceFile = path.join(__dirname, '../../docs/interface.md');

const startMark = '<!-- from openapi.yaml -->';
const endMark = '<!-- end -->';

/** The page as it is, with new sections 4 and 7 between its marks. */
export function interfacePage(): string {
	const [before, ...parts] = readFileSync(interfaceFile, 'utf8').trimEnd().split(startMark);
	const kept = parts.map((part) => part.split(endMark)[1]!);
	const made = [paragraphs(...inOrder.map(sectionOf)), errorTable()];
	const filled = made.map((part, at) => paragraphs(startMark, part, endMark) + kept[at]!);
	return page(before + filled.join(''));
}

const numberOf = ({ section }: Operation): number => Number(section.split('.')[1]);
const inOrder = OPERATIONS.toSorted((a, b) => numberOf(a) - numberOf(b));

function sectionOf(operation: Operation): string {
	const { section, summary, notes, open } = operation;
	const text = [notes, ...open.map((each) => openTextOf(each, section))].filter(Boolean).join(' ');
	const line = [requestLine(operation), text].filter(Boolean).join('. ');
	return paragraphs(`### ${section} ${summary}`, line);
}

/** What several endpoints leave open is told at the first. */
function openTextOf(text: string, section: string): string {
	const first = inOrder.find(({ open }) => open.includes(text))!;
	return `**Open:** ${first.section === section ? text : `as ${first.section}.`}`;
}

/** The texts of each endpoint, and which have the other kind of error. */
function errorTable(): string {
	const sectionsOf = (isOne: (operation: Operation) => boolean) =>
		inOrder
			.filter(isOne)
			.map(({ section }) => section)
			.join(', ');
	const listedFor = (text: string) => sectionsOf(({ errorTexts }) => errorTexts.includes(text));
	const texts = [...new Set(inOrder.flatMap(({ errorTexts }) => errorTexts))];
	const rows = [...new Set(texts.map(listedFor))].map((those) => [
		texts
			.filter((text) => listedFor(text) === those)
			.map(code)
			.join('\n'),
		those,
	]);
	const others = sectionsOf(({ validates }) => validates);
	return table(['Text', 'Listed for'], [...rows, ['none: `detail` (§2.9)', others]]);
}
