/** What the workflows about consent share: their tables, and the rules by which they read them. */

/** The columns of each table. Those of `Do not contact` are the ones that lists had before. */
export const tables = {
	'Do not contact': ['number', 'to', 'since', 'source', 'words'],
	Consents: ['to', 'what', 'wording', 'source', 'execution', 'at'],
	'To review': ['number', 'to', 'words', 'holds', 'execution', 'at', 'told'],
	'Send log': [
		...['number', 'messageId', 'country', 'outcome', 'reason', 'status', 'workflow', 'execution'],
		...['sentAt', 'month', 'segments:number'],
	],
	'Service workflows': ['workflow', 'name', 'by'],
	Skipped: ['workflow', 'name', 'number', 'why', 'execution', 'at'],
	'Messages a week': ['to', 'workflow', 'at'],
	'Last check': ['what', 'at'],
	'Replies not stored': ['act', 'number', 'to', 'words', 'at'],
};

export type TableName = keyof typeof tables;

/** Those that a list is made of. */
export const listTables: TableName[] = ['Do not contact', 'Consents', 'To review'];

export const now = '{{ $now.toUTC().toISO() }}';

/** Whoever takes this many people into Data Tables has to move to PostgreSQL. */
export const mostPeople = 20_000;

/** Ends a STOP as the first line of a reply, whatever comes after. */
const stopWords = [
	...['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'REVOKE', 'OPT OUT', 'OPTOUT'],
	...['PARE', 'PARAR', 'SAIR', 'BAJA', 'ARRET'],
];
/** These answer reminders and menus too, so that they count as the whole reply only. */
const wholeStopWords = ['CANCEL', 'CANCELAR', 'END', 'QUIT', 'SALIR'];
const helpWords = ['HELP', 'AJUDA', 'AYUDA'];

/** Other words for it. A person decides what was meant. */
const otherWords = [
	...['TAKE ME OFF', 'REMOV', 'LEAVE ME ALONE', 'NO MORE', 'SPAM', '🛑', '🚫'],
	...['MY NUMBER', 'MEU NUMERO', 'MI NUMERO', 'MON NUMERO', 'MIO NUMERO', 'MEINE NUMMER'],
	...['GDPR', 'RGPD', 'LGPD', 'DSGVO', 'TCPA', 'REVOC', 'OPPOS'],
	...['TEXT', 'SEND', 'WRITE', 'CONTACT', 'MESSAGE'].flatMap((word) => [
		`DONT ${word}`,
		`DO NOT ${word}`,
	]),
	...['NAO QUERO', 'NAO ME', 'NAO MAND', 'NAO ENVI', 'CHEGA', 'PAREM', 'PARA DE', 'ME TIR'],
	...['TIREM', 'DESCADASTR', 'DESINSCR', 'DESUSCR', 'NO QUIERO', 'NO ME', 'NO ENVI', 'DEJEN'],
	...['DEJA DE', 'PAREN'],
	...['ARRETE', 'NE VEUX PLUS', 'PLUS DE MESSAGE', 'DESABONN', 'DESINSCRI', 'STOPP'],
	...['ABMELD', 'ABBESTELL', 'KEINE NACHRICHT', 'KEINE SMS', 'KEINE WERBUNG', 'NICHT MEHR'],
	...['BASTA', 'NON VOGLIO', 'DISISCRIV', 'CANCELLA', 'SMETT'],
];

/** The words by which replies are read, as people see and change them. */
export const wordLists = {
	stop: stopWords,
	wholeStop: wholeStopWords,
	help: helpWords,
	mayMeanStop: otherWords,
};

/** The text in capitals without accents and signs, so that `Párar!` is `PARAR`. */
const plain = (text: string) =>
	`={{ ${text}.normalize('NFKD').replace(/[\\u0300-\\u036f'’]/g, '').replace(/[^\\p{L}\\p{N}\\p{So}]+/gu, ' ').trim().toUpperCase() }}`;

/** A reply as the lists of words are written: all of it, and its first line. */
export const plainWords = {
	whole: plain('$json.words'),
	first: plain("($json.words.trim().split('\\n')[0] ?? '')"),
};

/** What to do about a reply by its words: stop, start, help, review, read, or nothing where it has none. */
export const actOfWords = `={{ ((lists, { whole, first }) => lists.stop.includes(whole) || lists.stop.includes(first) || lists.wholeStop.includes(whole) ? 'stop' : whole === 'START' ? 'start' : lists.help.includes(whole) ? 'help' : [...lists.stop, ...lists.wholeStop].some((word) => (' ' + whole + ' ').includes(' ' + word + ' ')) || lists.mayMeanStop.some((words) => (' ' + whole).includes(' ' + words)) ? 'review' : $json.words.trim() === '' ? '' : 'read')($('Words').first().json, $json) }}`;

/**
 * The digits of a sender as a service or a chat app writes it, e.g. `5511…`, `+55 11 …`, `5511…:2@c.us`;
 * empty for the chat app's own IDs and groups, which are no numbers.
 */
export const digitsOfSender =
	"/@(lid|g\\.us|broadcast|newsletter)/.test($json.number) ? '' : $json.number.split(/[:@]/)[0].replace(/\\D/g, '')";

/** The person whom a dry run has found, else the number itself if it could be one: a new range, for example. */
export const personOr = (digits: string, otherwise = "''") =>
	`$json.country ? $json.person : /^[1-9]\\d{7,14}$/.test(${digits}) ? '+' + ${digits} : ${otherwise}`;

/**
 * Whether a person may be sent marketing by the rows of `Consents` about them. An `in` has to be newer than
 * each `out`. START (`back`) is one only where there was an `in` before, and an import only where there
 * was never an `out`. A date that cannot be read is never newer, and an `out` with such a date lasts.
 */
export const mayMarket = (rows: string) =>
	`((rows) => { const at = ({ at }) => new Date(at).getTime(); const outs = rows.filter(({ what }) => what === 'out'); const isNewer = (row) => outs.every((out) => at(row) > at(out)) && !Number.isNaN(at(row)); return rows.some((row) => isNewer(row) && (row.what === 'in' ? row.source !== 'import' || outs.length === 0 : row.what === 'back' && rows.some((earlier) => earlier.what === 'in' && at(earlier) < at(row)))); })(${rows})`;

/** The rows about a number that a node before has read, of the item at hand. */
export const rowsAbout = (node: string) =>
	`$('${node}').all().map(({ json }) => json).filter(({ to }) => to === $json.to)`;

/** Whether the list lets a message through: the confirmation of the number's newest STOP, of its execution. */
export const isConfirmation = (outs: string) =>
	`($json.node === 'Confirm STOP' && String($json.execution) === String(${outs}.sort((a, b) => new Date(a.at) - new Date(b.at)).at(-1)?.execution))`;

export const wordsAfterStop =
	'You will get no more messages from us. Some that are already under way may still arrive.';
