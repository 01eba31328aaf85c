import path from 'node:path';
import { askAll, documentsWithLinks, externalLinks } from './externalLinks';

async function main(): Promise<void> {
	const documents = documentsWithLinks(path.dirname(__dirname));
	const asked = await askAll(externalLinks(documents));
	for (const { page, files, answer, sectionsNotSeen } of asked) {
		const lines = [
			files.join(', '),
			...sectionsNotSeen.map((section) => `- no section #${section} in its text`),
		];
		console.log([answer.padEnd(width) + page, ...lines.map((line) => indent + line)].join('\n'));
	}
	const gone = asked.filter(({ isGone }) => isGone);
	const answered = asked.filter(({ answer }) => /^\d+$/.test(answer));
	console.log(`${asked.length} pages: ${answered.length} answered, ${gone.length} of them gone`);
	if (gone.length > 0) process.exitCode = 1;
}

const width = 'UND_ERR_CONNECT_TIMEOUT'.length + 2;
const indent = ' '.repeat(width);

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});
