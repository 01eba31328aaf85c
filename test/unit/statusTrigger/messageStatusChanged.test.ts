import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { unpack } from '../../../nodes/MessagingGatewayStatusTrigger/campaigns/packed';
import { messageStatusChanged } from '../../../nodes/MessagingGatewayStatusTrigger/events/messageStatusChanged';
import { message, PolledNode } from './support';
import { credential } from '../support/context';

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

describe('an answer', () => {
	it('without ids or statuses brings nothing', async () => {
		const { node, service } = watch({}, campaign('c-1', message('a', 'sent')));
		await node.activate();
		const odd = [
			{ to: '1', status: 'sent' },
			{ messageId: 'b' },
			{ messageId: {}, status: 'sent' },
		];
		service.campaigns = [campaign('c-1', ...odd, ...['x', null, 3].map((each) => each as never))];
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
		expect(told(await node.look())).toEqual(['a: sent → delivered']);
	});

	it.each([
		[{ success: true, campaigns: [] }],
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

it('wants the instance token for the chat app', async () => {
	const { node } = watch({ channel: 'chatApp' }, campaign('c-1'));
	await expect(node.activate({ credential: { ...credential, instanceToken: '' } })).rejects.toThrow(
		"'Instance Token' is missing",
	);
});
