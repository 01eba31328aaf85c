/** The workflows in examples/ that are written here rather than in n8n's editor: they share rules and tables. */
import { answerReplies } from './answerReplies';
import { doNotContact } from './doNotContact';
import { legalList } from './legalList';
import { permissionToSend } from './permissionToSend';
import { deletePersonsFile, findPersonsFile } from './personsFile';
import { stopByReply } from './stopByReply';
import { inDataTables, inPostgres } from './stores';

/** Returns the text of each file, by its path in the repository. */
export function exampleTexts(): Map<string, string> {
	const workflows = [
		...[inDataTables, inPostgres].flatMap((store) => [doNotContact(store), stopByReply(store)]),
		answerReplies(),
		permissionToSend(),
		legalList(),
		findPersonsFile(),
		deletePersonsFile(),
	];
	return new Map(
		workflows.map((each) => [
			`examples/${each.file}.json`,
			`${JSON.stringify(each.toJson(), null, '\t')}\n`,
		]),
	);
}
