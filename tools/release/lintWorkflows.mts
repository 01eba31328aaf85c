/** Part of `npm run lint`: checks .github/workflows with GitHub's language service, offline. Warnings count. */
import { validate } from '@actions/languageservice';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';

const workflows = path.join('.github', 'workflows');

/** Reads the workflows of this repository that others call. */
const fileProvider = {
	getFileContent: async (file: object) => {
		const name = (file as { path: string }).path;
		return { name, content: readFileSync(name, 'utf8') };
	},
};

for (const name of readdirSync(workflows)) {
	const file = path.join(workflows, name);
	const text = readFileSync(file, 'utf8');
	const uri = pathToFileURL(path.resolve(file)).href;
	const findings = await validate(TextDocument.create(uri, 'yaml', 1, text), { fileProvider });
	for (const { range, message } of findings) {
		console.error(`${file}:${range.start.line + 1}: ${message}`);
		process.exitCode = 1;
	}
}
