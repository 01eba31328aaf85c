import type { IDataObject } from 'n8n-workflow';

import { messageStatusChanged } from '../../../nodes/MessagingGatewayStatusTrigger/events/messageStatusChanged';
import { unpack } from '../../../nodes/MessagingGatewayStatusTrigger/histories';
import { credential } from '../../../testing/context';
import { campaign, message, published, watch } from './support';

const event = 'messageStatusChanged';

const told = (items: IDataObject[]) =>
	items.map(
		({ messageId, status, previousStatus }) => `${messageId}: ${previousStatus} → ${status}`,
	);

/** What is told at each poll but the first, where the campaign has these messages, one list after another. */
async function tell(
	[first, ...lists]: unknown[][],
	parameters: IDataObject = {},
): Promise<string[][]> {
	const having = (messages: unknown) => ({ campaigns: [{ campaignId: 'c-1', messages }] });
	const { node, service } = await published({ event, ...parameters }, having(first));
	const seen: string[][] = [];
	for (const list of lists) {
		service.answer = having(list);
		seen.push(told(await node.poll()));
	}
	expect(node.errors).toEqual([]);
	return seen;
}

it.each([
	['sms', 'https://gateway.example/v1/sms/campaign/messages'],
	['chatApp', 'https://gateway.example/v2/chatapp/campaign/messages'],
])('reads the campaigns of the channel %s, which it names', async (channel, address) => {
	const asked: string[] = [];
	let status = 'queued';
	const { node } = await published(
		{ event, channel, campaignIds: 'c-1, c-2' },
		(id: string, url: string) => {
			asked.push(`${id} ${url}`);
			return { campaigns: [campaign(id, message(id, status))] };
		},
	);
	expect(asked).toEqual([`c-1 ${address}`, `c-2 ${address}`]);
	status = 'sent';
	expect(await node.poll()).toMatchObject([{ channel }, { channel }]);
});

it('tells each step once, and no step back', async () => {
	const statuses = 'queued sent queued sent lida delivered sent lida error'.split(' ');
	expect(await tell(statuses.map((status) => [message('a', status)]))).toEqual([
		...[['a: queued → sent'], [], [], ['a: sent → lida'], ['a: lida → delivered'], [], []],
		['a: delivered → error'],
	]);
});

it('tells of messages that a campaign gets later, and of none that it had or that is back', async () => {
	const [a, b] = [message('a', 'sent'), message('b', 'queued')];
	const later = [message('a', 'delivered'), b];
	expect(await tell([[a], [a, b], [a, b], [b], [a, b], later])).toEqual([
		...[['b: null → queued'], [], [], [], ['a: sent → delivered']],
	]);
});

it('remembers a campaign that is gone for a while, and forgets one that is not watched', async () => {
	const having = (...statuses: Array<string | undefined>) => ({
		campaigns: statuses.flatMap((status, index) =>
			status ? [campaign(`c-${index + 1}`, message(`m-${index + 1}`, status))] : [],
		),
	});
	const both = { event, channel: 'sms', campaignIds: 'c-1, c-2' };
	const { node, service } = await published(both, having('sent', 'sent'));
	service.answer = having(undefined, 'sent');
	expect(await node.poll()).toEqual([]);
	service.answer = having('delivered', 'sent');
	expect(told(await node.poll())).toEqual(['m-1: sent → delivered']);
	await node.activate({ parameters: { ...both, campaignIds: 'c-1' } });
	expect(JSON.stringify(node.stored)).not.toContain('c-2');
	service.answer = having('delivered', 'delivered');
	expect(await node.activate({ activationMode: 'init' })).toEqual([]);
	expect(node.logs).toContain('info: Status: first poll, changes count from now on: Campaign c-2');
});

it.each<[string, IDataObject]>([
	['channel', { channel: 'chatApp' }],
	['filter', { options: { statuses: 'sent, delivered' } }],
])('begins anew with another %s, so that nothing old is told', async (_, change) => {
	const having = (status: string) => ({ campaigns: [campaign('c-1', message('a', status))] });
	const parameters = { event, channel: 'sms', campaignIds: 'c-1' };
	const { node, service } = await published(parameters, having('queued'));
	service.answer = having('sent');
	const other = { parameters: { ...parameters, ...change }, activationMode: 'update' } as const;
	expect(await node.activate(other)).toEqual([]);
	service.answer = having('delivered');
	expect(told(await node.poll())).toEqual(['a: sent → delivered']);
});

it('lets others have their turn while it compares many messages', async () => {
	const records = Array.from({ length: 5_000 }, (_, index) => ({
		id: `m-${index}`,
		state: 'sent',
		fields: {},
	}));
	let turns = 0;
	const others = setInterval(() => turns++);
	const poll = { settings: {} } as never;
	const { memory } = await messageStatusChanged.compare(undefined, records, poll);
	clearInterval(others);
	expect(unpack(memory!).size).toBe(records.length);
	expect(turns).toBeGreaterThan(1);
});

describe("the option 'Statuses'", () => {
	it.each([['delivered, ERROR'], [['Delivered', 'error']], ['delivered\nerror;']])(
		'%j starts the workflow with these only',
		async (statuses) => {
			const lists = ['queued', 'sent'].map((each) => [message('a', each), message('b', each)]);
			lists.push([message('a', 'delivered'), message('b', 'error')]);
			expect(await tell(lists, { options: { statuses } })).toEqual([
				[],
				['a: sent → delivered', 'b: sent → error'],
			]);
		},
	);

	it('takes a long one', async () => {
		const long = `Failed: ${'x'.repeat(200)}`;
		const lists = [
			[message('a', 'sent'), message('b', 'sent')],
			[message('a', long), message('b', `${long}!`)],
		];
		const options = { statuses: long.toUpperCase() };
		expect(await tell(lists, { options })).toEqual([[`a: sent → ${long}`]]);
	});

	it('is refused where it holds an object, before anything is asked', async () => {
		const { node, asked } = watch({ event, options: { statuses: [{ a: 1 }] } }, {});
		await expect(node.activate()).rejects.toMatchObject({
			message: "'Statuses' contains an object",
			description: expect.stringContaining('a list of texts, or one text with commas'),
		});
		expect(asked).toEqual([]);
	});
});

it.each([true, false])('comes out with its campaign, simplified: %s', async (simplify) => {
	const { node, service } = await published({ event, simplify }, { campaigns: [campaign('c-1')] });
	const entry = { ...message('a', 'sent'), errorCode: 7 };
	service.answer = { campaigns: [campaign('c-1', entry)] };
	const { errorCode, ...shown } = entry;
	expect(await node.poll()).toEqual([
		{
			...shown,
			...(!simplify && { errorCode, statistics: { total: 1 } }),
			...{ previousStatus: null, campaignId: 'c-1', campaignName: 'Novidades', channel: 'sms' },
		},
	]);
});

describe('a campaign that comes without its messages', () => {
	const without = 'The service returned this campaign without its messages [Campaign c-1]';

	it.each<[string, IDataObject]>([
		['null', { messages: null }],
		['nothing', {}],
		['an object', { messages: {} }],
		['a text', { messages: 'queued' }],
		['an empty list, where there are some', { messages: [], statistics: { total: 2 } }],
		['an empty list, where some are in words', { messages: [], statistics: { total: ' 2 ' } }],
		['messages without IDs', { messages: [{ to: '1', status: 'sent' }] }],
		['messages without statuses', { messages: [{ messageId: 'a', status: null }] }],
		['no message at all', { messages: [null, 3] }],
	])('%s: has not been read', async (_, odd) => {
		const answer = { campaigns: [{ campaignId: 'c-1', ...odd }] };
		const now = (status: string) => ({ campaigns: [campaign('c-1', message('a', status))] });
		const { node, service } = watch({ event }, answer);
		await expect(node.activate()).rejects.toThrow(without);
		expect(await node.activate({ activationMode: 'init' })).toEqual([]);
		for (const each of [now('sent'), answer, answer]) {
			service.answer = each; // of which the first one counts
			expect(await node.poll()).toEqual([]);
		}
		service.answer = now('delivered');
		expect(told(await node.poll())).toEqual(['a: sent → delivered']);
		expect(node.failures).toEqual([without]);
	});

	it.each([undefined, 0, '0', 'many', -1])('that counts %j has none yet', async (total) => {
		const none = { ...campaign('c-1'), statistics: { total } };
		const { node, service } = await published({ event }, { campaigns: [none] });
		service.answer = { campaigns: [campaign('c-1', message('a', 'queued'))] };
		expect(told(await node.poll())).toEqual(['a: null → queued']);
	});
});

describe('an answer', () => {
	it('with entries without ids or statuses brings nothing of them', async () => {
		const odd = [{ to: '1', status: 'sent' }, { messageId: 'b' }, 'x', null, 3];
		const list = [message('a', 'sent')];
		const object = { messageId: {}, status: 'sent' };
		expect(await tell([list, [...list, ...odd, object]])).toEqual([[]]);
	});

	it.each<[string, (...messages: IDataObject[]) => IDataObject[]]>([
		[
			'with all campaigns of the account',
			(...messages) => [campaign('c-0', ...messages), campaign('c-1', ...messages)],
		],
		['with a campaign that does not say its id', (...messages) => [{ messages }]],
	])('%s has the one that was asked for', async (_, campaigns) => {
		const { node, service } = await published(
			{ event },
			{ campaigns: campaigns(message('a', 'sent')) },
		);
		service.answer = { campaigns: campaigns(message('a', 'delivered')) };
		expect(await node.poll()).toMatchObject([
			{ messageId: 'a', previousStatus: 'sent', status: 'delivered', campaignId: 'c-1' },
		]);
	});

	it.each([
		[{ success: true, campaigns: [] }],
		[{ campaigns: [{ messages: [message('a', 'sent')] }, { messages: [] }] }],
		[{ campaigns: [{ campaignId: '' }, { campaignId: null }] }],
		[{ success: true }],
		[{ campaigns: [campaign('c-2')] }],
	])('%j does not have the campaign', async (answer) => {
		await expect(watch({ event }, answer).node.activate()).rejects.toThrow(
			'The service did not return this campaign [Campaign c-1]',
		);
	});
});

describe('campaign IDs', () => {
	it.each(['', ' , \n', []].map((none) => [none]))(
		'%j are all of the channel, with those that come later',
		async (campaignIds) => {
			const first = campaign('c-1', message('a', 'queued'));
			const { node, service, asked } = await published(
				{ event, campaignIds },
				{ campaigns: [first] },
			);
			expect(asked).toEqual([undefined]);
			service.answer = {
				campaigns: [campaign('c-1', message('a', 'sent')), campaign('c-2', message('b', 'sent'))],
			};
			expect(told(await node.poll())).toEqual(['a: queued → sent', 'b: null → sent']);
			expect(told(await node.poll())).toEqual([]);
		},
	);

	it('are told to be chosen where the service lists none without an ID', async () => {
		const { node } = watch({ event, campaignIds: [] }, { success: false, message: 'Campanha?' });
		await expect(node.activate()).rejects.toMatchObject({
			message: expect.stringContaining('The service did not list the campaigns: "Campanha?"'),
			description: expect.stringMatching(/Choose the campaigns in 'Campaign Names or IDs'\.$/),
		});
	});

	it('that are objects are refused', async () => {
		const campaignIds = [{ campaignId: 'c-1' }];
		await expect(watch({ event, campaignIds }, {}).node.activate()).rejects.toMatchObject({
			message: "'Campaign Names or IDs' contains an object",
			description: expect.stringContaining('one text with commas'),
		});
	});

	it('that are long are named by their beginning', async () => {
		const campaignIds = `https://a.b/?signature=4f1c,${'x'.repeat(100_000)}`;
		const { node } = watch({ event, campaignIds }, {});
		const error = (await node.activate().catch((thrown: Error) => thrown)) as Error;
		expect(error.message).toMatch(/ \[Campaign x{200}…\]$|\?…\]$/);
		expect(error.message).not.toContain('4f1c');
	});

	it('that are entered twice, whichever way, are one', async () => {
		const having = (status: string) => ({ campaigns: [campaign('c-1', message('a', status))] });
		const twice = { event, campaignIds: 'c-1, C-1' };
		const { node, service, asked } = await published(twice, having('queued'));
		service.answer = having('sent');
		expect(told(await node.poll())).toEqual(['a: queued → sent']);
		expect(asked).toHaveLength(1);
	});

	it('of the chat app want the instance token', async () => {
		const { node } = watch({ event, channel: 'chatApp' }, {});
		const withoutToken = { credential: { ...credential, instanceToken: '' } };
		await expect(node.activate(withoutToken)).rejects.toThrow("'Instance Token' is missing");
	});
});
