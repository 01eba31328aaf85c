/**
 * `npm run links`: asks each address that the documents, the nodes' descriptions and the checks of a
 * release lead to, and says what it answers. Ends with 1 where a page is gone (404, 410). What cannot
 * be reached is said and is no fault: there may be no network, or a server that wants no programs.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Agent, interceptors, request, type Dispatcher } from 'undici';

const timeoutMs = 30_000;
const atOnce = 5;

/** What became of a page: the status of its answer, or why there is none. */
export interface Asked {
	page: string;
	/** Where links to it stand. */
	files: string[];
	answer: string;
	isGone: boolean;
	/** Sections that links lead to and that its text does not have: some pages make them later. */
	sectionsNotSeen: string[];
}

/** Where people and reviewers find links. */
const patterns = ['*.md', '.github/*', 'nodes/*.node.json', 'package.json'];

export function documentsWithLinks(root: string): Map<string, string> {
	const list = execFileSync('git', ['ls-files', '--', ...patterns], {
		cwd: root,
		encoding: 'utf8',
	});
	const files = list.split('\n').filter(Boolean);
	return new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

/** The addresses of other servers, with the files that they stand in. Examples in code are none. */
export function externalLinks(documents: Map<string, string>): Map<string, string[]> {
	const links = new Map<string, string[]>();
	for (const [file, text] of documents) {
		const prose = file.endsWith('.md') ? text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '') : text;
		for (const [found] of prose.matchAll(/https?:\/\/[^\s"'`<>()[\]{}$]+/g)) {
			const link = found.replace(/[.,;:]+$/, '');
			if (isExample(link)) continue;
			links.set(link, [...new Set([...(links.get(link) ?? []), file])]);
		}
	}
	return links;
}

/** Of addresses that lead to nobody. */
const isExample = (link: string): boolean =>
	/^https?:\/\/(127\.0\.0\.1|localhost|([\w-]+\.)*example(\.com|\.org)?)([:/?#]|$)/.test(link);

/** Asks each page once. */
export async function askAll(links: Map<string, string[]>): Promise<Asked[]> {
	const agent = new Agent({ connect: { timeout: timeoutMs } });
	const dispatcher = agent.compose(interceptors.redirect({ maxRedirections: 5 }));
	const waiting = [...new Set([...links.keys()].map(pageOf))].sort();
	const asked: Asked[] = [];
	const work = async () => {
		for (let page = waiting.shift(); page; page = waiting.shift()) {
			const toIt = [...links].filter(([link]) => pageOf(link) === page);
			const files = [...new Set(toIt.flatMap(([, each]) => each))];
			const sections = toIt.flatMap(([link]) => link.split('#')[1] ?? []);
			asked.push({ page, files, ...(await ask(page, sections, dispatcher)) });
		}
	};
	await Promise.all(Array.from({ length: atOnce }, work));
	await agent.close();
	return asked.sort((a, b) => a.page.localeCompare(b.page));
}

const pageOf = (link: string): string => link.split('#')[0] ?? link;

async function ask(
	page: string,
	sections: string[],
	dispatcher: Dispatcher,
): Promise<Pick<Asked, 'answer' | 'isGone' | 'sectionsNotSeen'>> {
	try {
		const { statusCode, body } = await request(page, {
			dispatcher,
			headers: { accept: 'text/html,*/*', 'user-agent': 'Mozilla/5.0 (link check)' },
			signal: AbortSignal.timeout(timeoutMs),
		});
		const text = await body.text();
		const isThere = (section: string) => text.includes(`id="${section}"`);
		return {
			answer: String(statusCode),
			isGone: [404, 410].includes(statusCode),
			sectionsNotSeen: statusCode === 200 ? sections.filter((each) => !isThere(each)) : [],
		};
	} catch (error) {
		const { code, name } = error as Error & { code?: string };
		return { answer: code ?? name, isGone: false, sectionsNotSeen: [] };
	}
}
