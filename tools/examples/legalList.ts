import { listTables } from './consent';
import { inPostgres } from './stores';
import { ExampleWorkflow, keepsNoData } from './workflow';

/**
 * Rows of a list required by law are its own, beside those of people who wrote STOP: START lifts the latter
 * alone. A list that has lost half of its rows was not read whole, so that nobody is taken off by it.
 */
const bringIn = `WITH setting AS (SELECT $1::json AS it), listed AS (
  SELECT DISTINCT '+' || CASE WHEN entered LIKE '+%' OR entered LIKE '00%' THEN '' ELSE it ->> 'countryCode' END
    || regexp_replace(regexp_replace(entered, '^00', ''), '\\D', '', 'g') AS "to"
  FROM setting, json_array_elements_text(it -> 'numbers') AS entered WHERE length(regexp_replace(entered, '\\D', '', 'g')) > 5
), source AS (SELECT it ->> 'list' AS name FROM setting), left_it AS (
  DELETE FROM do_not_contact USING source WHERE source = source.name AND "to" NOT IN (SELECT "to" FROM listed)
  AND (SELECT count(*) FROM listed) * 2 > (SELECT count(*) FROM do_not_contact AS rows WHERE rows.source = source.name)
)
INSERT INTO do_not_contact (number, "to", source) SELECT name || ' ' || "to", "to", name FROM listed, source
ON CONFLICT (number) DO NOTHING;`.replace(
	'WHERE source = source.name',
	'WHERE do_not_contact.source = source.name',
);

/** Brings a list of numbers that the law forbids to contact into PostgreSQL, every month. */
export function legalList(): ExampleWorkflow {
	const workflow = new ExampleWorkflow(
		'legal-list-postgresql',
		'Legal list, in PostgreSQL',
		keepsNoData,
	);
	workflow.notes(300, [480, 400], {
		Overview:
			'## A list required by law\n\n1. Import **Do not contact, in PostgreSQL** first: this workflow fills its list.\n2. Select your **Postgres** credential in both Postgres nodes.\n3. Enter in **Settings** the name of the list (*Não Me Ligue*, *Robinson*, *REPEP*, *DNC*), where its CSV file is, the column with the number, and the country code of numbers without +. Publish.\n\nWho gets the file, and how, is between you and the list.',
		Rows: "## What it does\n\nEach number is a row whose `source` is the list's name, beside that of a STOP: START does not lift it. Who is no longer listed is taken off, unless the file has lost half of its rows.",
	});
	workflow.add('When Clicking Execute', 'manualTrigger@1', [0, 0]);
	workflow.schedule('Every Month', [0, 1], { field: 'months', triggerAtHour: 4 });
	workflow.set('Settings', [1, 0], {
		list: 'Não Me Ligue',
		address: 'https://example.com/list.csv',
		column: 'phone',
		countryCode: '55',
	});
	workflow.add('Download', 'httpRequest@4.2', [2, 0], {
		url: '={{ $json.address }}',
		options: { response: { response: { responseFormat: 'file' } } },
	});
	workflow.add('Rows', 'extractFromFile@1', [3, 0], { operation: 'csv', options: {} });
	const numbers =
		"={{ JSON.stringify({ ...$('Settings').first().json, numbers: $input.all().map(({ json }) => String(json[$('Settings').first().json.column] ?? '')) }) }}";
	workflow.set('All Numbers', [4, 0], { all: numbers }, { executeOnce: true });
	const [table] = inPostgres.tables(workflow, 'Table', [5, 0], listTables);
	const all = "JSON.parse($('All Numbers').first().json.all)";
	workflow.postgres('Bring In', [6, 0], bringIn, all);
	workflow.connect('Every Month', 'Settings');
	workflow.chain(
		...['When Clicking Execute', 'Settings', 'Download', 'Rows', 'All Numbers', table!, 'Bring In'],
	);
	return workflow;
}
