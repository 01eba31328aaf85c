import { createTag } from './git';
import type { Group } from './points';
import { tagOf } from './points/version';
import type { Project } from './project';
import { describe, summarize, toDo, type Judged } from './report';

/**
 * Judges every point and prints it. Where none is missing, tags the commit, unless only a look is
 * wanted. Publishes nothing: pushing the tag does, by way of the workflow.
 *
 * @returns whether the package can be released
 */
export async function release(
	project: Project,
	groups: Group[],
	{ dryRun, print = console.log }: { dryRun: boolean; print?: (text: string) => void },
): Promise<boolean> {
	const { name, version } = project.manifest;
	print(`${name} ${version}`);

	const all: Judged[] = [];
	for (const { title, points } of groups) {
		print(`\n== ${title}`);
		for (const point of points) {
			const judged = { ...point, ...(await point.check(project)) };
			print(describe(judged));
			all.push(judged);
		}
	}
	print(`\n${all.length} points: ${summarize(all)}`);

	const notMet = all.filter(({ verdict }) => verdict === 'not met');
	if (notMet.length > 0) {
		print(['\nTo do before a release', ...notMet.map(toDo)].join('\n\n'));
		return false;
	}
	if (!dryRun) tag(project, tagOf(version), print);
	return true;
}

function tag({ folder, git }: Project, name: string, print: (text: string) => void): void {
	if (!git.tagsHere.includes(name)) createTag(folder, name);
	print(`\nThis commit is tagged ${name}. To publish it: git push origin ${name}`);
}
