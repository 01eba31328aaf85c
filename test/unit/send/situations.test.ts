/** What the error of a list says in every situation: three sentences, of people. */
import type { IDataObject } from 'n8n-workflow';

import { hintsFor, type Operation } from '../../../nodes/send/operation';
import { findOperation } from '../../../nodes/MessagingGateway/operations';
import { notRepeated } from '../../../nodes/send/explain';
import { notStarted, type Fate } from '../../../nodes/send/job';
import { Report } from '../../../nodes/send/report';
import { Run } from '../../../nodes/send/run';
import { toNodeApiError } from '../../../nodes/service/requestError';
import { refused, unknown, type NotAccepted } from '../../../nodes/service/outcome';
import { makeContext, node } from '../../../tools/shared/context';
import { onceBy } from '../../../tools/shared/deduplication';
import { expectThreeSentences } from '../support/wording';

const sendSms = findOperation('message', 'sendSms')!;
const deletion = findOperation('campaign', 'delete')!;
const read = findOperation('webhook', 'get')!;

/** Over http, from a service that has accepted messages before. */
const failed = (outcome: NotAccepted, { uncertainty, ...fields }: Operation, endsRun = true) => {
	const hints = hintsFor(fields);
	const where = { origin: 'http://gateway.example' };
	const details = { uncertainty, hints, request: { path: '/v1/sms/enviar' } };
	const error = toNodeApiError(node, where, outcome, details);
	return { kind: outcome.kind, error, hint: error.description!, endsRun };
};
const lost = unknown({ kind: 'noAnswer', text: 'ECONNRESET' }) as NotAccepted;
const no = refused({ kind: 'rejected', status: 400, text: 'Sem saldo.' }) as NotAccepted;
const odd = refused({ kind: 'validation', status: 422, text: 'to: too short' }) as NotAccepted;

type Make = (operation: Operation) => Fate[];
const ok: Fate = { kind: 'accepted', output: [{ messageId: 'm-1' }] };
const times = (count: number, fate: Fate): Fate[] => Array.from({ length: count }, () => fate);

/** Of twenty items, if there is no other number. */
const lists: Record<string, Make> = {
	'no answer to the first': (of) => [failed(lost, of), ...times(19, notStarted)],
	'no answer to one in the middle': (of) => [
		...times(9, ok),
		failed(lost, of),
		...times(10, notStarted),
	],
	'no answer to the last': (of) => [...times(19, ok), failed(lost, of)],
	'the first refused': (of) => [failed(no, of), ...times(19, notStarted)],
	'one in the middle refused': (of) => [...times(9, ok), failed(no, of), ...times(10, notStarted)],
	'the last refused': (of) => [...times(19, ok), failed(no, of)],
	'ten at once': (of) => [
		...times(4, ok),
		...[failed(lost, of), failed(no, of), failed(odd, of), failed(no, of), failed(lost, of)],
		...[...times(3, failed(lost, of)), ...times(8, notStarted)],
	],
	'one of one in doubt': (of) => [failed(lost, of)],
	'one of one refused': (of) => [failed(no, of)],
	'one in doubt since before, then one refused': (of) => [
		...[...times(3, ok), failed(lost, of, false), failed(odd, of), ...times(15, notStarted)],
	],
};

interface Situation {
	operation?: Operation;
	options?: IDataObject;
	mode?: string;
	isCanceled?: boolean;
	isInEngine2?: boolean;
	journal?: object;
	isWithoutNumbers?: boolean;
	hasBegun?: boolean;
}

const lastingKey = onceBy('={{ $json.orderId }}') as IDataObject;
const momentKey = onceBy('={{ $execution.id }}') as IDataObject;

function errorIn(fates: Fate[], situation: Situation) {
	const { operation = sendSms, options = {}, mode = 'trigger' } = situation;
	const context = Object.assign(
		makeContext({ items: fates.map(() => ({})), parameters: { options } as never }),
		{ getMode: () => mode },
		situation.isInEngine2 && { getExecutionCancelSignal: () => undefined },
	);
	const run = new Run(context, operation);
	if (situation.journal) Object.assign(run, { journal: { ...run.journal, ...situation.journal } });
	if (situation.isCanceled) Object.assign(run, { cancel: AbortSignal.abort() });
	const report = Object.assign(new Report(run), { hasBegun: situation.hasBegun ?? true });
	if (!situation.isWithoutNumbers) {
		fates.forEach((_, item) => (report.destinations[item] = `+5511900${200_001 + item}`));
	}
	try {
		report.toOutputs(fates);
	} catch (error) {
		return error as Error & { description: string };
	}
	throw new Error('Nothing was thrown');
}

const situations: Record<string, Situation> = {
	'without a key': {},
	'with a lasting key': { options: lastingKey },
	'with a key of the moment': { options: momentKey },
	'in a sub-workflow': { mode: 'integrated' },
	'in a sub-workflow, with a lasting key': { mode: 'integrated', options: lastingKey },
	'in Engine 2.0': { isInEngine2: true },
	'canceled, or after the time-out': { isCanceled: true },
	'canceled, with a lasting key': { isCanceled: true, options: lastingKey },
	'in a retry without a record, with a lasting key': {
		...{ journal: { isForgotten: true }, options: lastingKey },
	},
	'of a deletion, without numbers': { operation: deletion, isWithoutNumbers: true },
	'of reads, without numbers': { operation: read, isWithoutNumbers: true },
	'of reads in a sub-workflow': { operation: read, isWithoutNumbers: true, mode: 'integrated' },
	'of values, before anything was sent': { hasBegun: false },
};

test('every error, from the first to the last word, helps', () => {
	const lines = Object.entries(situations).flatMap(([name, situation]) =>
		Object.entries(lists).map(([list, make]) => {
			const fates = make(situation.operation ?? sendSms);
			const { message, description } = errorIn(fates, situation);
			const text = `${message} ${description}`;
			const isRead = situation.operation === read;
			expectThreeSentences(message, description);
			expect(text).not.toMatch(/https:/);
			if (!situation.isWithoutNumbers) expect(text).not.toMatch(/\bitems? \d/i);
			if (situation.options) expect(text).not.toMatch(/'Deduplication'|has a key/);
			if (fates.some(({ kind }) => kind === 'unknown')) {
				expect(text).toMatch(isRead ? /failed|without an answer/ : / may have (got it|been )/);
				if (!isRead) expect(text).not.toMatch(/try again|once more|resend/i);
			}
			return `${name}, ${list}: ${message} | ${description}`;
		}),
	);
	expect(lines.join('\n')).toMatchSnapshot();
});

/** What keeps all of a retry from being sent is no matter of the item that it came to first. */
test.each<[string, readonly [string, string], object, Fate[]]>([
	[
		'had another retry',
		notRepeated.retriedBefore(sendSms.uncertainty!),
		{ inherited: '7 0' },
		times(9, ok),
	],
	['has no record', notRepeated.forgotten(sendSms.uncertainty!), { isForgotten: true }, []],
])('the retry of an execution that %s says so, and that alone', (_, [, hint], journal, before) => {
	const taken: Fate = { ...failed(no, sendSms), hint };
	const { message, description } = errorIn([...before, taken, notStarted], { journal });
	expectThreeSentences(message, description);
	expect(description).toBe(hint);
});
