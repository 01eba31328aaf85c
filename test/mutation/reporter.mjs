/**
 * The mutation score per folder and what survived, as text: printed, and beside Stryker's JSON. While
 * the mutants are tried, `tested.tsv` has each that has been, and `survivors.txt` what has survived.
 */
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

const found = ['Killed', 'Timeout'];
const missed = ['Survived', 'NoCoverage'];

class FoldersReporter {
	onDryRunCompleted() {
		mkdirSync('coverage/mutation', { recursive: true });
		writeFileSync('coverage/mutation/survivors.txt', '');
		writeFileSync('coverage/mutation/tested.tsv', '');
	}

	onMutantTested(mutant) {
		const file = relative('', mutant.fileName);
		const row = [mutant.status, placeOf(file, mutant), mutant.killedBy?.[0] ?? ''];
		appendFileSync('coverage/mutation/tested.tsv', `${row.join('\t')}\n`);
		if (!missed.includes(mutant.status)) return;
		const described = describe(file, readFileSync(file, 'utf8'), mutant);
		appendFileSync('coverage/mutation/survivors.txt', `${described}\n`);
	}

	onMutationTestReportReady({ files }) {
		const text = [scores(files), '', ...survivors(files), ''].join('\n');
		console.log(`\n${text}`);
		writeFileSync('coverage/mutation/score.txt', text);
	}
}

/** One line per folder, and one for all. */
function scores(files) {
	const folders = new Map([['all', []]]);
	for (const [file, { mutants }] of Object.entries(files)) {
		for (const folder of ['all', dirname(file)]) {
			folders.set(folder, [...(folders.get(folder) ?? []), ...mutants]);
		}
	}
	const [all, ...rest] = [...folders].map(([folder, mutants]) => {
		const count = (statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
		const [killed, survived] = [count(found), count(missed)];
		const score = ((100 * killed) / (killed + survived)).toFixed(1);
		return `${score.padStart(6)} %  ${String(killed).padStart(4)} of ${String(killed + survived).padStart(4)}  ${folder}`;
	});
	return [...rest.sort((a, b) => a.localeCompare(b)), all].join('\n');
}

const survivors = (files) =>
	Object.entries(files).flatMap(([file, { source, mutants }]) =>
		mutants
			.filter(({ status }) => missed.includes(status))
			.map((mutant) => describe(file, source, mutant)),
	);

/** `place  Survived Mutator  original → replacement` */
function describe(file, source, mutant) {
	const { location, mutatorName, replacement, status } = mutant;
	const original = cut(source, location.start, location.end);
	const change = `${short(original)} → ${short(replacement)}`;
	return `${placeOf(file, mutant)}  ${status} ${mutatorName}  ${change}`;
}

/** As `--mutate` takes it, to try this one again. */
const placeOf = (file, { location: { start, end } }) =>
	`${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;

function cut(source, start, end) {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
	lines[0] = lines[0].slice(start.column - 1);
	return lines.join(' ');
}

const short = (code) => code.replace(/\s+/g, ' ').slice(0, 100);

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'folders', FoldersReporter)];
