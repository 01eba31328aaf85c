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

/** Bugs of a file. */
const inFile = (file: string, tests: string[], some: Array<Omit<Bug, 'file' | 'tests'>>): Bug[] =>
	some.map((bug) => ({ file, tests, ...bug }));

export const bugs: Bug[] = [
	...inFile(
		'nodes/gateway/judge/answer.ts',
		['unit/gateway/judge'],
		[
			{
				find: 'texts.find((text) => text === serviceTexts.internalError) ?? texts[0]',
				put: 'texts[0]',
				why: 'what may have been sent is told as refused',
			},
			{
				find: 'answer.statusCode < 400 ? (parsed.status ?? answer.statusCode) : answer.statusCode',
				put: 'parsed.status ?? answer.statusCode',
				why: "a body's code hides the status of the answer",
			},
		],
	),
	...inFile(
		'nodes/gateway/checkCredential.ts',
		['unit/gateway/checkCredential'],
		[
			{
				find: 'openNames(credential)',
				put: 'openNames({})',
				why: 'a credential is tested with the names of another account',
			},
			{
				find: 'message: redactor(credential)(verdict.message)',
				put: 'message: verdict.message',
				why: 'a key in the wrong field of a credential is shown',
			},
			{
				find: 'return judgeAnswer(answer, expected, redact)',
				put: 'return judgeAnswer(answer, expected, (text) => text)',
				why: 'a part of a key that a text of the service ends with is shown',
			},
			{
				find: `await within(
			timeoutMs,
			undefined, // n8n's older helper takes no signal
			async (signal) => await readWhole((await helpers.request(options)) as FlowingAnswer, signal),
		)`,
				put: 'await readWhole((await helpers.request(options)) as FlowingAnswer, {} as AbortSignal)',
				why: 'the test of a credential never ends',
			},
		],
	),
	...inFile(
		'nodes/gateway/client.ts',
		[
			'unit/gateway/client',
			'unit/gateway/secrets',
			'unit/gateway/handshake',
			'engine/action/stream',
		],
		[
			{
				find: "if (cancel?.aborted) return refusedForNow({ kind: 'neverLeft', text: 'ERR_CANCELED' });",
				put: '',
				why: 'a request leaves after the stop of its execution',
			},
			{ find: 'stream?.destroy();', put: '', why: 'the file of a request that failed stays open' },
			{
				find: 'judgeFailure(error, redact, failure)',
				put: 'judgeFailure(error, redact)',
				why: 'a request that never left is told as one that may have arrived',
			},
		],
	),
	...inFile(
		'nodes/gateway/redaction.ts',
		['unit/gateway/redaction', 'unit/gateway/authenticate', 'unit/gateway/secrets'],
		[
			{
				find: '.sort((a, b) => b.length - a.length)',
				put: '',
				why: 'of a secret that holds another one, the rest is shown',
			},
		],
	),
	...inFile(
		'nodes/gateway/authenticate.ts',
		['unit/gateway/authenticate'],
		[
			{
				find: "target.pathname.startsWith(`${base.pathname.replace(/\\/$/, '')}/v2/`)",
				put: "target.pathname.includes('/v2/')",
				why: 'the instance token goes to paths that are not of the chat app',
			},
		],
	),
	...inFile(
		'nodes/gateway/redaction.ts',
		['unit/gateway/redaction', 'unit/gateway/authenticate', 'unit/gateway/secrets'],
		[
			{
				find: '...[0, 1, 2].flatMap(',
				put: '...[0, 1].flatMap(',
				why: 'a secret is shown where it stands in Base64 two bytes later',
			},
		],
	),
	...inFile(
		'nodes/gateway/memory.ts',
		['unit/gateway/memory'],
		[
			{
				find: `		this.delete(key);
		super.set(key, value);`,
				put: '		super.set(key, value);',
				why: 'an entry that is in use is forgotten first',
			},
		],
	),
	...inFile(
		'nodes/gateway/pacing/deadline.ts',
		['unit/gateway/pacing'],
		[
			{
				find: 'stopListening.forEach((stop) => stop());',
				put: '',
				why: 'each request of an execution leaves a listener behind',
			},
		],
	),
	...inFile(
		'nodes/gateway/pacing/limiter.ts',
		['unit/gateway/pacing', 'engine/action/limiter'],
		[
			{
				find: 'this.next = Math.max(this.next, Date.now() + ms);',
				put: 'this.next = Date.now() + ms;',
				why: 'a pause that the service asked for ends with the next request',
			},
		],
	),
	...inFile(
		'nodes/gateway/pacing/retry.ts',
		['unit/gateway/pacing'],
		[
			{
				find: "earlier?.kind === 'unknown' && next.kind === 'refused' ? earlier : next",
				put: 'next',
				why: 'what may have been carried out is told as refused',
			},
		],
	),
	...inFile(
		'nodes/text/base64.ts',
		['unit/text/base64'],
		[
			{
				find: 'rest = bytes.subarray(ready);',
				put: 'rest = chunk.subarray(ready);',
				why: 'bytes between two chunks of a file are lost',
			},
		],
	),
	...inFile(
		'nodes/text/ipAddress.ts',
		['unit/text/ipAddress'],
		[
			{
				find: 'base.toIPv4Address(), prefix - 96]',
				put: 'base.toIPv4Address(), prefix]',
				why: 'a range of IPv4 in the spelling of IPv6 lets nobody in',
			},
		],
	),
	...inFile(
		'nodes/text/phoneNumber.ts',
		['unit/text/phoneNumber'],
		[
			{
				find: 'return home && number?.countryCallingCode !== callingCodeOf(home) ? undefined : number;',
				put: 'return number;',
				why: 'a number dialed for abroad goes to another country',
			},
		],
	),
	...inFile(
		'nodes/form/item.ts',
		['engine/action/errors'],
		[
			{
				find: 'error.message = this.client.redact(message);',
				put: '',
				why: 'n8n tells of the network in place of what is wrong with a value',
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/operations/message/sendAndWait.ts',
		['engine/action/sendAndWait'],
		[
			{
				find: 'const ask = String(item.runIndex);',
				put: "const ask = '0';",
				why: 'the answer of an earlier round of a loop is taken for this one',
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/waiting.ts',
		['engine/action/sendAndWait'],
		[
			{
				find: 'question.until + (hasLimit ? timerMarginMs : 0)',
				put: 'question.until',
				why: "n8n's timer of an answered question ends the next one",
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/sender.ts',
		['engine/action/sendAndWait', 'unit/run/runOperation'],
		[
			{
				find: 'endOf(Date.now())',
				put: 'endOf(performance.timeOrigin)',
				why: 'a limit counts from when n8n was started',
			},
			{
				find: 'this.journal?.noteSending(job.item.index);',
				put: '',
				why: 'a Retry sends what was under way at the crash again',
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/runOperation.ts',
		['engine/action/deduplication', 'engine/action/retryExecution', 'unit/run/runOperation'],
		[
			{
				find: "if (outcome?.kind === 'unknown') return;",
				put: '',
				why: 'a key is free whose message may have been sent',
			},
			{
				find: "recipient: request.recipient ?? ''",
				put: "recipient: ''",
				why: 'one key stands for messages to two numbers',
			},
			{
				find: 'await this.keys.close();',
				put: 'void this.keys.close();',
				why: 'an execution ends before its keys are stored',
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/runOperation.ts',
		['engine/action/dryRun'],
		[
			{
				find: 'if (!this.report.isDryRun(index)) await this.takeOver();',
				put: 'await this.takeOver();',
				why: 'a dry run takes the one Retry of a failed execution',
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/report.ts',
		['engine/action/dryRun'],
		[
			{
				find: '&& !this.isDryRun(item)) this.abort.stop()',
				put: ') this.abort.stop()',
				why: 'a dry run ends at the first number that is refused',
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/keys/dryRunKeys.ts',
		['engine/action/dryRun'],
		[
			{
				find: "if (ending === 'accepted') this.recipientByKey.set(key, recipient);",
				put: '',
				why: 'a dry run says that two messages with one key would be sent',
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/journal.ts',
		['unit/run/journal'],
		[
			{
				find: 'entry.isOver && entry.execution === this.execution',
				put: 'entry.isOver',
				why: "an agent's message of another execution goes out again",
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/accounts.ts',
		['engine/action/account'],
		[
			{
				find: '[...new Set([...between, count])]',
				put: '[...new Set(between)]',
				why: 'items are sent with the account of the first one',
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/keys/keyRow.ts',
		['unit/run/keys', 'engine/action/deduplicationStore'],
		[
			{
				find: `key: Key): Promise<Claim> {
		this.store = store;`,
				put: `key: Key): Promise<Claim> {
		this.store ??= store;`,
				why: 'keys are claimed with the context of an execution that is over',
			},
			{
				find: 'this.calls ??= this.call();',
				put: 'this.calls = this.call();',
				why: 'two calls to a row at a time lose the keys of each other',
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/keys/runKeys.ts',
		['unit/run/keys/runKeys'],
		[
			{
				find: 'if (before && before !== this.row) await before.flush();',
				put: 'if (before && before !== this.row) void before.flush();',
				why: 'a run claims a key before another one has stored what became of it',
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/keys/n8nKeyStore.ts',
		['unit/run/keys', 'engine/action/deduplication'],
		[
			{
				find: 'messagingGateway:to:${recipient}:${key}',
				put: 'messagingGateway:to:${recipient}',
				why: 'a key of another number counts as sent, and a message is skipped',
			},
			{
				find: 'await this.remove(released.map(nameOf));',
				put: 'void this.remove(released.map(nameOf));',
				why: 'a key is claimed before it is free again',
			},
			{
				find: 'entries.filter((entry) => !before.has(entry))',
				put: 'entries',
				why: 'a look-up forgets that a message was accepted',
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/keys/workflowKeyStore.ts',
		['unit/run/keys', 'engine/action/deduplicationStore'],
		[
			{
				find: 'await this.call(ends);',
				put: 'void this.call(ends);',
				why: 'a claim overtakes the release of its key, and a message is not sent',
			},
			{
				find: "outputs.filter(({ state }) => state === 'fresh').map(",
				put: 'outputs.map(',
				why: 'a late answer frees keys of other executions',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayTrigger/token.ts',
		['unit/trigger', 'engine/trigger/delivery'],
		[
			{
				find: 'const replaced = { digest: last.digest, at: Date.now() };',
				put: 'const replaced = { digest, at: Date.now() };',
				why: 'deliveries to the URL just replaced are lost',
			},
			{
				find: '[nodeOf(context), undefined].includes(stored.node) ? stored : {}',
				put: 'stored',
				why: 'a copied workflow takes itself for the first one',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayTrigger/displaced.ts',
		['unit/trigger'],
		[
			{
				find: "enabled: entry.startsWith('+') }",
				put: 'enabled: true }',
				why: 'a webhook that was off is given back switched on',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayTrigger/registration/accountWebhook.ts',
		['engine/trigger', 'unit/trigger'],
		[
			{
				find: '() => isPublishing && registering.delete(key),',
				put: '() => {},',
				why: 'a published workflow starts with no delivery',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayTrigger/registration/ownership.ts',
		['unit/trigger', 'engine/trigger/ownership'],
		[
			{
				find: 'hasSecret && (token.until !== undefined) === self.isTest',
				put: 'isOwn && (token.until !== undefined) === self.isTest',
				why: "another n8n's webhook is given back as this one's",
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayTrigger/registration/publish.ts',
		['engine/trigger'],
		[
			{
				find: 'await stopWatching(context);',
				put: 'void stopWatching(context);',
				why: 'a check under way registers what was just given back',
			},
			{
				find: `		resumeWatching(context);
		if (isPublished) throw error;`,
				put: '		if (isPublished) throw error;',
				why: 'nobody watches a workflow that could not be unpublished',
			},
			{
				find: `	forget(context);
	return true;`,
				put: '	return true;',
				why: 'what was unpublished takes itself for published',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayTrigger/registration/watch.ts',
		['engine/trigger/watch'],
		[{ find: 'reported.add(kind);', put: '', why: 'each check starts the error workflow again' }],
	),
	...inFile(
		'nodes/MessagingGatewayTrigger/delivery/receive.ts',
		['engine/trigger/delivery', 'unit/trigger'],
		[
			{
				find: '[token, secret, ...(sealed ? [sealed] : [])]',
				put: '[token, secret]',
				why: 'what a registration has displaced is shown in items',
			},
			{
				find: '.filter(({ fields }) => !isTooEarly && matches(fields, conditions))',
				put: '.filter(({ json }) => !isTooEarly && matches(json as never, conditions))',
				why: 'fields of a form are not found',
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/doNotContact.ts',
		['engine/action/doNotContact'],
		[
			{
				find: "typeof isAllowed !== 'boolean'",
				put: 'isAllowed === undefined',
				why: "a workflow that answers 'no' lets the message go",
			},
			{
				find: 'if (others.length > 0) {',
				put: 'if (others.length > 1) {',
				why: 'of two answers for a number, the first counts',
			},
		],
	),
	...inFile(
		'nodes/MessagingGateway/run/runOptions.ts',
		['engine/action/doNotContact'],
		[
			{
				find: 'const isSet = isObject(options) && Object.hasOwn(options, doNotContactWorkflow.name);',
				put: "const isSet = context.getNodeParameter('options.doNotContactWorkflow', 0, '');",
				why: 'an expression that gives nothing lets everybody be contacted',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayTrigger/delivery/share.ts',
		['engine/trigger/share'],
		[
			{
				find: 'const isTaken = items.length > 0 && !isRepeated;',
				put: 'const isTaken = items.length > 0;',
				why: 'what the service repeats for the one beneath starts the workflow again',
			},
			{
				find: 'if (response.statusCode !== 200) onRefusal();',
				put: '',
				why: 'what n8n could not take is lost when the service repeats it',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayTrigger/delivery/passOn.ts',
		['engine/trigger/share'],
		[
			{
				find: 'trail.includes(by)',
				put: 'trail.length > 99',
				why: 'two that share pass a delivery round for ever',
			},
			{
				find: "if (code === 'ETIMEDOUT') return failed(504",
				put: "if (code === 'TIMEOUT') return failed(504",
				why: 'the service is answered that nobody is there, where somebody is slow',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayTrigger/delivery/verify.ts',
		['engine/trigger/delivery', 'unit/trigger/verify'],
		[
			{
				find: '.finally(() => reads.delete(node))',
				put: '',
				why: 'a key that was changed counts for ever',
			},
			{
				find: 'if (isRight && !isTest) learn',
				put: 'if (!isTest) learn',
				why: 'a secret that was refused once is let in the next time',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayTrigger/delivery/shape.ts',
		['unit/trigger/shape'],
		[
			{
				find: 'status: [statusmessage, status]',
				put: 'status: [status, statusmessage]',
				why: 'the HTTP status of an answer is taken for that of its message',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayStatusTrigger/poll.ts',
		['unit/statusTrigger', 'engine/statusTrigger'],
		[
			{ find: 'underWay.delete(data);', put: '', why: 'a node polls once and never again' },
			{
				find: 'memory.next = unread?.key;',
				put: '',
				why: 'sources at the end of a long list are never read',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayStatusTrigger/failures.ts',
		['unit/statusTrigger', 'engine/statusTrigger/failures'],
		[
			{
				find: 'last.hasEnded ||=',
				put: 'last.hasEnded =',
				why: 'what fails on and off is reported each time',
			},
			{
				find: "(mode === 'update' && failing.has(kind))",
				put: "(mode === 'update' && memory.failing.has(kind))",
				why: 'a failure of a single poll is reported',
			},
			{
				find: 'if (pause?.account === account && pause.until >= until) return;',
				put: 'if (pause && pause.until >= until) return;',
				why: 'the pause of another account hides that of this one',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayStatusTrigger/state.ts',
		['unit/statusTrigger', 'engine/statusTrigger'],
		[
			{ find: 'room -= growth;', put: '', why: 'the state grows beyond what n8n can store' },
			{
				find: '...(event.options ? [statuses] : []),',
				put: '',
				why: 'another filter takes up what the last one had seen',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayStatusTrigger/histories.ts',
		['unit/statusTrigger'],
		[
			{
				find: 'history.endsWith(`\\n${status}`)',
				put: 'history.endsWith(status)',
				why: 'a status that ends as the last one did is no news',
			},
		],
	),
	...inFile(
		'nodes/MessagingGatewayStatusTrigger/events/apiKeyChanged.ts',
		['unit/statusTrigger', 'engine/statusTrigger'],
		[
			{
				find: 'const isNews = key.isMissing && !key.isGone;',
				put: 'const isNews = !key.isGone;',
				why: 'a key that one answer leaves out counts as gone',
			},
		],
	),
];
