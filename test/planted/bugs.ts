/** Defects as people make them and mutation tools do not, each with the tests that have to find it. */
export interface Bug {
	file: string;
	/** Stands in the file exactly once. */
	find: string;
	put: string;
	/** What would go wrong. */
	why: string;
	/** Parts of the paths of tests. */
	tests: string[];
}

/** The text of a file with the bug in it. */
export function plant({ file, find, put }: Bug, text: string): string {
	const parts = text.split(find);
	if (parts.length !== 2) throw new Error(`Stands ${parts.length - 1} times in ${file}: ${find}`);
	return parts.join(put);
}

export const bugs: Bug[] = [
	{
		file: 'nodes/MessagingGateway/run/keys/n8nKeyStore.ts',
		find: 'messagingGateway:to:${recipient}:${key}',
		put: 'messagingGateway:to:${recipient}',
		why: 'a key of another number counts as sent, and a message is skipped',
		tests: ['engine/action/deduplication.test'],
	},
	{
		file: 'nodes/gateway/judge/answer.ts',
		find: 'texts.find((text) => text === serviceTexts.internalError) ?? texts[0]',
		put: 'texts[0]',
		why: 'what may have been sent is told as refused',
		tests: ['unit/gateway/judge/outcome'],
	},
	{
		file: 'nodes/gateway/checkCredential.ts',
		find: 'openNames(credential)',
		put: 'openNames({})',
		why: 'a credential is tested with names of another account',
		tests: ['unit/gateway/checkCredential'],
	},
	{
		file: 'nodes/gateway/checkCredential.ts',
		find: 'message: redactor(credential)(verdict.message)',
		put: 'message: verdict.message',
		why: 'a key in the wrong field of a credential is shown',
		tests: ['unit/gateway/checkCredential'],
	},
	{
		file: 'nodes/gateway/checkCredential.ts',
		find: 'return judgeAnswer(answer, expected, redact)',
		put: 'return judgeAnswer(answer, expected, (text) => text)',
		why: 'the beginning of a key that a text of the service ends with is shown',
		tests: ['unit/gateway/checkCredential'],
	},
	{
		file: 'nodes/gateway/checkCredential.ts',
		find: `await within(
			timeoutMs,
			undefined, // n8n's older helper takes no signal
			async (signal) => await readWhole((await helpers.request(options)) as FlowingAnswer, signal),
		)`,
		put: `await readWhole(
			(await helpers.request(options)) as FlowingAnswer,
			new AbortController().signal,
		)`,
		why: 'the test of a credential never ends',
		tests: ['unit/gateway/checkCredential'],
	},
	{
		file: 'nodes/MessagingGateway/run/keys/workflowKeyStore.ts',
		find: 'await this.call(ends);',
		put: 'void this.call(ends);',
		why: 'a claim overtakes the release of its key, and a message is not sent',
		tests: ['engine/action/deduplicationStore'],
	},
	{
		file: 'nodes/MessagingGateway/run/keys/keyRow.ts',
		find: '<Claim> {\n\t\tthis.store = store;',
		put: '<Claim> {\n\t\tthis.store ??= store;',
		why: 'keys are claimed with the context of an execution that is over',
		tests: ['unit/run/keys/keyRow'],
	},
	{
		file: 'nodes/MessagingGateway/run/keys/keyRow.ts',
		find: 'this.calls ??= this.call();',
		put: 'this.calls = this.call();',
		why: 'two calls to a row at a time lose each other’s keys',
		tests: ['unit/run/keys/keyRow'],
	},
	{
		file: 'nodes/MessagingGateway/run/keys/runKeys.ts',
		find: 'if (before && before !== this.row) await before.flush();',
		put: 'if (before && before !== this.row) void before.flush();',
		why: 'a run claims a key before another one has stored what became of it',
		tests: ['unit/run/keys/runKeys'],
	},
	{
		file: 'nodes/MessagingGateway/run/runOperation.ts',
		find: 'endOf(Date.now())',
		put: 'endOf(performance.timeOrigin)',
		why: 'a limit counts from when n8n was started',
		tests: ['engine/action/sendAndWait'],
	},
	{
		file: 'nodes/MessagingGateway/operations/message/sendAndWait.ts',
		find: 'const ask = String(item.runIndex);',
		put: "const ask = '0';",
		why: 'the answer of an earlier round of a loop is taken for this one',
		tests: ['engine/action/sendAndWait'],
	},
	{
		file: 'nodes/form/item.ts',
		find: 'error.message = this.client.redact(message); // n8n replaces one that contains a network code',
		put: '',
		why: 'n8n tells of the network in place of what is wrong with a value',
		tests: ['engine/action/errors'],
	},
];
