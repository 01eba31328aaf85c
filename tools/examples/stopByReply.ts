import {
	actOfWords,
	digitsOfSender,
	mostPeople,
	personOr,
	wordsAfterStop,
	type TableName,
} from './consent';
import { dataTable, fields, outputs, query, readNumber, sms, where } from './parameters';
import { at, inDataTables, patient, type Store } from './stores';
import { ExampleWorkflow, type Place } from './workflow';

const company = 'Acme';
const continues = { onError: 'continueRegularOutput' as const };

/** Reads replies, and acts on those that say STOP, START or HELP in any way. */
export function stopByReply(store: Store): ExampleWorkflow {
	const list = store.where ? 'Do not contact, in PostgreSQL' : 'Do not contact, in a Data Table';
	const workflow = new ExampleWorkflow(
		`stop-by-reply${store.suffix}`,
		`STOP by reply${store.where}`,
	);
	workflow.note(
		'Overview',
		`## Replies that say STOP\n\n1. Import **${list}** first: this workflow fills its list.\n2. Select your **Messaging Gateway** credential${store.where ? ', your **Postgres** credential' : ''} and one that sends e-mail in the nodes that ask for it.\n3. Enter your company in **Confirm STOP** and **Answer HELP**, and a colleague in **Tell Colleague** and **E-Mail**. Publish.\n\nSTOP is confirmed once a day per number. START lifts a STOP by reply or form, never what you entered.`,
		[480, 320],
	);
	workflow.note(
		'Fields',
		"## Where are the number and the text?\n\nYour service's documentation does not say. Press **Execute step** in **Reply**, send yourself a message and answer it, and choose the fields in **Number and Words**.\n\nOnly deliveries from a person are read: they have a sender, no status, and not the ID of one of your messages.",
		[400, 320],
	);
	workflow.note(
		'Words',
		`## No reply is lost\n\nSTOP, STOPALL, UNSUBSCRIBE, REVOKE, OPT OUT, PARE, PARAR, SAIR, BAJA and ARRET count as the first line, CANCEL, CANCELAR, END, QUIT and SALIR as the whole reply.\n\nWhat else contains one of them or says it in other words goes to **To review**, and holds back marketing. Every 15 minutes, a colleague is told. Delete a row when you have decided, and enter who wants no messages in **Do not contact**.\n\n${store.where ? 'While the database cannot be reached, replies are kept in the Data Table **Replies not stored**, and brought in every five minutes.' : "If n8n's own database fails, your service has to repeat the delivery, or you press *Retry*. Data Tables have room for about 20,000 people: take PostgreSQL for more."}`,
		[460, 320],
	);

	const reply = workflow.add('Reply', 'messagingGatewayTrigger@2', [0, 2], { options: {} });
	const names: TableName[] = ['Do not contact', 'Consents', 'To review'];
	const tables = store.tables(workflow, 'Tables', [1, 0], names);
	workflow.add(
		'Number and Words',
		'set@3.4',
		[1, 2],
		fields({
			number: "={{ ($json.from ?? '').toString().trim() }}",
			words: "={{ ($json.text ?? '').toString() }}",
			status: "={{ $json.status ?? $json._gateway.status ?? '' }}",
			messageId: "={{ $json._gateway.messageId ?? '' }}",
			at,
		}),
	);
	workflow.connect(reply, [...tables, 'Number and Words']);
	const all = { includeOtherFields: true };
	workflow.add('What It Says', 'set@3.4', [2, 2], {
		...fields({ act: actOfWords, digits: `={{ ${digitsOfSender} }}` }),
		...all,
	});
	workflow.add(
		'Is from a Person',
		'filter@2.2',
		[3, 2],
		where("={{ $json.number !== '' && $json.status === '' && $json.act !== '' }}"),
	);
	const checks = isNotOurs(workflow, 'Is from a Person', [4, 2]);
	workflow.add(
		'Read Number',
		'messagingGateway@1',
		[7, 2],
		readNumber("={{ $('What It Says').item.json.digits.replace(/^(?=\\d)/, '+') }}"),
		continues,
	);
	const of = (field: string) => `={{ $('What It Says').item.json.${field} }}`;
	workflow.add(
		'Person',
		'set@3.4',
		[8, 2],
		fields({
			act: of('act'),
			number: of('number'),
			words: of('words'),
			at: of('at'),
			to: `={{ ${personOr("$('What It Says').item.json.digits")} }}`,
			isRead: ['boolean', '={{ !!$json.country }}'],
		}),
	);
	workflow.add(
		'What to Do',
		'switch@3.2',
		[9, 2],
		outputs({
			Stop: "={{ $json.act === 'stop' && $json.to !== '' }}",
			Start: "={{ $json.act === 'start' && $json.to !== '' }}",
			Help: "={{ $json.act === 'help' && $json.to !== '' }}",
			Review: "={{ $json.act === 'review' || ($json.isRead === false && $json.act !== 'help') }}",
		}),
	);
	workflow.chain('Number and Words', 'What It Says', 'Is from a Person', checks.first);
	workflow.chain(checks.last, 'Read Number', 'Person', 'What to Do');
	passOn(workflow);

	const block = store.block(workflow, [10, 0], 'reply');
	const lift = store.lift(workflow, [10, 2]);
	const review = store.review(workflow, [10, 6], 'reply');
	const oncePerDay = (key: string) => ({
		deduplication: { values: { key, oncePer: 'keyAndNumber' } },
	});
	workflow.add(
		'Confirm STOP',
		'messagingGateway@1',
		[12, 1],
		sms(
			'={{ $json.to }}',
			`${company}: ${wordsAfterStop} To get them again, reply START.`,
			oncePerDay('=stop-{{ $json.at.slice(0, 10) }}'),
		),
		continues,
	);
	workflow.add(
		'Answer HELP',
		'messagingGateway@1',
		[10, 5],
		sms(
			'={{ $json.to }}',
			`${company}: we text you about your orders and offers. Questions: help@example.com. Reply STOP to opt out.`,
			oncePerDay('=help-{{ $json.at.slice(0, 10) }}'),
		),
		continues,
	);
	workflow.connect('What to Do', block.first, 0);
	workflow.connect('What to Do', lift.first, 1);
	workflow.connect('What to Do', 'Answer HELP', 2);
	workflow.connect('What to Do', review.first, 3);
	workflow.connect(block.last, 'Confirm STOP');
	if (store !== inDataTables) keepUntilStored(workflow, [block.last, lift.last, review.last]);
	tellColleague(workflow, store);
	return workflow;
}

/**
 * Lets through what is none of the account's own messages, by the ID that a node has read.
 *
 * @returns the names of the first node and of the last
 */
export function isNotOurs(
	workflow: ExampleWorkflow,
	source: string,
	[column, row]: Place,
): { first: string; last: string } {
	const names = ['Is It Our SMS?', 'Is It Our Chat Message?'] as const;
	for (const [index, name] of names.entries()) {
		const channel = index === 0 ? 'sms' : 'chatApp';
		const messageId = `={{ $('${source}').item.json.messageId }}`;
		const parameters = {
			resource: 'message',
			operation: 'getStatus',
			channel,
			messageId,
			options: {},
		};
		workflow.add(name, 'messagingGateway@1', [column + index, row], parameters, continues);
	}
	workflow.add(
		'Is Not Ours',
		'filter@2.2',
		[column + 2, row],
		where("={{ !$('Is It Our SMS?').item.json.messageId && !$json.messageId }}"),
	);
	workflow.chain(...names, 'Is Not Ours');
	return { first: names[0], last: 'Is Not Ours' };
}

/** Gives another workflow what is neither STOP, START nor HELP, once a person has chosen it there. */
function passOn(workflow: ExampleWorkflow): void {
	workflow.add(
		'Is Another Reply',
		'filter@2.2',
		[3, 3],
		where(
			"={{ $json.number !== '' && $json.status === '' && $json.act === '' && $json.words.trim() !== '' }}",
		),
	);
	workflow.add(
		'Answer Replies',
		'executeWorkflow@1.3',
		[4, 3],
		{ workflowId: { __rl: true, mode: 'list', value: '' }, options: { waitForSubWorkflow: false } },
		{ ...continues, disabled: true },
	);
	workflow.chain('What It Says', 'Is Another Reply', 'Answer Replies');
}

/** Keeps in n8n what the database could not take, and brings it in later. */
function keepUntilStored(workflow: ExampleWorkflow, stores: string[]): void {
	const kept = 'Replies not stored';
	const of = (field: string) => `={{ $json.${field} ?? $('What to Do').item.json.${field} }}`;
	const reply = { number: of('number'), words: of('words'), at: of('at') };
	inDataTables.tables(workflow, 'Table of Replies', [1, 8], [kept]);
	workflow.add('Every 5 Minutes', 'scheduleTrigger@1.2', [0, 8], {
		rule: { interval: [{ field: 'minutes', minutesInterval: 5 }] },
	});
	workflow.add(
		'Kept Replies',
		'dataTable@1.1',
		[2, 8],
		dataTable.get(kept, [['number', 'isNotEmpty']]),
	);
	workflow.add(
		'Keep Reply',
		'dataTable@1.1',
		[12, 8],
		dataTable.upsert(kept, Object.entries(reply), { ...reply, act: of('act'), to: of('to') }),
		patient,
	);
	inDataTables.tables(workflow, 'Same Table of Replies', [12, 7], [kept]);
	workflow.add('Was Kept', 'filter@2.2', [12, 3], where('={{ !!$json.kept }}'));
	workflow.add(
		'Forget Reply',
		'dataTable@1.1',
		[13, 3],
		dataTable.delete(kept, [['id', '={{ $json.kept }}']]),
		patient,
	);
	workflow.connect('Was Kept', 'Forget Reply');
	workflow.chain('Every 5 Minutes', 'Table of Replies', 'Kept Replies', 'What to Do');
	for (const store of stores) {
		workflow.connect(store, 'Was Kept');
		workflow.connect(store, ['Same Table of Replies', 'Keep Reply'], 1);
	}
}

/** Every 15 minutes, one SMS about the replies that nobody has been told of; an e-mail if anything fails. */
function tellColleague(workflow: ExampleWorkflow, store: Store): void {
	const row = 10;
	const isSql = store !== inDataTables;
	workflow.add('Every 15 Minutes', 'scheduleTrigger@1.2', [0, row], {
		rule: { interval: [{ field: 'minutes', minutesInterval: 15 }] },
	});
	const tables = store.tables(
		workflow,
		'Same Tables',
		[1, row - 1],
		['Do not contact', 'Consents', 'To review'],
	);
	if (isSql) {
		workflow.add(
			'Open Rows',
			'postgres@2.6',
			[1, row],
			query(
				'SELECT count(*)::int AS open, max(at)::text AS newest FROM to_review HAVING count(*) FILTER (WHERE told IS NULL) > 0;',
			),
		);
	} else {
		workflow.add(
			'Not Told Yet',
			'dataTable@1.1',
			[1, row],
			dataTable.get('To review', [['told', 'isEmpty']]),
		);
		workflow.add(
			'All Rows',
			'dataTable@1.1',
			[2, row],
			dataTable.get('To review', [['number', 'isNotEmpty']]),
			{ executeOnce: true },
		);
		workflow.add(
			'Open Rows',
			'set@3.4',
			[3, row],
			fields({ open: ['number', "={{ $('All Rows').all().length }}"] }),
			{ executeOnce: true },
		);
		workflow.chain('Not Told Yet', 'All Rows', 'Open Rows');
	}
	workflow.connect('Every 15 Minutes', [...tables, isSql ? 'Open Rows' : 'Not Told Yet']);
	workflow.add(
		'Tell Colleague',
		'messagingGateway@1',
		[4, row],
		sms('+55 11 9XXXX-XXXX', `=${company}: replies to read in "To review": {{ $json.open }}.`),
	);
	workflow.add('Was Told', 'filter@2.2', [5, row], where('={{ !!$json.messageId }}'));
	workflow.add(
		'Mark as Told',
		isSql ? 'postgres@2.6' : 'dataTable@1.1',
		[6, row],
		isSql
			? query(
					"UPDATE to_review SET told = now() WHERE told IS NULL AND at <= ($1::json ->> 'newest')::timestamptz;",
					"$('Open Rows').item.json",
				)
			: dataTable.update(
					'To review',
					[
						['told', 'isEmpty'],
						['id', 'lte', "={{ Math.max(...$('Not Told Yet').all().map(({ json }) => json.id)) }}"],
					],
					{ told: at },
				),
	);
	workflow.chain('Open Rows', 'Tell Colleague', 'Was Told', 'Mark as Told');

	if (!isSql) warnBeforeFull(workflow, row + 4);
	workflow.add('When Anything Fails', 'errorTrigger@1', [0, row + 2]);
	workflow.add('E-Mail', 'emailSend@2.1', [1, row + 2], {
		fromEmail: 'n8n@example.com',
		toEmail: 'colleague@example.com',
		subject: '=n8n: {{ $json.workflow.name }} failed',
		emailFormat: 'text',
		text: '=A reply may not have been stored: {{ $json.execution?.error?.message }}\n\nOpen the execution, mend what is wrong, and press Retry: {{ $json.execution?.url }}',
		options: { appendAttribution: false },
	});
	workflow.connect('When Anything Fails', 'E-Mail');
}

/** Once a day, whether the Data Tables have room for more people: rows of Consents are never deleted. */
function warnBeforeFull(workflow: ExampleWorkflow, row: number): void {
	workflow.add('Every Morning', 'scheduleTrigger@1.2', [0, row], {
		rule: { interval: [{ triggerAtHour: 8 }] },
	});
	const [table] = inDataTables.tables(workflow, 'Consents Table', [1, row], ['Consents']);
	workflow.add(
		'Newest Consent',
		'dataTable@1.1',
		[2, row],
		dataTable.get('Consents', [['to', 'isNotEmpty']], {
			...{ returnAll: false, limit: 1 },
			...{ orderBy: true, orderByColumn: 'id', orderByDirection: 'DESC' },
		}),
	);
	const most = 0.6 * mostPeople;
	workflow.add('60 % Are Used', 'filter@2.2', [3, row], where(`={{ $json.id >= ${most} }}`));
	workflow.add(
		'Warn Colleague',
		'messagingGateway@1',
		[4, row],
		sms(
			'+55 11 9XXXX-XXXX',
			`=${company}: Consents has {{ $json.id }} rows. When n8n's Data Tables are full, nothing is sent: move to PostgreSQL.`,
		),
	);
	workflow.chain('Every Morning', table!, 'Newest Consent', '60 % Are Used', 'Warn Colleague');
}
