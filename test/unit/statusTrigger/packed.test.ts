import { randomUUID } from 'node:crypto';
import fc from 'fast-check';

import { pack, shortId, unpack } from '../../../nodes/MessagingGatewayStatusTrigger/histories';

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

test('an id of any length takes twelve characters', () => {
	for (const id of ['', 'a', randomUUID(), 'x'.repeat(1_000)]) {
		expect(shortId(id)).toMatch(/^[\w-]{12}$/);
	}
	expect(shortId('a')).not.toBe(shortId('b'));
});

test('100,000 messages take some 1.2 MB, and none is taken for another', () => {
	const histories = new Map<string, string>();
	for (let count = 0; count < 100_000; count++) {
		histories.set(shortId(randomUUID()), ['queued', 'queued\nsent'][count % 2]!);
	}
	expect(histories.size).toBe(100_000);
	expect(JSON.stringify(pack(histories)).length).toBeLessThan(1_200_100);
});

test('what somebody has put in its place is not read', () => {
	expect(unpack({ queued: 5, sent: null, delivered: ['abc'] })).toEqual(new Map());
});
