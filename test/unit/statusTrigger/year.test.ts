/** What a trigger on all campaigns remembers, as time passes. */
import type { IDataObject } from 'n8n-workflow';

import { messageStatusChanged } from '../../../nodes/MessagingGatewayStatusTrigger/events/messageStatusChanged';
import { campaign, Clock, message, published } from './support';

const onAll = { event: 'messageStatusChanged', campaignIds: [] };
const hour = 60 * 60; // in seconds

let clock: Clock;
beforeEach(() => {
	clock = new Clock();
});

const sizeOf = (stored: IDataObject) => JSON.stringify(stored).length;

/** A year takes ten seconds; what is remembered has stopped growing long before. */
const days = process.env.THOROUGH ? 365 : 40;

it(`${days} days of 60 messages an hour: every change once, and never too much to store`, async () => {
	const states = ['queued', 'sent', 'delivered'];
	const perDay = 60 * 24;
	const seen = new Uint8Array(days * perDay);
	const settings = { settings: { statuses: [] } } as never;
	let kept: IDataObject = {};
	let twice = 0;
	let largest = 0;
	for (let day = 0; day < days; day++) {
		clock.pass(24 * hour);
		const first = Math.max(0, day - 3) * perDay; // the service lists four days
		const records = Array.from({ length: (day + 1) * perDay - first }, (_, offset) => {
			const index = first + offset;
			const state = states[Math.min(day - Math.floor(index / perDay), 2)]!;
			return { id: String(index), state, fields: { index } };
		});
		const found = await messageStatusChanged.compare(kept as never, records, settings);
		for (const { state, fields } of found.changes) {
			const bit = 1 << states.indexOf(state);
			const index = Number(fields.index);
			if (seen[index]! & bit) twice++;
			seen[index]! |= bit;
		}
		kept = JSON.parse(JSON.stringify(found.kept)) as IDataObject;
		largest = Math.max(largest, sizeOf(kept));
	}
	const ended = seen.subarray(0, (days - 2) * perDay);
	expect([twice, ended.every((bits) => bits === 7)]).toEqual([0, true]);
	expect(largest).toBeLessThan(400_000);
}, 900_000);

it('remembers what is no longer listed: 7 days if it is final, 30 days if it is not', async () => {
	const [a, b, c] = [message('a', 'delivered'), message('b', 'sent'), message('c', 'sent')];
	const { node, service } = await published(onAll, { campaigns: [campaign('c-1', a, b, c)] });
	const after = async (days: number, ...messages: Array<typeof a>) => {
		clock.pass(days * 24 * hour);
		service.answer = { campaigns: [campaign('c-1', ...messages)] };
		return (await node.poll()).map(({ messageId, status }) => `${messageId} ${status}`);
	};
	expect(await after(1, c)).toEqual([]);
	expect(await after(7, c)).toEqual([]);
	expect(await after(0, a, b, c)).toEqual([]); // as if it had never been away
	expect(await after(1, c)).toEqual([]);
	expect(await after(0, a, b, c)).toEqual([]);
	expect(await after(1, c)).toEqual([]);
	expect(await after(8, c)).toEqual([]);
	expect(await after(0, a, b, c)).toEqual(['a delivered']); // forgotten
	expect(await after(1, c)).toEqual([]);
	expect(await after(31, c)).toEqual([]);
	expect(await after(0, message('b', 'delivered'), c)).toEqual(['b delivered']);
	expect(await after(1)).toEqual([]); // an empty list says nothing
	expect(await after(31)).toEqual([]);
	expect(await after(0, c)).toEqual([]);
});

it('forgets nothing sooner because the clock was behind for a while', async () => {
	const [a, c] = [message('a', 'delivered'), message('c', 'sent')];
	const { node, service } = await published(onAll, { campaigns: [campaign('c-1', a, c)] });
	for (const hours of [0, -10 * 24, 0]) {
		clock.set(hours);
		service.answer = { campaigns: [campaign('c-1', c)] };
		expect(await node.poll()).toEqual([]);
	}
	service.answer = { campaigns: [campaign('c-1', a, c)] };
	expect(await node.poll()).toEqual([]);
});
