/** Where the workflows about consent keep their rows: twins that differ in this alone. */
import { now, tables, type TableName } from './consent';
import { dataTable, query, sameColumns } from './parameters';
import type { ExampleWorkflow, Place } from './workflow';

/** Nodes in a workflow: those that begin, and the one that goes on, with `to` and `at`. */
interface Part {
	first: string[];
	last: string;
}

export interface Store {
	/** The end of a file's name. */
	suffix: string;
	/** The end of a workflow's name. */
	where: string;
	/** Creates tables that are missing. */
	tables(workflow: ExampleWorkflow, name: string, place: Place, names: TableName[]): string[];
	/** Puts an item on the list, and keeps the evidence. An item has `number`, `to`, `words` and `at`. */
	block(workflow: ExampleWorkflow, place: Place, source: string): Part;
	/** Takes who answered START off, unless somebody else has entered the number. */
	lift(workflow: ExampleWorkflow, place: Place): Part;
	/** Keeps what may mean STOP, unless it is there, and holds back marketing until a person has read it. */
	review(workflow: ExampleWorkflow, place: Place, source: string): Part;
	/** Keeps what a person has to read, unless it is there. */
	read(workflow: ExampleWorkflow, place: Place): Part;
}

/** A busy store is asked again. */
export const patient = { retryOnFail: true, maxTries: 3, waitBetweenTries: 5000 };

/** The same, for all items at once. */
export const patientOnce = { executeOnce: true, ...patient };

/** A row of Consents about the item's person. */
export const evidence = (what: string, source: string, wording = `${source}-1`) => ({
	to: '={{ $json.to }}',
	what,
	wording,
	source,
	execution: '={{ $execution.id }}',
	at: '={{ $json.at }}',
});

const toReview = (holds: '' | 'marketing') =>
	dataTable.upsert('To review', ['number', 'words'], {
		...sameColumns('number', 'to', 'words'),
		holds,
		execution: '={{ $execution.id }}',
		at: '={{ $json.at }}',
	});

export const inDataTables: Store = {
	suffix: '',
	where: '',
	tables(workflow, name, [column, row], names) {
		const all = names.map((each, index) => {
			const title = index === 0 ? name : `${name}: ${each}`;
			const columns = dataTable.create(each, tables[each]);
			return workflow.dataTable(title, [column + index, row], columns, patientOnce);
		});
		workflow.chain(...all);
		return all.slice(0, 1);
	},
	block(workflow, [column, row], source) {
		const unlisted = dataTable.notExists('Do not contact', [['to', '={{ $json.to }}']]);
		const isNew = workflow.dataTable('Not Yet on the List', [column, row], unlisted, patient);
		const upsert = dataTable.upsert('Do not contact', ['to'], {
			...sameColumns('number', 'to'),
			since: '={{ $json.at }}',
			source,
			...sameColumns('words'),
		});
		const put = workflow.dataTable('Put on the List', [column + 1, row], upsert, patient);
		workflow.connect(isNew, put);
		const insert = dataTable.insert('Consents', evidence('out', source));
		const last = workflow.dataTable('Record STOP', [column, row + 1], insert, patient);
		return { first: [isNew, last], last };
	},
	lift(workflow, [column, row]) {
		const first = ['reply', 'form'].map((source, index) => {
			const rows = dataTable.delete('Do not contact', [
				['to', '={{ $json.to }}'],
				['source', source],
			]);
			const name = `Lift STOP by ${source === 'reply' ? 'Reply' : 'Form'}`;
			return workflow.dataTable(name, [column, row + index], rows, patient);
		});
		const insert = dataTable.insert('Consents', evidence('back', 'reply'));
		const last = workflow.dataTable('Record START', [column, row + 2], insert, patient);
		return { first: [...first, last], last };
	},
	review(workflow, [column, row], source) {
		const held = toReview('marketing');
		const hold = workflow.dataTable('Hold for Review', [column, row], held, patient);
		const insert = dataTable.insert('Consents', evidence('review', source));
		const last = workflow.dataTable('Record Review', [column + 1, row], insert, patient);
		workflow.connect(hold, last);
		return { first: [hold], last };
	},
	read(workflow, place) {
		const last = workflow.dataTable('Keep to Read', place, toReview(''), patient);
		return { first: [last], last };
	},
};

const sqlTables: Partial<Record<TableName, string>> = {
	'Do not contact': `CREATE TABLE IF NOT EXISTS do_not_contact (number text PRIMARY KEY, "to" text, since timestamptz DEFAULT now(), source text, words text);
    CREATE INDEX IF NOT EXISTS do_not_contact_to ON do_not_contact ("to");
    CREATE INDEX IF NOT EXISTS do_not_contact_entered ON do_not_contact (number) WHERE coalesce("to", '') = '';`,
	Consents: `CREATE TABLE IF NOT EXISTS consents ("to" text NOT NULL, what text NOT NULL, wording text, source text, execution text, at timestamptz NOT NULL DEFAULT now());
    CREATE INDEX IF NOT EXISTS consents_to ON consents ("to", what, at);`,
	'To review': `CREATE TABLE IF NOT EXISTS to_review (number text, "to" text, words text, holds text, execution text, at timestamptz DEFAULT now(), told timestamptz, PRIMARY KEY (number, words));`,
};

const sqlNames: Partial<Record<TableName, string>> = {
	'Do not contact': 'do_not_contact',
	Consents: 'consents',
	'To review': 'to_review',
};

/** An item as a row, with the execution that stores it. */
const reply = `WITH reply AS (SELECT * FROM json_to_record($1) AS item (number text, "to" text, words text, at timestamptz, execution text, id int))`;
const replyOf = '{ ...$json, execution: $execution.id }';

const recorded = (what: string, source: string) =>
	`INSERT INTO consents ("to", what, wording, source, execution, at) SELECT "to", '${what}', '${source}-1', '${source}', execution, at FROM reply
RETURNING (SELECT id FROM reply) AS kept, "to", to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, true AS stored;`;

const blocking = (source: string) => `${reply}, blocked AS (
  INSERT INTO do_not_contact (number, "to", since, source, words) SELECT number, "to", at, '${source}', words FROM reply
  WHERE NOT EXISTS (SELECT FROM do_not_contact AS listed WHERE listed."to" = reply."to") /* the first STOP stays */
  ON CONFLICT (number) DO UPDATE SET "to" = EXCLUDED."to" WHERE coalesce(do_not_contact."to", '') IN ('', 'to review')
)
${recorded('out', source)}`;

const lifting = `${reply}, lifted AS (
  DELETE FROM do_not_contact USING reply WHERE do_not_contact."to" = reply."to" AND source IN ('reply', 'form') /* nothing else */
)
${recorded('back', 'reply')}`;

const kept = (holds: '' | 'marketing') => `${reply}, kept AS (
  INSERT INTO to_review (number, "to", words, holds, execution, at) SELECT number, "to", words, '${holds}', execution, at FROM reply
  ON CONFLICT DO NOTHING
)`;

/**
 * A query, and whether it was carried out: n8n passes on the items themselves if a node with *On Error:
 * Continue* cannot reach its database. By the second output goes what is not stored.
 */
const part = (workflow: ExampleWorkflow, name: string, [column, row]: Place, sql: string): Part => {
	const more = { ...patient, onError: 'continueRegularOutput' as const };
	workflow.postgres(name, [column, row], sql, replyOf, more);
	const last = `${name}: Stored?`;
	workflow.if(last, [column + 1, row], '={{ $json.stored === true }}');
	workflow.connect(name, last);
	return { first: [name], last };
};

export const inPostgres: Store = {
	suffix: '-postgresql',
	where: ', in PostgreSQL',
	tables(workflow, name, place, names) {
		const sql = names.map((each) => sqlTables[each]).join('\n    ');
		const missing = names.map((each) => `to_regclass('${sqlNames[each]}')`).join(', ');
		const query_ = `DO $$ BEGIN
  IF num_nulls(${missing}) > 0 THEN
    PERFORM pg_advisory_xact_lock(hashtext('do_not_contact')); -- one creates them, the others wait
    ${sql}
  END IF;
END $$;`;
		const more = { executeOnce: true, onError: 'continueRegularOutput' as const };
		return [workflow.add(name, 'postgres@2.6', place, query(query_), more)];
	},
	block: (workflow, place, source) => part(workflow, 'Put on the List', place, blocking(source)),
	lift: (workflow, place) => part(workflow, 'Lift STOP', place, lifting),
	review: (workflow, place, source) => {
		const sql = `${kept('marketing')}\n${recorded('review', source)}`;
		return part(workflow, 'Hold for Review', place, sql);
	},
	read: (workflow, place) => {
		const sql = `${kept('')}\nSELECT id AS kept, "to", true AS stored FROM reply;`;
		return part(workflow, 'Keep to Read', place, sql);
	},
};

export const at = `=${now}`;
