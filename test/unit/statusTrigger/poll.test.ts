/** What all events share: the first poll, limits of time and room, test events. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { poll } from '../../../nodes/MessagingGatewayStatusTrigger/poll';
import { credential } from '../../../tools/shared/context';
import { makePollContext } from '../../../tools/shared/pollContext';
import {
	campaign,
	Clock,
	everyStatus,
	invalidToken,
	message,
	notFound,
	statuses,
	watch,
	watchMessages,
} from './support';

const event = 'messageStatusChanged';
const disconnected = { success: false, message: 'Instância desconectada.' };

describe('the state', () => {
	it('stays as it was if a poll fails, even if n8n has not stored it yet', async () => {
		const { node, service } = await watchMessages(['a', 'b']);
		const stored = structuredClone(node.stored);
		const parameters = { event, channel: 'sms', campaignIds: ['a', 'b', 'c'] };
		await node.activate({ parameters });
		service.answer = (id: string) => (id === 'b' ? notFound : everyStatus('queued')(id));
		node.stored = structuredClone(stored);
		await expect(node.activate({ parameters })).rejects.toThrow('[Campaign b]');
		expect(node.stored).toEqual(stored);
	});

	it.each([
		['activate', { v: 2 }],
		['init', { kept: 5 }],
		['leadershipChange', undefined],
		['update', 5],
	] as const)('starts afresh at %s with %j', async (activationMode, odd) => {
		const { node, service } = await watchMessages(['a', 'b']);
		const stored = node.stored.state as IDataObject;
		node.stored.state = typeof odd === 'object' ? { ...stored, ...odd } : odd;
		service.answer = everyStatus('sent');
		expect(await node.activate({ activationMode })).toEqual([]);
		service.answer = everyStatus('delivered');
		expect(statuses(await node.poll())).toEqual(['m-a delivered', 'm-b delivered']);
	});
});

it('refuses to store too much, and reports the changes of then once there is room', async () => {
	const { node, service } = await watchMessages(['a', 'b']);
	const kept = () => (node.stored.state as { kept: IDataObject }).kept;
	const { b } = kept();
	kept().b = { delivered: '0'.repeat(5_000_000) };
	service.answer = (id: string) => (id === 'b' ? notFound : everyStatus('sent')(id));
	expect(await node.restart()).toEqual([]);
	for (let polls = 0; polls < 2; polls++) expect(await node.poll()).toEqual([]);
	expect(node.failures).toEqual(['There are too many messages to watch']);
	await expect(node.activate()).rejects.toThrow(
		"Choose fewer campaigns in 'Campaign Names or IDs'",
	);
	kept().b = b;
	await node.restart();
	expect(statuses(node.items)).toEqual(['m-a sent']);
});

describe('many campaigns', () => {
	const ids = Array.from({ length: 60 }, (_, index) => `c-${index}`);

	it('are read ten at a time, and reported in the order entered', async () => {
		const { node, service } = await watchMessages(ids);
		let underWay = 0;
		let most = 0;
		service.answer = async (id: string) => {
			most = Math.max(most, ++underWay);
			await sleep(Math.random() * 5);
			underWay--;
			return everyStatus('sent')(id);
		};
		expect(statuses(await node.poll())).toEqual(ids.map((id) => `m-${id} sent`));
		expect(most).toBe(10);
	});

	it.each([[invalidToken], [disconnected], [{ statusCode: 403, body: {} }]])(
		'are not all read if the service refuses every request: %j',
		async (answer) => {
			const { node, service, asked } = await watchMessages(ids);
			service.answer = answer;
			await node.poll();
			expect(asked.length).toBeLessThanOrEqual(10);
		},
	);

	it('that take too long are continued by the next poll', async () => {
		const { node, service, asked } = await watchMessages(ids);
		const clocks = new Map<number, AbortController>();
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			clocks.set(ms, new AbortController());
			return clocks.get(ms)!.signal;
		});
		const polls: number[] = [];
		let answered = 0;
		service.answer = (id: string) => {
			if (++answered % 25 === 0) clocks.get(1_000)!.abort(); // requests in progress have 500 ms left
			return everyStatus('sent')(id);
		};
		const pollFor = async (budgetMs: number) =>
			(await node.activate({ activationMode: 'update', budgetMs })).length;
		while (node.items.length < ids.length) polls.push(await pollFor(1_500));
		expect(polls).toHaveLength(3);
		expect(asked.slice(0, ids.length)).toEqual(ids); // each poll starts where the last one ended
		expect(statuses(node.items).sort()).toEqual(ids.map((id) => `m-${id} sent`).sort());
		asked.length = 0;
		await pollFor(60_000);
		expect(asked[0]).not.toBe(ids[0]);
		expect(asked.sort()).toEqual([...ids].sort());
		expect(node.errors).toEqual([]);
	});
});

it('limits a poll to five minutes unless n8n has a limit', async () => {
	const clock = jest.spyOn(AbortSignal, 'timeout');
	await watchMessages(['a']);
	expect(clock.mock.calls).toEqual([[270_000], [30_000]]); // the poll and a request
	expect(clock.mock.results[0]!.value).toHaveProperty('onabort', null); // nothing keeps the poll
});

/** A poll that the service has not answered yet. */
async function pollUnderWay() {
	const { node, service, asked } = await watchMessages(['a']);
	let answer: (answered: unknown) => void = () => {};
	service.answer = async () => await new Promise((resolve) => (answer = resolve));
	const first = node.poll();
	while (asked.length < 1) await sleep(1);
	return { node, service, asked, first, answer };
}

it('does not start a poll before the last one has ended', async () => {
	const { node, service, asked, first, answer } = await pollUnderWay();
	expect(await node.poll()).toEqual([]);
	expect(asked).toHaveLength(1);
	answer(everyStatus('sent')('a'));
	expect(statuses(await first)).toEqual(['m-a sent']);
	service.answer = everyStatus('delivered');
	expect(statuses(await node.poll())).toEqual(['m-a delivered']);
});

it.each(['first', 'last'])(
	'is given up when the workflow is published again, as n8n before 2.41 reports its changes, too; answered %s',
	async (order) => {
		const clock = new Clock();
		const { node, service, first, answer } = await pollUnderWay();
		const sent = everyStatus('sent')('a');
		service.answer = async () => {
			if (order === 'last') return sent;
			answer(sent);
			await first;
			return sent;
		};
		expect(await node.activate({ activationMode: 'update' })).toHaveLength(1);
		answer(sent);
		await first;
		for (let polls = 0; polls < 3; polls++) {
			clock.pass(60);
			await node.poll();
		}
		expect(statuses(node.items)).toEqual(['m-a sent']);
	},
);

it("n8n's durable scheduler reads the state before the poll begins: a change is reported once", async () => {
	const clock = new Clock();
	const { node } = await watchMessages(['a']);
	const before = () => structuredClone(node.stored);
	const begin = async (staticData: IDataObject, status = 'sent') => {
		const parameters = { event, channel: 'sms', campaignIds: 'a' };
		const more = { nodeId: 'durable', answer: () => everyStatus(status)('a') };
		const activationMode = 'update';
		const context = makePollContext({ parameters, staticData, activationMode, ...more });
		return (await poll(context))?.flat().length;
	};
	const after = before();
	expect(await Promise.all([begin(after), begin(before())])).toEqual([1, undefined]);
	expect(await begin(before())).toBeUndefined();
	clock.pass(31);
	expect(await begin(before())).toBe(1); // n8n has not stored what was reported
	expect(await begin(after, 'delivered')).toBe(1);
});

describe("'Fetch Test Event'", () => {
	const manual = { mode: 'manual', activationMode: 'manual' } as const;

	const waiting = { campaignId: 'c-1', nome: 'N', statistics: { total: 2, queued: 2 } };
	const shown = { campaignId: 'c-1', campaignName: 'N', channel: 'sms', total: 2, queued: 2 };
	const isOpen = { connected: true, previouslyConnected: false };
	const isClosed = { connected: false, previouslyConnected: true };
	const isUnclear = { connected: null, previouslyConnected: null };

	it.each<[string, unknown, unknown]>([
		['campaignFinished', { campaigns: [waiting] }, shown],
		['connectionChanged', { state: 'open' }, isOpen],
		['connectionChanged', disconnected, isClosed],
		['connectionChanged', { message: 'Instância conectada.' }, isUnclear],
	])('of %s, with the answer %j', async (of, answer, expected) => {
		expect(await watch({ event: of }, answer).node.activate(manual)).toEqual([expected]);
	});

	it('shows a status that passes the filter, if there is one', async () => {
		const messages = [message('w', ''), message('x', 'sent'), message('y', 'error')];
		const answer = () => ({ campaigns: [campaign('c-1', ...messages)] });
		const { node: unfiltered } = watch({ event }, answer);
		expect(await unfiltered.activate(manual)).toMatchObject([
			{ messageId: 'x', status: 'sent', previousStatus: null },
		]);
		expect(unfiltered.stored).toEqual({});
		const { node } = watch({ event, options: { statuses: 'error' } }, answer);
		expect(statuses(await node.activate(manual))).toEqual(['y error']);
		messages.pop();
		await expect(node.activate(manual)).rejects.toMatchObject({
			message: 'There is nothing to show yet',
			description: expect.stringContaining('it does not need a test event'),
		});
		await expect(watch({ event }, notFound).node.activate(manual)).rejects.toThrow(
			'[Campaign c-1]',
		);
	});
});

it('asks nothing where the credential is for the n8n at another address, and says so', async () => {
	const { node, asked } = watch({ event }, everyStatus('sent'), {
		credential: { ...credential, n8nAddress: 'https://n8n.example.org' },
	});
	const refusal = 'only be used in the n8n at https://n8n.example.org';
	await expect(node.activate()).rejects.toThrow(refusal);
	await node.restart();
	await node.poll();
	expect(node.failures).toEqual([expect.stringContaining('at https://n8n.example.com')]);
	expect(asked).toEqual([]);
});
