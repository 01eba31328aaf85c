import fc from 'fast-check';

import {
	advance,
	asStatus,
	pack,
	shortId,
	unpack,
} from '../../../nodes/MessagingGatewayStatusTrigger/events/campaigns';

test.each<[string, string[], string, string | undefined]>([
	['the first status', [], 'queued', 'queued'],
	['a step', ['queued'], 'sent', 'queued, sent'],
	['a jump', ['queued'], 'delivered', 'queued, delivered'],
	['the same again', ['queued', 'sent'], 'sent', undefined],
	['back to an earlier status', ['queued', 'sent'], 'queued', undefined],
	['back to a status that it skipped', ['delivered'], 'sent', undefined],
	['the same, in another case', ['Delivered'], 'PENDING', undefined],
	['back past an unknown status', ['sent', 'lida'], 'queued', undefined],
	['two statuses of one stage', ['pending'], 'queued', 'pending, queued'],
	['one final status after another', ['delivered'], 'error', 'delivered, error'],
	['back to an earlier final status', ['delivered', 'error'], 'delivered', undefined],
	['an unknown status', ['delivered'], 'lida', 'delivered, lida'],
	['a known one after it', ['lida'], 'queued', 'lida, queued'],
	['an unknown status again', ['lida', 'sent'], 'lida', undefined],
	['a name of JavaScript', ['sent'], 'constructor', 'sent, constructor'],
	['an unknown status in capitals', ['sent', 'Lida'], 'LIDA', undefined],
	['the first of many', ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11'], '1', undefined],
	['none', ['sent'], '', undefined],
	['none at first', [], '', undefined],
])('%s', (_, had, status, expected) => {
	const history = had.length > 0 ? had.join('\n') : undefined;
	expect(advance(history, status)?.split('\n').join(', ')).toBe(expected);
});

test.each<[unknown, string]>([
	['sent', 'sent'],
	[' sent\r\n now ', 'sent now'],
	[3, '3'],
	[undefined, ''],
	[null, ''],
	[{}, ''],
	[['sent'], ''],
	['a'.repeat(100), 'a'.repeat(99)],
])('the status %j is stored as %j', (value, status) => {
	expect(asStatus(value)).toBe(status);
});

test('histories survive packing, and storage in n8n', () => {
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
