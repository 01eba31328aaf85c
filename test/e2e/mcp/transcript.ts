import { readFileSync } from 'node:fs';
import type { Request } from './session';

/** A request of an agent, and its answer, with what happens there. */
export interface Exchange {
	title: string;
	request: Request;
	answer: object;
}

const start = '<!-- transcript -->';
const end = '<!-- end of transcript -->';

/** The page with these exchanges between its marks. */
export function withTranscript(file: string, exchanges: Exchange[]): string {
	const page = readFileSync(file, 'utf8');
	const [before, rest = ''] = page.split(start);
	const [, after] = rest.split(end);
	if (after === undefined) throw new Error(`${file} has no marks around the transcript`);
	return [before, start, '\n', ...exchanges.map(describe), '\n', end, after].join('');
}

function describe({ title, request, answer }: Exchange): string {
	return ['', `**${title}**`, '', ...block(request), '', ...block(unpacked(answer)), ''].join('\n');
}

const block = (value: object): string[] => [
	'```json',
	JSON.stringify(value, null, 2)
		.replace(uuid, mask)
		.replace(/(?<="sentAt": ")[^"]+/g, '2030-12-31T07:00:00-05:00'),
	'```',
];

/** Of a message; those of the sandbox's campaigns are always the same. */
const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

const mask = (id: string): string => (/^[c5]0000000-/.test(id) ? id : '…');

/** A text that is JSON, as it is: what a tool has said stands in one. */
function unpacked(answer: object): object {
	return JSON.parse(JSON.stringify(answer), (key, value: unknown) => {
		if (key !== 'text' || typeof value !== 'string' || !/^[[{]/.test(value)) return value;
		return JSON.parse(value) as unknown;
	}) as object;
}
