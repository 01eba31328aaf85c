import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { messageStatusChanged } from '../../../nodes/MessagingGatewayStatusTrigger/events/messageStatusChanged';
import {
	advance,
	asStatus,
	pack,
	shortId,
	unpack,
} from '../../../nodes/MessagingGatewayStatusTrigger/events/campaigns';
import { credential } from '../../../tools/shared/context';
import type { PollContextOptions } from '../../../tools/shared/pollContext';
import { campaign, message, published, watch } from './support';

const event = 'messageStatusChanged';

const changes = (items: IDataObject[]) =>
	items.map(
		({ messageId, status, previousStatus }) => `${messageId}: ${previousStatus} → ${status}`,
	);

/** The service's answer: a campaign with one message in this status. */
const having = (status: string) => ({ campaigns: [campaign('c-1', message('a', status))] });

/** The changes at each poll but the first, given these lists of messages, one after another. */
async function poll([first, ...lists]: unknown[][], parameters: IDataObject = {}) {
	const answer = (messages: unknown) => ({ campaigns: [{ campaignId: 'c-1', messages }] });
	const { node, service } = await published({ event, ...parameters }, answer(first));
	const seen: string[][] = [];
	for (const list of lists) {
		service.answer = answer(list);
		seen.push(changes(await node.poll()));
	}
	expect(node.errors).toEqual([]);
	return seen;
}

it.each([
	['sms', 'https://gateway.example/v1/sms/campaign/messages'],
	['chatApp', 'https://gateway.example/v2/chatapp/campaign/messages'],
])('reads the campaigns of the channel %s, and outputs it', async (channel, address) => {
	const asked = new Set<string>();
	let status = 'queued';
	const parameters = { event, channel, campaignIds: 'C-1, c-2, c-1' };
	const { node } = await published(parameters, (id: string, url: string) => {
		asked.add(`${id} ${url}`);
		return { campaigns: [campaign(id, message(id, status))] };
	});
	status = 'sent';
	expect(await node.poll()).toMatchObject([{ channel }, { channel }]);
	expect([...asked]).toEqual([`c-1 ${address}`, `c-2 ${address}`]);
});

it('reports new messages of a campaign, but none that it had before', async () => {
	const [a, b] = [message('a', 'sent'), message('b', 'queued')];
	const later = [message('a', 'delivered'), b];
	expect(await poll([[a], [a, b], [a, b], [b], [a, b], later])).toEqual([
		...[['b: null → queued'], [], [], [], ['a: sent → delivered']],
	]);
});

it('remembers a campaign that is missing for a while, and forgets one that is no longer watched', async () => {
	const both = (...statuses: Array<string | undefined>) => ({
		campaigns: statuses.flatMap((status, index) =>
			status ? [campaign(`c-${index + 1}`, message(`m-${index + 1}`, status))] : [],
		),
	});
	const parameters = { event, channel: 'sms', campaignIds: 'c-1, c-2' };
	const { node, service } = await published(parameters, both('sent', 'sent'));
	service.answer = both(undefined, 'sent');
	expect(await node.poll()).toEqual([]);
	service.answer = both('delivered', 'sent');
	expect(changes(await node.poll())).toEqual(['m-1: sent → delivered']);
	await node.activate({ parameters: { ...parameters, campaignIds: 'c-1' } });
	expect(JSON.stringify(node.stored)).not.toContain('c-2');
	service.answer = both('delivered', 'delivered');
	expect(await node.activate({ activationMode: 'init' })).toEqual([]);
});

const all = (channel: string, more: IDataObject = {}) => ({
	...{ event, channel, campaignIds: [] },
	...more,
});
const spaced = ` ${credential.instanceToken}\n`;
const withCredential = (change: IDataObject) => ({ credential: { ...credential, ...change } });

it.each<[string, string, Partial<PollContextOptions>, isNew: boolean]>([
	['another channel', 'sms', { parameters: all('chatApp') }, false],
	['a filter', 'sms', { parameters: all('sms', { options: { statuses: 'delivered' } }) }, false],
	['another credential', 'sms', { credentialId: 'credential-2' }, false],
	['another address', 'sms', withCredential({ baseUrl: 'https://other.example' }), false],
	['another instance', 'chatApp', withCredential({ instanceToken: 'another-token-5c1e' }), false],
	['another chat app', 'chatApp', withCredential({ chatAppName: 'otherapp' }), false],
	['another API key', 'sms', withCredential({ apiKey: 'another-key-7b21' }), true],
	['another API key', 'chatApp', withCredential({ apiKey: 'another-key-7b21' }), true],
	['a space after the token', 'chatApp', withCredential({ instanceToken: spaced }), true],
	['no instance token', 'sms', withCredential({ instanceToken: '' }), true],
	['another credential of the instance', 'chatApp', { credentialId: 'credential-2' }, true],
])('with %s (%s), what was not there before %j is new: %s', async (_, channel, change, isNew) => {
	const { node, service } = await published(all(channel), having('sent'));
	service.answer = { campaigns: [campaign('c-9', message('x', 'sent'), message('y', 'sent'))] };
	const items = await node.activate({ ...change, activationMode: 'update' });
	expect(changes(items)).toEqual(isNew ? ['x: null → sent', 'y: null → sent'] : []);
	service.answer = { campaigns: [campaign('c-9', message('x', 'delivered'))] };
	expect(changes(await node.poll())).toEqual(['x: sent → delivered']);
});

it('gives other work its turn while it compares many messages', async () => {
	const records = Array.from({ length: 5_000 }, (_, index) => ({
		id: `m-${index}`,
		state: 'sent',
		fields: {},
	}));
	let turns = 0;
	const others = setInterval(() => turns++);
	const poll = { settings: { statuses: [] } } as never;
	const { kept } = await messageStatusChanged.compare(undefined, records, poll);
	clearInterval(others);
	expect(unpack(kept!).size).toBe(records.length);
	expect(turns).toBeGreaterThan(1);
});

it.each([['delivered, NOT  sent'], [['Delivered', 'not sent']], ['delivered\nnot sent;']])(
	"the 'Statuses' %j start the workflow, and no others",
	async (statuses) => {
		const lists = ['queued', 'sent'].map((each) => [message('a', each), message('b', each)]);
		lists.push([message('a', 'DELIVERED'), message('b', 'not sent')]);
		const seen = await poll(lists, { options: { statuses } });
		expect(seen).toEqual([[], ['a: sent → DELIVERED', 'b: sent → not sent']]);
	},
);

it.each([true, false])('outputs the message and its campaign, simplified: %s', async (simplify) => {
	const none = { campaigns: [campaign('c-1')] };
	const all = { options: { statuses: ' ; ' } };
	const { node, service } = await published({ event, simplify, ...all }, none);
	const entry = { ...message('a', 'sent'), errorCode: 7 };
	service.answer = { campaigns: [campaign('c-1', entry)] };
	const { errorCode, ...shown } = entry;
	expect(await node.poll()).toEqual([
		{
			...shown,
			to: `+${shown.to}`,
			...(!simplify && { errorCode, statistics: { total: 1 } }),
			...{ previousStatus: null, campaignId: 'c-1', campaignName: 'Novidades', channel: 'sms' },
		},
	]);
});

describe('a campaign without its messages', () => {
	const without = 'The service returned a campaign without its messages [Campaign c-1]';

	it.each<[string, IDataObject]>([
		['nothing', {}],
		['an empty list, but a total', { messages: [], statistics: { total: 2 } }],
		['messages without IDs', { messages: [{ to: '1', status: 'sent' }] }],
		['messages without statuses', { messages: [{ messageId: 'a', status: null }] }],
		['no message at all', { messages: [null, 3] }],
	])('%s: is a failed poll', async (_, odd) => {
		const answer = { campaigns: [{ campaignId: 'c-1', ...odd }] };
		const { node, service } = watch({ event }, answer);
		await expect(node.activate()).rejects.toThrow(without);
		expect(await node.activate({ activationMode: 'init' })).toEqual([]);
		for (const each of [having('sent'), answer]) {
			service.answer = each;
			expect(await node.poll()).toEqual([]);
		}
		service.answer = having('delivered');
		expect(changes(await node.poll())).toEqual(['a: sent → delivered']);
		expect(node.failures).toEqual([without]);
	});

	it('is none yet while it only waits, and holds up no other', async () => {
		const counts = { total: 2, queued: 2, sent: 0, delivered: 0, errors: 0 };
		const waiting = (more: IDataObject) => ({ campaignId: 'c-2', statistics: counts, ...more });
		const answer = (status: string, more: IDataObject = {}) => ({
			campaigns: [campaign('c-1', message('a', status)), waiting(more), {}], // that has no ID
		});
		const { node, service } = await published({ event, campaignIds: [] }, answer('sent'));
		service.answer = answer('delivered', { messages: [] });
		expect(changes(await node.poll())).toEqual(['a: sent → delivered']);
		service.answer = answer('delivered', { messages: [message('b', 'queued')] });
		expect(changes(await node.poll())).toEqual(['b: null → queued']);
		for (const begun of ['sent', 'delivered', 'errors']) {
			service.answer = answer('delivered', { statistics: { ...counts, [begun]: 1 } });
			await expect(node.activate()).rejects.toThrow('without its messages');
		}
	});
});

describe('an answer', () => {
	it('may have entries without ids or statuses, which are ignored', async () => {
		const odd = [{ to: '1', status: 'sent' }, { messageId: 'b' }, 'x', null, 3];
		const list = [message('a', 'sent')];
		const object = { messageId: {}, status: 'sent' };
		expect(await poll([list, [...list, ...odd, object]])).toEqual([[]]);
	});

	it.each<[string, (each: IDataObject) => IDataObject[]]>([
		['with all campaigns', (each) => [campaign('c-0', each), campaign('c-1', each)]],
		['with a campaign without its id', (each) => [{ messages: [each] }]],
	])('%s contains the requested one', async (_, campaigns) => {
		const answer = (status: string) => ({ campaigns: campaigns(message('a', status)) });
		const { node, service } = await published({ event }, answer('sent'));
		service.answer = answer('delivered');
		expect(await node.poll()).toMatchObject([
			{ messageId: 'a', previousStatus: 'sent', status: 'delivered', campaignId: 'c-1' },
		]);
	});

	const noList = 'The service answered without a list of campaigns';

	it.each<[unknown, string, string]>([
		[{ campaigns: [campaign('c-2')] }, 'c-1', 'This campaign was not found [Campaign c-1]'],
		[{ success: true }, 'c-1', `${noList} [Campaign c-1]`],
		[{ success: true }, '', `${noList} [All campaigns]. `],
		[{ data: [{ campaignId: 'c-1' }] }, '', `${noList} [All campaigns]. `],
	])('%j does not contain what is watched (%j): %s', async (answer, campaignIds, said) => {
		await expect(watch({ event, campaignIds }, answer).node.activate()).rejects.toThrow(said);
	});
});

it.each<[string, INodeParameters, string]>([
	['campaignIds', { campaignIds: '={{ $vars.campaigns }}' }, "'Campaign Names or IDs'"],
	['statuses', { options: { statuses: '={{ $vars.statuses }}' } }, "'Statuses'"],
])('an expression that returns nothing does not mean all: %s', async (_, entered, field) => {
	for (const value of [undefined, null, '', []]) {
		const parameters = { event, campaignIds: value, options: { statuses: value } };
		const { node } = watch(parameters, having('sent'), { entered });
		const refusal = `${field} has an expression that returned nothing`;
		await expect(node.activate()).rejects.toThrow(refusal);
	}
	await published({ event, options: { statuses: 'sent' } }, having('sent'), { entered });
});

describe('campaign IDs', () => {
	it.each(['', ' , \n', []].map((none) => [none]))(
		'%j mean all campaigns of the channel, later ones included',
		async (campaignIds) => {
			const { node, service, asked } = await published({ event, campaignIds }, having('queued'));
			expect(asked).toEqual([undefined]);
			service.answer = {
				campaigns: [campaign('c-1', message('a', 'sent')), campaign('c-2', message('b', 'sent'))],
			};
			expect(changes(await node.poll())).toEqual(['a: queued → sent', 'b: null → sent']);
			expect(changes(await node.poll())).toEqual([]);
		},
	);

	it.each([event, 'campaignFinished'])('all: %s fails if one is incomplete', async (each) => {
		const statistics = { total: 1, delivered: 1, errors: 0 };
		const complete = { ...campaign('c-1', message('a', 'delivered')), statistics };
		const answer = { campaigns: [complete, { campaignId: 'c-2' }] };
		const { node } = watch({ event: each, campaignIds: [] }, answer);
		await expect(node.activate()).rejects.toMatchObject({
			message: expect.stringContaining('returned a campaign without its'),
			description: expect.stringContaining("Run 'Campaign: Get' with the ID 'c-2'"),
		});
	});

	it('are needed if the service does not list all campaigns', async () => {
		const { node } = watch({ event, campaignIds: [] }, { success: false, message: 'Campanha?' });
		await expect(node.activate()).rejects.toMatchObject({
			message: expect.stringContaining('The service did not list the campaigns: "Campanha?"'),
			description: expect.stringMatching(/^Choose the campaigns in 'Campaign Names or IDs'\. /),
		});
	});
});

it.each<[string, string[], string, string | undefined]>([
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
])('a status goes only forward: %s', (_, had, status, expected) => {
	const history = had.length > 0 ? had.join('\n') : undefined;
	expect(advance(history, status)?.split('\n').join(', ')).toBe(expected);
});

it.each<[unknown, string]>([
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

it('histories survive packing, and storage in n8n', () => {
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
