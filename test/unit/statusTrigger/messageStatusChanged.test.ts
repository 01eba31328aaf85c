import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { pack, shortId, unpack } from '../../../nodes/MessagingGatewayStatusTrigger/histories';
import { messageStatusChanged } from '../../../nodes/MessagingGatewayStatusTrigger/events/messageStatusChanged';
import { message, PolledNode } from './support';
import { credential } from '../../../testing/context';

const campaign = (campaignId: string, ...messages: IDataObject[]): IDataObject => ({
	campaignId,
	nome: 'Novidades',
	statistics: { total: messages.length },
	messages,
});

/** A node that watches campaigns of a service which knows these; `campaigns` may be changed. */
function watch(parameters: IDataObject = {}, ...campaigns: IDataObject[]) {
	const service = { campaigns, answer: undefined as unknown };
	const asked: string[] = [];
	const node = new PolledNode({
		parameters: {
			event: 'messageStatusChanged',
			channel: 'sms',
			campaignIds: 'c-1',
			...parameters,
		},
		answer({ url, qs }: IHttpRequestOptions) {
			asked.push(`${url} ${JSON.stringify(qs)}`);
			const own = service.campaigns.filter(({ campaignId }) => campaignId === qs?.campaignId);
			return service.answer ?? { success: true, campaigns: own };
		},
	});
	return { node, service, asked };
}

const told = (items: IDataObject[]) =>
	items.map(
		({ messageId, status, previousStatus }) => `${messageId}: ${previousStatus} → ${status}`,
	);

it('reads the campaigns of the channel', async () => {
	const sms = watch({ campaignIds: 'c-1, c-2' }, campaign('c-1'), campaign('c-2'));
	await sms.node.activate();
	expect(sms.asked).toEqual([
		'https://gateway.example/v1/sms/campaign/messages {"campaignId":"c-1"}',
		'https://gateway.example/v1/sms/campaign/messages {"campaignId":"c-2"}',
	]);
	const chatApp = watch({ channel: 'chatApp', campaignIds: ['c-1'] }, campaign('c-1'));
	await chatApp.node.activate();
	expect(chatApp.asked).toEqual([
		'https://gateway.example/v2/chatapp/campaign/messages {"campaignId":"c-1"}',
	]);
});

it('tells each step once, and no step back', async () => {
	const { node, service } = watch({}, campaign('c-1', message('a', 'queued')));
	expect(await node.activate()).toEqual([]);
	const steps = [
		['queued', []],
		['sent', ['a: queued → sent']],
		['queued', []],
		['sent', []],
		['lida', ['a: sent → lida']],
		['delivered', ['a: lida → delivered']],
		['sent', []],
		['lida', []],
		['error', ['a: delivered → error']],
	] as const;
	for (const [status, expected] of steps) {
		service.campaigns = [campaign('c-1', message('a', status))];
		expect(told(await node.look())).toEqual(expected);
	}
});

it('tells of messages that a campaign gets later, and of none that it had', async () => {
	const { node, service } = watch({}, campaign('c-1', message('a', 'sent')));
	await node.activate();
	service.campaigns = [campaign('c-1', message('a', 'sent'), message('b', 'delivered'))];
	expect(told(await node.look())).toEqual(['b: null → delivered']);
	expect(await node.look()).toEqual([]);
});

it('remembers a message and a campaign that are gone for a while', async () => {
	const all = campaign('c-1', message('a', 'sent'), message('b', 'queued'));
	const { node, service } = watch({ campaignIds: 'c-1, c-2' }, all, campaign('c-2'));
	await node.activate();
	service.campaigns = [campaign('c-1', message('b', 'queued')), campaign('c-2')];
	expect(await node.look()).toEqual([]);
	service.campaigns = [campaign('c-2')];
	expect(await node.look()).toEqual([]);
	service.campaigns = [all, campaign('c-2')];
	expect(await node.look()).toEqual([]);
	service.campaigns = [campaign('c-1', message('a', 'delivered')), campaign('c-2')];
	expect(told(await node.look())).toEqual(['a: sent → delivered']);
});

it('forgets a campaign that is not watched any more', async () => {
	const parameters = { campaignIds: 'c-1, c-2' };
	const { node, service } = watch(
		parameters,
		campaign('c-1', message('a', 'sent')),
		campaign('c-2', message('b', 'sent')),
	);
	await node.activate();
	expect(JSON.stringify(node.stored)).toContain('c-2');
	await node.activate({
		parameters: { event: 'messageStatusChanged', channel: 'sms', campaignIds: 'c-1' },
	});
	expect(JSON.stringify(node.stored)).not.toContain('c-2');
	service.campaigns = [
		campaign('c-1', message('a', 'sent')),
		campaign('c-2', message('b', 'delivered')),
	];
	expect(await node.activate({ activationMode: 'update' })).toEqual([]);
	expect(node.logs).toContain('info: Status: first look, changes count from now on: Campaign c-2');
});

it('begins anew with the campaigns of the other channel, so that nothing old is told', async () => {
	const { node, service } = watch({}, campaign('c-1', message('a', 'queued')));
	await node.activate();
	service.campaigns = [campaign('c-1', message('a', 'sent'))];
	const parameters = { event: 'messageStatusChanged', channel: 'chatApp', campaignIds: 'c-1' };
	expect(await node.activate({ parameters, activationMode: 'update' })).toEqual([]);
	service.campaigns = [campaign('c-1', message('a', 'delivered'))];
	expect(told(await node.look())).toEqual(['a: sent → delivered']);
});

it('lets others have their turn while it compares many messages', async () => {
	const records = Array.from({ length: 5_000 }, (_, index) => ({
		id: `m-${index}`,
		state: 'sent',
		fields: {},
	}));
	let turns = 0;
	const others = setInterval(() => turns++);
	const look = { settings: {} } as never;
	const { memory } = await messageStatusChanged.compare(undefined, records, look);
	clearInterval(others);
	expect(unpack(memory!).size).toBe(records.length);
	expect(turns).toBeGreaterThan(1);
});

describe("the option 'Statuses'", () => {
	it.each([['delivered, ERROR'], [['Delivered', 'error']], ['delivered\nerror;']])(
		'%j starts the workflow with these only',
		async (statuses) => {
			const { node, service } = watch(
				{ options: { statuses } },
				campaign('c-1', message('a', 'queued'), message('b', 'queued')),
			);
			await node.activate();
			service.campaigns = [campaign('c-1', message('a', 'sent'), message('b', 'sent'))];
			expect(await node.look()).toEqual([]);
			service.campaigns = [campaign('c-1', message('a', 'delivered'), message('b', 'error'))];
			expect(told(await node.look())).toEqual(['a: sent → delivered', 'b: sent → error']);
		},
	);

	it('begins anew when it is changed, so that nothing old is told', async () => {
		const { node, service } = watch(
			{ options: { statuses: 'error' } },
			campaign('c-1', message('a', 'queued')),
		);
		await node.activate();
		service.campaigns = [campaign('c-1', message('a', 'delivered'))];
		expect(await node.look()).toEqual([]);
		const parameters = {
			event: 'messageStatusChanged',
			channel: 'sms',
			campaignIds: 'c-1',
			options: { statuses: 'delivered' },
		};
		expect(await node.activate({ parameters, activationMode: 'update' })).toEqual([]);
		expect(await node.look()).toEqual([]);
	});

	it('is refused where it holds an object', async () => {
		const { node } = watch({ options: { statuses: [{ a: 1 }] } });
		await expect(node.activate()).rejects.toMatchObject({
			message: "'Statuses' holds an object",
			description: expect.stringContaining('texts, or one with commas'),
		});
	});
});

describe('what comes out', () => {
	const entry = { ...message('a', 'sent'), errorCode: 7 };

	it.each([
		[
			true,
			{
				messageId: 'a',
				status: 'sent',
				previousStatus: null,
				to: '5511912345678',
				campaignId: 'c-1',
				campaignName: 'Novidades',
				channel: 'sms',
			},
		],
		[
			false,
			{
				...entry,
				previousStatus: null,
				campaignId: 'c-1',
				campaignName: 'Novidades',
				channel: 'sms',
				statistics: { total: 1 },
			},
		],
	])('simplified: %s', async (simplify, expected) => {
		const { node, service } = watch({ simplify }, campaign('c-1'));
		await node.activate();
		service.campaigns = [campaign('c-1', entry)];
		expect(await node.look()).toEqual([expected]);
	});
});

it('is said to come through the chat app where it does', async () => {
	const { node, service } = watch({ channel: 'chatApp' }, campaign('c-1'));
	await node.activate();
	service.campaigns = [campaign('c-1', message('a', 'sent'))];
	expect(await node.look()).toMatchObject([{ messageId: 'a', channel: 'chatApp' }]);
});

describe('a campaign that comes without its messages', () => {
	const without = 'This campaign came without its messages [Campaign c-1]';

	it.each<[string, IDataObject]>([
		['null', { messages: null }],
		['nothing', {}],
		['an object', { messages: {} }],
		['a text', { messages: 'queued' }],
		['an empty list, where there are some', { messages: [], statistics: { total: 2 } }],
		[
			'an empty list, where there are some in words',
			{ messages: [], statistics: { total: ' 2 ' } },
		],
		['messages without IDs', { messages: [{ to: '1', status: 'sent' }] }],
		['messages without statuses', { messages: [{ messageId: 'a', status: null }] }],
		['no message at all', { messages: [null, 3] }],
	])('%s: has not been looked at', async (_, odd) => {
		const { node, service } = watch({}, { campaignId: 'c-1', ...odd });
		await expect(node.activate()).rejects.toThrow(without);
		expect(await node.activate({ activationMode: 'init' })).toEqual([]);
		const now = (status: string) => [campaign('c-1', message('a', status))];
		service.campaigns = now('sent');
		expect(await node.look()).toEqual([]); // the first one that counts
		service.campaigns = [{ campaignId: 'c-1', ...odd }];
		for (let look = 0; look < 3; look++) expect(await node.look()).toEqual([]);
		service.campaigns = now('delivered');
		expect(told(await node.look())).toEqual(['a: sent → delivered']);
		expect(node.errors.map(({ message: text }) => text)).toEqual([without]);
	});

	it.each([undefined, 0, '0', 'many', -1])('that counts %j has none yet', async (total) => {
		const { node, service } = watch({}, { ...campaign('c-1'), statistics: { total } });
		expect(await node.activate()).toEqual([]);
		service.campaigns = [campaign('c-1', message('a', 'queued'))];
		expect(told(await node.look())).toEqual(['a: null → queued']);
	});
});

describe('a status', () => {
	/** What is told of a message that has these statuses, one after another. */
	async function tellOf([first, ...statuses]: string[]) {
		const { node, service } = watch({}, campaign('c-1', message('a', first!)));
		await node.activate();
		for (const status of statuses) {
			service.campaigns = [campaign('c-1', message('a', status))];
			await node.look();
		}
		return told(node.items);
	}

	it('is the same in upper and lower case', async () => {
		expect(await tellOf(['sent', 'Sent', 'SENT', 'Lida', 'LIDA', 'lida'])).toEqual([
			'a: sent → Lida',
		]);
	});

	it('is the same however its accents are encoded', async () => {
		const names = ['Não lida'.normalize('NFC'), 'NÃO LIDA'.normalize('NFD')];
		expect(await tellOf(['queued', ...names, ...names])).toEqual(['a: queued → Não lida']);
	});

	it('is told once, however many come after it', async () => {
		const statuses = Array.from({ length: 30 }, (_, index) => `step ${index}`);
		expect(await tellOf(['queued', ...statuses, ...statuses, 'queued'])).toHaveLength(30);
	});

	it('may begin like another', async () => {
		const long = (end: string) => `Failed: ${'x'.repeat(200)} ${end}`;
		const items = await tellOf(['queued', long('1'), long('2'), long('1').toUpperCase(), 'late']);
		const shown = `Failed: ${'x'.repeat(91)}…`;
		expect(items).toEqual([
			`a: queued → ${long('1')}`,
			`a: ${shown.slice(0, -1)}… → ${long('2')}`,
			`a: ${shown} → late`,
		]);
	});

	it('that an earlier version had cut short is not told again', async () => {
		const long = `Failed: ${'x'.repeat(200)}`;
		const { node, service } = watch({}, campaign('c-1', message('a', long)));
		const memories = { 'c-1': pack(new Map([[shortId('a'), `Sent\n${long.slice(0, 100)}`]])) };
		node.stored = { state: { v: 1, scope: '["messageStatusChanged","sms",""]', memories } };
		expect(await node.activate({ activationMode: 'init' })).toEqual([]);
		service.campaigns = [campaign('c-1', message('a', 'delivered'))];
		expect(told(await node.look())).toEqual([`a: ${long.slice(0, 100)} → delivered`]);
	});

	it('that is long may be chosen', async () => {
		const long = `Failed: ${'x'.repeat(200)}`;
		const { node, service } = watch(
			{ options: { statuses: long.toUpperCase() } },
			campaign('c-1', message('a', 'sent'), message('b', 'sent')),
		);
		await node.activate();
		service.campaigns = [campaign('c-1', message('a', long), message('b', `${long}!`))];
		expect(told(await node.look())).toEqual([`a: sent → ${long}`]);
	});
});

describe('an answer', () => {
	it('without ids or statuses brings nothing', async () => {
		const { node, service } = watch({}, campaign('c-1', message('a', 'sent')));
		await node.activate();
		const odd = [
			{ to: '1', status: 'sent' },
			{ messageId: 'b' },
			{ messageId: {}, status: 'sent' },
			...['x', null, 3].map((each) => each as never),
		];
		service.campaigns = [campaign('c-1', message('a', 'sent'), ...odd)];
		expect(await node.look()).toEqual([]);
		expect(node.errors).toEqual([]);
	});

	it('with all campaigns of the account is searched for the one', async () => {
		const { node, service } = watch({});
		const all = (status: string) => ({
			campaigns: [campaign('c-0', message('z', status)), campaign('c-1', message('a', status))],
		});
		service.answer = all('sent');
		await node.activate();
		service.answer = all('delivered');
		expect(told(await node.look())).toEqual(['a: sent → delivered']);
	});

	it('with a campaign that does not say its id is of the one that was asked for', async () => {
		const { node, service } = watch({});
		service.answer = { campaigns: [{ messages: [message('a', 'sent')] }] };
		await node.activate();
		service.answer = { campaigns: [{ messages: [message('a', 'delivered')] }] };
		expect(await node.look()).toMatchObject([
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
		const { node, service } = watch({});
		service.answer = answer;
		await expect(node.activate()).rejects.toThrow(
			'The service answered without what was asked for [Campaign c-1]',
		);
	});
});

it.each([
	['', 'is empty', 'separated by commas'],
	[' , \n', 'is empty', 'separated by commas'],
	[[], 'is empty', 'separated by commas'],
	[[{ campaignId: 'c-1' }], 'holds an object', 'one text with commas'],
])('the campaign IDs %j are refused: %s', async (campaignIds, what, hint) => {
	await expect(watch({ campaignIds }).node.activate()).rejects.toMatchObject({
		message: `'Campaign IDs' ${what}`,
		description: expect.stringContaining(hint),
	});
});

it('names of a long ID its beginning', async () => {
	const { node } = watch({ campaignIds: `https://a.b/?signature=4f1c,${'x'.repeat(100_000)}` });
	const error = (await node.activate().catch((thrown: Error) => thrown)) as Error;
	expect(error.message).toMatch(/ \[Campaign x{200}…\]$|\?…\]$/);
	expect(error.message).not.toContain('4f1c');
});

it('takes an ID that is entered twice, whichever way, for one', async () => {
	const { node, service, asked } = watch({ campaignIds: 'c-1, C-1' });
	service.answer = { campaigns: [campaign('c-1', message('a', 'queued'))] };
	await node.activate();
	expect(asked).toHaveLength(1);
	service.answer = { campaigns: [campaign('c-1', message('a', 'sent'))] };
	expect(told(await node.look())).toEqual(['a: queued → sent']);
});

it('wants the instance token for the chat app', async () => {
	const { node } = watch({ channel: 'chatApp' }, campaign('c-1'));
	await expect(node.activate({ credential: { ...credential, instanceToken: '' } })).rejects.toThrow(
		"'Instance Token' is missing",
	);
});
