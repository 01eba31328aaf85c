import { randomUUID } from 'node:crypto';
import fc from 'fast-check';

import {
	advance,
	asStatus,
	latestOf,
	pack,
	shortId,
	unpack,
} from '../../../nodes/MessagingGatewayStatusTrigger/histories';

test.each<[string, string[], string, string | undefined]>([
	['the first one', [], 'queued', 'queued'],
	['a step', ['queued'], 'sent', 'queued, sent'],
	['a jump', ['queued'], 'delivered', 'queued, delivered'],
	['the same again', ['queued', 'sent'], 'sent', undefined],
	['back to one that it had', ['queued', 'sent'], 'queued', undefined],
	['back to one that it never had', ['delivered'], 'sent', undefined],
	['back to one that it never had, written otherwise', ['Delivered'], 'PENDING', undefined],
	['back past a name that nobody knows', ['sent', 'lida'], 'queued', undefined],
	['two words for the same place', ['pending'], 'queued', 'pending, queued'],
	['one end after another', ['delivered'], 'error', 'delivered, error'],
	['back from one end to another that it had', ['delivered', 'error'], 'delivered', undefined],
	['a name that nobody knows', ['delivered'], 'lida', 'delivered, lida'],
	['a known one after it', ['lida'], 'queued', 'lida, queued'],
	['such a name once more', ['lida', 'sent'], 'lida', undefined],
	['a name of JavaScript', ['sent'], 'constructor', 'sent, constructor'],
	['the same in capitals', ['sent', 'Lida'], 'LIDA', undefined],
	['the first of many', ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11'], '1', undefined],
	['one that was cut at 100 characters', ['a'.repeat(100)], asStatus('A'.repeat(140)), undefined],
	[
		'one that is like the beginning of one that was cut',
		['a'.repeat(100)],
		'a'.repeat(99),
		`${'a'.repeat(100)}, ${'a'.repeat(99)}`,
	],
	['none', ['sent'], '', undefined],
	['none, at first', [], '', undefined],
])('%s', (_, had, status, expected) => {
	const history = had.length > 0 ? had.join('\n') : undefined;
	expect(advance(history, status)?.split('\n').join(', ')).toBe(expected);
});

test.each<[unknown, string]>([
	['sent', 'sent'],
	['NÃO LIDA'.normalize('NFD'), 'NÃO LIDA'.normalize('NFC')],
	[' sent\r\n now ', 'sent now'],
	[3, '3'],
	[true, 'true'],
	[undefined, ''],
	[null, ''],
	[{}, ''],
	[['sent'], ''],
	['a'.repeat(99), 'a'.repeat(99)],
])('the status %j is remembered as %j', (value, status) => {
	expect(asStatus(value)).toBe(status);
});

test('a long status is remembered by its beginning and a digest', () => {
	const [one, other] = ['1', '2'].map((end) => asStatus(`${'a'.repeat(100)}${end}`));
	expect(one).toMatch(/^a{99}\t[\w-]{12}$/);
	expect(other).not.toBe(one);
	expect(latestOf(`queued\n${one}`)).toBe(`${'a'.repeat(99)}…`);
});

test('the latest status is the last one of a history', () => {
	expect(latestOf('queued')).toBe('queued');
	expect(latestOf('queued\nsent')).toBe('sent');
});

test('what was packed comes out again, also after n8n has stored it', () => {
	const names = fc.oneof(fc.constantFrom('queued', '__proto__', 'constructor', '1'), fc.string());
	const histories = fc.array(fc.tuple(fc.string(), names), { maxLength: 50 });
	fc.assert(
		fc.property(histories, (entries) => {
			const all = new Map(entries.map(([id, history]) => [shortId(id), history]));
			const stored = JSON.parse(JSON.stringify(pack(all))) as ReturnType<typeof pack>;
			expect(unpack(stored)).toEqual(all);
		}),
	);
});

test('an id of any length takes twelve characters: 100,000 take some 1.2 MB, and none is another', () => {
	for (const id of ['', 'a', 'x'.repeat(1_000)]) expect(shortId(id)).toMatch(/^[\w-]{12}$/);
	const histories = new Map<string, string>();
	for (let count = 0; count < 100_000; count++) {
		histories.set(shortId(randomUUID()), ['queued', 'queued\nsent'][count % 2]!);
	}
	expect(histories.size).toBe(100_000);
	expect(JSON.stringify(pack(histories)).length).toBeLessThan(1_200_100);
});

test('what somebody has put in the place of a history is not read', () => {
	expect(unpack({ queued: 5, sent: null, delivered: ['abc'] })).toEqual(new Map());
});
