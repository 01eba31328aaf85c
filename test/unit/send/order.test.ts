/** The law of order: messages to one number leave in their order, each after the answer to the one before. */
import { setImmediate as turn } from 'node:timers/promises';

import { sendSms } from '../../../nodes/MessagingGateway/operations/message/sendSms';
import { inProcess } from '../../../nodes/n8n/processState';
import { answer, run } from './support';

beforeEach(() => inProcess.clear());

const [ana, rui] = ['+5511912345678', '+5521998765432'];
const items = [
	{ to: ana, text: 'first' },
	{ to: ana, text: 'second' },
	{ to: rui, text: 'other' },
	{ to: ana, text: 'third' },
];

test('messages to one number keep their order; nobody else waits for it', async () => {
	const left: unknown[] = [];
	const underWay = new Map<unknown, number>();
	await run(sendSms, items, {
		answers: [answer(200, { success: true, messageId: 'm-1' })],
		async wait({ body }) {
			const { to, msg } = body as { to: string; msg: string };
			left.push(msg);
			underWay.set(to, (underWay.get(to) ?? 0) + 1);
			expect(underWay.get(to)).toBe(1);
			for (let turns = 0; turns < 20; turns++) await turn();
			underWay.set(to, 0);
		},
	});
	expect(left).toEqual(['first', 'other', 'second', 'third']);
});
