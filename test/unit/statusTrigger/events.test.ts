/** Events other than 'Message Status Changed', which has its own file. */
import type { IDataObject } from 'n8n-workflow';

import { credential } from '../../../tools/shared/context';
import { message, published, watch } from './support';

/** The output of a published node at each poll, given these answers of the service. */
async function poll(event: string, [first, ...answers]: unknown[], parameters: IDataObject = {}) {
	const { node, service } = await published({ event, ...parameters }, first);
	const seen: IDataObject[][] = [];
	for (const answer of answers) {
		service.answer = answer;
		seen.push(await node.poll());
	}
	expect(node.errors).toEqual([]);
	return seen;
}

const pollAll = async (...args: Parameters<typeof poll>) => (await poll(...args)).flat();

const rotated = { ...credential, apiKey: 'another-key-7b21' };

describe('Campaign Finished', () => {
	const counters = { total: 4, queued: 0, sent: 0, delivered: 3, errors: 1, deliveryRate: 75 };

	const campaign = (statistics: unknown, messages: unknown[] = []) => ({
		success: true,
		campaigns: [{ campaignId: 'c-1', nome: 'Novidades', statistics, messages }],
	});

	const running = campaign({ ...counters, queued: 1, delivered: 2 });
	const over = campaign(counters);

	it('is reported once, with the statistics', async () => {
		const simple = { campaignId: 'c-1', campaignName: 'Novidades', channel: 'sms', ...counters };
		expect(await poll('campaignFinished', [running, running, over, over, running, over])).toEqual([
			...[[], [simple], [], [], []],
		]);
		expect(await pollAll('campaignFinished', [over, over])).toEqual([]);
	});

	it('is the whole campaign if not simplified', async () => {
		const answer = campaign(counters, [message('a', 'delivered')]);
		const whole = await pollAll('campaignFinished', [running, answer], { simplify: false });
		expect(whole).toEqual(answer.campaigns);
	});

	const of = (...statuses: string[]) => statuses.map((status) => message('m', status));

	it.each<[string, boolean, unknown, unknown[]]>([
		["'sent' includes the delivered", true, { ...counters, sent: 4 }, []],
		['one is queued', false, { ...counters, queued: 1 }, []],
		['one is on its way', false, { ...counters, sent: 1, delivered: 2 }, []],
		['no message at all', false, { ...counters, total: 0, delivered: 0, errors: 0 }, []],
		['no counter of the queued', true, { ...counters, queued: undefined }, []],
		['no counters, no messages', false, undefined, []],
		['no message at all, as text', false, { total: '0', delivered: '0', errors: '0' }, []],
		['no counters, all messages final', true, {}, of('delivered', 'Error', 'errors')],
		['no counters, a message with an unknown status', false, {}, of('delivered', 'lida')],
		['no counters, a scheduled message', false, {}, of('delivered', 'scheduled')],
		['no counters, a message without a status', false, {}, of('delivered', '')],
		['no counters, an entry that is not a message', false, {}, [...of('delivered'), null]],
		['no counters but the total, a message is missing', false, { total: 2 }, of('delivered')],
		['no counters but the total, all are there', true, { total: '2' }, of('delivered', 'error')],
		['counters as text', true, { total: '4', queued: '0', delivered: ' 3', errors: '1' }, []],
		['counters as text, one is queued', false, { ...counters, queued: '1' }, of('delivered')],
		['counters as text, not all', false, { total: '4', delivered: '2', errors: '1' }, []],
		['counters below zero', false, { total: 4, delivered: 5, errors: -1 }, of('queued')],
		['no counters, a message on its way', false, null, of('delivered', 'sent')],
		['no counters, a waiting message', false, 'many', of('pending')],
		['an invalid counter', false, { ...counters, total: 'four' }, of('queued')],
	])('%s: finished is %s', async (_, isFinished, statistics, messages) => {
		const answers = [running, campaign(statistics, messages)];
		expect(await pollAll('campaignFinished', answers)).toHaveLength(isFinished ? 1 : 0);
	});

	it.each([{}, { messages: null }, { statistics: 'many', messages: {} }])(
		'a campaign with only %j is a failed poll',
		async (odd) => {
			const answer = { campaigns: [{ campaignId: 'c-1', ...odd }] };
			const { node, service } = watch({ event: 'campaignFinished' }, answer);
			await expect(node.activate()).rejects.toThrow(
				'The service returned this campaign without its statistics [Campaign c-1]',
			);
			service.answer = { campaigns: [{ campaignId: 'c-1', statistics: { queued: '0' } }] };
			expect(await node.activate()).toEqual([]);
		},
	);
});

describe('Connection Changed', () => {
	const event = 'connectionChanged';
	const open = { instance: { instanceName: 'i', state: 'open' } };
	const closed = { instance: { instanceName: 'i', state: 'close' } };
	const refused = { success: false, message: 'Instância desconectada.' };
	const unclear = { instance: { instanceName: 'i', state: 'pairing' } };
	const gone = { connected: false, previouslyConnected: true };
	const back = { connected: true, previouslyConnected: false };

	it.each<[string, unknown[], IDataObject[]]>([
		['both ways, each after two polls', [open, closed, closed, open, open], [gone, back]],
		['reported once', [open, refused, closed, refused, refused], [gone]],
		['a brief change does not count', [open, closed, open, closed, open, open], []],
		['an unclear answer is ignored', [open, unclear, unclear, unclear], []],
		['also between two polls', [open, closed, unclear, closed], [gone]],
		['disconnected at first', [closed, closed, open, open], [back]],
		['unclear at first', [unclear, unclear, closed, closed, open, open], [back]],
	])('%s', async (_, answers, expected) => {
		expect(await pollAll(event, answers)).toEqual(expected);
	});

	it.each<[unknown, IDataObject]>([
		[closed, closed],
		[refused, { connected: false, ...refused }],
		[
			{ state: 'close', yours: [credential.apiKey, credential.instanceToken] },
			{ state: 'close', yours: ['•••', '•••'] },
		],
	])('%j is output without secrets if not simplified', async (second, answer) => {
		const items = await pollAll(event, [open, second, second], { simplify: false });
		expect(items).toEqual([{ ...gone, answer }]);
	});

	const token = { instanceToken: 'another-token-5c1e' };
	const withCredential = (change: IDataObject) =>
		({ activationMode: 'update', credential: { ...credential, ...change } }) as const;

	it.each<[string, IDataObject]>([
		['address', { baseUrl: 'https://other.example' }],
		['instance token', token],
		['chat app', { chatAppName: 'otherapp' }],
	])('starts afresh with an instance of another %s', async (_, change) => {
		const { node, service } = await published({ event }, open);
		service.answer = closed;
		await node.poll(); // seen once, which must not count for the other instance
		await node.activate(withCredential(change));
		for (let poll = 0; poll < 3; poll++) await node.poll();
		expect(node.items).toEqual([]);
		service.answer = open;
		await node.poll();
		expect(await node.poll()).toEqual([back]);
	});

	it('starts afresh with the first clear answer of another instance', async () => {
		const { node, service } = await published({ event }, open);
		service.answer = unclear;
		await node.activate(withCredential(token));
		service.answer = closed;
		for (let poll = 0; poll < 3; poll++) await node.poll();
		expect(node.items).toEqual([]);
	});

	it('continues after a restart, with another API key, and with spaces around the token', async () => {
		const { node, service } = await published({ event }, open);
		service.answer = closed;
		const same = { apiKey: 'another-key-7b21', instanceToken: ` ${credential.instanceToken}\n` };
		expect(await node.activate({ ...withCredential(same), activationMode: 'init' })).toEqual([]);
		expect(await node.poll()).toEqual([gone]);
	});
});

describe('API Key Changed', () => {
	const event = 'apiKeyChanged';
	const key = (id: string, status = 'active', more: IDataObject = {}) => ({
		...{ id, name: `Key ${id}`, channel: 'sms', status, created_at: '2025-03-10' },
		...{ masked_key: '••••c1d2', last_used_at: '2025-11-02', ...more },
	});
	const simple = (change: string, id: string, status = 'active') => ({
		...{ change, id, name: `Key ${id}`, channel: 'sms', status, masked_key: '••••c1d2' },
	});

	const [a, b] = [key('a'), key('b')];
	const revoked = key('b', 'revoked');

	it.each<[string, IDataObject[][], IDataObject[]]>([
		['nothing new', [[a], [a]], []],
		['added', [[a], [a, b], [b, a]], [simple('added', 'b')]],
		[
			'revoked, once',
			[[b], [revoked], [b], [key('b', 'Revogada')]],
			[simple('revoked', 'b', 'revoked')],
		],
		['revoked at first', [[revoked], [revoked]], []],
		['an unknown status', [[a], [key('a', 'paused')]], []],
		[
			'added and revoked between two polls',
			[[a], [a, revoked]],
			[simple('added', 'b', 'revoked'), simple('revoked', 'b', 'revoked')],
		],
		['vanished, after two polls, once', [[a, b], [a], [a], [a]], [simple('vanished', 'b')]],
		['missing from one poll', [[a, b], [a], [a, b], [a]], []],
		[
			'back after it vanished',
			[[a, b], [a], [a], [a, b]],
			[simple('vanished', 'b'), simple('added', 'b')],
		],
		['replaced by another key', [[a], [b], [b]], [simple('added', 'b'), simple('vanished', 'a')]],
		['twice in a list', [[a], [a, b, b]], [simple('added', 'b')]],
		[
			'back after it vanished, still revoked',
			[[a, revoked], [a], [a], [a, revoked], [a], [a], [a]],
			['vanished', 'added', 'vanished'].map((change) => simple(change, 'b', 'revoked')),
		],
	])('%s', async (_, answers, expected) => {
		expect(await pollAll(event, answers)).toEqual(expected);
	});

	it.each<[string, unknown[], string]>([
		[
			'without IDs',
			[{ name: 'Key a' }, { name: 'Key b' }],
			'The service returned API keys without their IDs',
		],
		['one without its ID', [a, { id: null }], 'The service returned API keys without their IDs'],
		['one with an empty ID', [a, { id: ' ' }], 'The service returned API keys without their IDs'],
		['without keys', [], 'The service returned no API keys'],
	])('a list %s is a failed poll', async (_, odd, text) => {
		const { node, service } = watch({ event }, odd);
		await expect(node.activate()).rejects.toThrow(text);
		service.answer = [a, revoked];
		await node.activate();
		for (const answer of [odd, odd, odd, [a, revoked], [a, revoked]]) {
			service.answer = answer;
			expect(await node.poll()).toEqual([]);
		}
		expect(node.failures).toEqual([`${text} [API Keys]`]);
		service.answer = [key('a', 'revoked'), revoked];
		expect(await node.poll()).toEqual([simple('revoked', 'a', 'revoked')]);
	});

	const words =
		'revoked revogada revogado revocada inactive inativa inativo disabled desativada desativado';
	const more = 'deleted excluida excluída excluido excluído expired expirada expirado';

	it.each(`${words} ${more}`.split(' '))('is revoked if its status is %s', async (status) => {
		for (const written of [status, ` ${status.toUpperCase()} `]) {
			const items = await pollAll(event, [[a], [key('a', written)]]);
			expect(items).toEqual([simple('revoked', 'a', written)]);
		}
	});

	it.each(['not revoked', 'revoked soon', 'revoga', 'expirad', 'exclud'])(
		'is not revoked if its status is %s',
		async (status) => {
			expect(await pollAll(event, [[a], [key('a', status)]])).toEqual([]);
		},
	);

	it('may have a numeric id', async () => {
		const [one, other] = [41, 42].map((id) => ({ ...a, id }));
		expect(await pollAll(event, [[one], [one, other]])).toMatchObject([
			{ change: 'added', id: '42' },
		]);
	});

	it('shows the documented fields only if not simplified', async () => {
		const answers = [[a], [a, key('b', 'active', { key: 'the-key-itself' })]];
		expect(await pollAll(event, answers, { simplify: false })).toEqual([{ change: 'added', ...b }]);
	});

	it.each([
		['sk-live-4f1c9a7be2d8', '••••e2d8'],
		['••••', '••••'],
		['sk_****e2d8', 'sk_****e2d8'],
		['sk_...e2d8', 'sk_...e2d8'],
		['sk.live.4f1c9a7be2d8', '••••e2d8'],
		['e2d8', '••••'],
		['4f1ce2d8', '••••'],
		['4f1c-e2d8', '••••e2d8'],
		[471125, undefined],
	])('shows the key %j as %j', async (given, seen) => {
		for (const simplify of [true, false]) {
			const { node, service } = await published({ event, simplify }, [a]);
			service.answer = [a, key('b', 'active', { masked_key: given })];
			const [item] = await node.poll();
			expect(item!.masked_key).toBe(seen);
			if (seen !== given) expect(JSON.stringify(node.stored)).not.toContain(String(given));
		}
	});

	it.each(['update', 'init'] as const)(
		'starts afresh with the keys of another account, even with the same ids, at %s',
		async (activationMode) => {
			const of = (...masks: string[]) =>
				masks.map((mask, index) => key(`${index + 1}`, 'active', { masked_key: mask }));
			const { node, service } = await published({ event }, of('••aa', '••bb', '••cc'));
			service.answer = of('••dd');
			expect(await node.activate({ credential: rotated, activationMode })).toEqual([]);
			for (let poll = 0; poll < 3; poll++) expect(await node.poll()).toEqual([]);
			service.answer = of('••dd', '••ee');
			expect(await node.poll()).toMatchObject([{ change: 'added', id: '2' }]);
		},
	);

	it('continues with another key of the same account', async () => {
		const { node, service } = await published({ event }, [a]);
		service.answer = [key('a', 'revoked'), b];
		expect(await node.activate({ credential: rotated, activationMode: 'init' })).toEqual([
			simple('revoked', 'a', 'revoked'),
			simple('added', 'b'),
		]);
	});
});

it('starts afresh with another event', async () => {
	const { node, service } = await published({ event: 'connectionChanged' }, { state: 'open' });
	service.answer = [{ id: 'a', status: 'active' }];
	expect(await node.activate({ parameters: { event: 'apiKeyChanged' } })).toEqual([]);
	service.answer = [{ id: 'a', status: 'revoked' }];
	expect(await node.poll()).toEqual([{ change: 'revoked', id: 'a', status: 'revoked' }]);
});

it.each([
	['connectionChanged', '/v2/chatapp/instance/connectionState', 'Instance', { state: 'open' }],
	['apiKeyChanged', '/v1/apikeys', 'API Keys', [{ id: 'a' }]],
])('%s reads %s', async (event, path, name, answer) => {
	const { node, asked } = watch({ event }, answer);
	await node.activate();
	expect(asked).toEqual([`GET https://gateway.example${path}`]);
	expect(node.logs).toEqual([`info: Status: first poll, changes count from now on: ${name}`]);
});

it.each([{ event: 'connectionChanged' }, { event: 'messageStatusChanged', channel: 'chatApp' }])(
	'%j needs the instance token',
	async (parameters) => {
		const withoutToken = { credential: { ...credential, instanceToken: ' ' } };
		await expect(watch(parameters, {}).node.activate(withoutToken)).rejects.toThrow(
			"'Instance Token' is missing",
		);
	},
);

it('rejects an unknown event', async () => {
	await expect(watch({ event: 'other' }, {}).node.activate()).rejects.toThrow(
		"Choose an event in 'Trigger On'",
	);
});
