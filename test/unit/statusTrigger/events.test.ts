/** The other events' rules; those of messages have a file of their own. */
import type { IDataObject } from 'n8n-workflow';

import { message, PolledNode } from './support';
import { credential } from '../../../testing/context';

/** A node with this event; `service.answer` is what the service says. */
function watch(event: string, answer: unknown, parameters: IDataObject = {}) {
	const service = { answer };
	const asked: string[] = [];
	const node = new PolledNode({
		parameters: { event, channel: 'sms', campaignIds: 'c-1', ...parameters },
		answer({ method, url, qs }) {
			asked.push(`${method} ${url} ${JSON.stringify(qs)}`);
			return service.answer;
		},
	});
	return { node, service, asked };
}

describe('Campaign Finished', () => {
	const counters = { total: 4, queued: 0, sent: 0, delivered: 3, errors: 1, deliveryRate: 75 };

	const campaign = (statistics: unknown, messages: IDataObject[] = []) => ({
		success: true,
		campaigns: [{ campaignId: 'c-1', nome: 'Novidades', statistics, messages } as IDataObject],
	});

	const running = campaign({ ...counters, queued: 1, delivered: 2 });

	it('is told once, with the statistics', async () => {
		const { node, service } = watch('campaignFinished', running);
		expect(await node.activate()).toEqual([]);
		expect(await node.look()).toEqual([]);
		service.answer = campaign(counters);
		expect(await node.look()).toEqual([
			{ campaignId: 'c-1', campaignName: 'Novidades', channel: 'sms', ...counters },
		]);
		for (const answer of [campaign(counters), running, campaign(counters)]) {
			service.answer = answer;
			expect(await node.look()).toEqual([]);
			expect(await node.activate({ activationMode: 'init' })).toEqual([]);
		}
	});

	it('comes out whole where it is not simplified', async () => {
		const messages = [message('a', 'delivered')];
		const { node, service } = watch('campaignFinished', running, { simplify: false });
		await node.activate();
		service.answer = campaign(counters, messages);
		expect(await node.look()).toEqual([
			{ campaignId: 'c-1', nome: 'Novidades', statistics: counters, messages },
		]);
	});

	it('is nothing new for a campaign that had finished before', async () => {
		const { node } = watch('campaignFinished', campaign(counters));
		await node.activate();
		expect(await node.look()).toEqual([]);
	});

	const of = (...statuses: string[]) =>
		statuses.map((status, index) => message(`m-${index}`, status));
	it.each<[string, boolean, unknown, IDataObject[]]>([
		['nothing queued, the rest delivered or failed', true, counters, []],
		["'sent' counts the delivered as well", true, { ...counters, sent: 4 }, []],
		['one is queued', false, { ...counters, queued: 1 }, []],
		['one is on its way', false, { ...counters, sent: 1, delivered: 2 }, []],
		['no message at all', false, { ...counters, total: 0, delivered: 0, errors: 0 }, []],
		['no counter of the queued', true, { ...counters, queued: undefined }, []],
		['no counters, no messages', false, undefined, []],
		['none at all, in words', false, { total: '0', delivered: '0', errors: '0' }, []],
		['no counters, messages at an end', true, {}, of('delivered', 'Error', 'errors')],
		['no counters, a message whose status nobody knows', false, {}, of('delivered', 'lida')],
		['no counters, a message for later', false, {}, of('delivered', 'scheduled')],
		['no counters, a message without a status', false, {}, of('delivered', '')],
		['no counters, something that is no message', false, {}, [...of('delivered'), null as never]],
		['no counters but the total, a message is missing', false, { total: 2 }, of('delivered')],
		['no counters but the total, all are there', true, { total: '2' }, of('delivered', 'error')],
		['counters as text', true, { total: '4', queued: '0', delivered: ' 3', errors: '1' }, []],
		['counters as text, one is queued', false, { ...counters, queued: '1' }, of('delivered')],
		['counters as text, not all', false, { total: '4', delivered: '2', errors: '1' }, []],
		['counters below zero', false, { total: 4, delivered: 5, errors: -1 }, of('queued')],
		['no counters, a message on its way', false, null, of('delivered', 'sent')],
		['no counters, a message that waits', false, 'many', of('pending')],
		['counters that are none', false, { ...counters, total: 'four' }, of('queued')],
	])('%s: finished is %s', async (_, isFinished, statistics, messages) => {
		const { node, service } = watch('campaignFinished', running);
		await node.activate();
		service.answer = campaign(statistics, messages);
		expect(await node.look()).toHaveLength(isFinished ? 1 : 0);
		expect(node.errors).toEqual([]);
	});
});

it.each([{}, { messages: null }, { statistics: 'many', messages: {} }])(
	'a campaign with no more than %j has not been looked at',
	async (odd) => {
		const answer = { campaigns: [{ campaignId: 'c-1', ...odd }] };
		const { node, service } = watch('campaignFinished', answer);
		await expect(node.activate()).rejects.toThrow(
			'This campaign came without its statistics [Campaign c-1]',
		);
		service.answer = { campaigns: [{ campaignId: 'c-1', statistics: { queued: '0' } }] };
		expect(await node.activate()).toEqual([]);
	},
);

describe('Connection Changed', () => {
	const open = { instance: { instanceName: 'i', state: 'open' } };
	const closed = { instance: { instanceName: 'i', state: 'close' } };
	const refused = { success: false, message: 'Instância desconectada.' };
	const unclear = { instance: { instanceName: 'i', state: 'pairing' } };
	const gone = { connected: false, previouslyConnected: true };
	const back = { connected: true, previouslyConnected: false };

	it('asks for the state of the instance', async () => {
		const { node, asked } = watch('connectionChanged', open);
		await node.activate();
		expect(asked).toEqual([
			'GET https://gateway.example/v2/chatapp/instance/connectionState undefined',
		]);
		expect(node.logs).toEqual(['info: Status: first look, changes count from now on: Instance']);
	});

	it.each<[string, unknown[], IDataObject[]]>([
		['both ways, each after two looks', [open, closed, closed, open, open], [gone, back]],
		['told once', [open, refused, closed, refused, refused], [gone]],
		['a moment is no change', [open, closed, open, closed, open, open], []],
		['an answer without a clear word is none', [open, unclear, unclear, unclear], []],
		['and does not stand between two looks', [open, closed, unclear, closed], [gone]],
		['disconnected from the beginning', [closed, closed, open, open], [back]],
		['unclear at the beginning', [unclear, unclear, closed, closed, open, open], [back]],
	])('%s', async (_, [first, ...answers], expected) => {
		const { node, service } = watch('connectionChanged', first);
		expect(await node.activate()).toEqual([]);
		for (const answer of answers) {
			service.answer = answer;
			await node.look();
		}
		expect(node.items).toEqual(expected);
		expect(node.errors).toEqual([]);
	});

	it('is not told at a restart between the two looks, but after two', async () => {
		const { node, service } = watch('connectionChanged', open);
		await node.activate();
		service.answer = closed;
		await node.look();
		expect(await node.activate({ activationMode: 'init' })).toEqual([]);
		expect(await node.look()).toEqual([gone]);
	});

	it.each<[unknown, IDataObject]>([
		[closed, closed],
		[refused, { connected: false, ...refused }],
	])('comes out with the answer where it is not simplified: %j', async (second, answer) => {
		const { node, service } = watch('connectionChanged', open, { simplify: false });
		await node.activate();
		service.answer = second;
		await node.look();
		expect(await node.look()).toEqual([{ ...gone, answer }]);
	});

	it('comes out without the secrets that the service repeats', async () => {
		const { node, service } = watch('connectionChanged', open, { simplify: false });
		await node.activate();
		service.answer = { state: 'close', yours: [credential.apiKey, credential.instanceToken] };
		await node.look();
		expect(await node.look()).toEqual([
			{ ...gone, answer: { state: 'close', yours: ['•••', '•••'] } },
		]);
	});

	it.each<[string, IDataObject]>([
		['address', { baseUrl: 'https://other.example' }],
		['instance token', { instanceToken: 'another-token-5c1e' }],
		['chat app', { chatAppName: 'otherapp' }],
	])('begins anew with an instance of another %s', async (_, change) => {
		const { node, service } = watch('connectionChanged', open);
		await node.activate();
		service.answer = closed;
		await node.look(); // seen once, which is not to count for the other one
		const other = { activationMode: 'update', credential: { ...credential, ...change } } as const;
		await node.activate(other);
		for (let look = 0; look < 3; look++) await node.look();
		expect(node.items).toEqual([]);
		service.answer = open;
		await node.look();
		expect(await node.look()).toEqual([back]);
	});

	it('does not begin anew before the other instance has said how it is', async () => {
		const { node, service } = watch('connectionChanged', open);
		await node.activate();
		service.answer = unclear;
		const other = { ...credential, instanceToken: 'another-token-5c1e' };
		await node.activate({ activationMode: 'update', credential: other });
		service.answer = closed;
		for (let look = 0; look < 3; look++) await node.look();
		expect(node.items).toEqual([]);
	});

	it('goes on with another API key, and with spaces around the token', async () => {
		const { node, service } = watch('connectionChanged', open);
		await node.activate();
		service.answer = closed;
		const same = { apiKey: 'another-key-7b21', instanceToken: ` ${credential.instanceToken}\n` };
		await node.activate({ activationMode: 'update', credential: { ...credential, ...same } });
		expect(await node.look()).toEqual([gone]);
	});

	it.each<[string, IDataObject, IDataObject[]]>([
		['goes on with it', {}, [gone]],
		['knows the instance from then on', { instanceToken: 'another-token-5c1e' }, []],
	])('where an earlier version stored no instance, %s', async (_, change, expected) => {
		const { node, service } = watch('connectionChanged', open);
		const memories = { instance: { state: 'connected' } };
		node.stored = { state: { v: 1, scope: '["connectionChanged"]', memories } };
		service.answer = closed;
		await node.activate({ activationMode: 'init' });
		await node.activate({ activationMode: 'update', credential: { ...credential, ...change } });
		expect(node.items).toEqual(expected);
	});

	it('stores neither the credential nor what the service says', async () => {
		const { node } = watch('connectionChanged', open);
		await node.activate();
		const stored = JSON.stringify(node.stored);
		for (const secret of [credential.apiKey, credential.instanceToken, 'instanceName']) {
			expect(stored).not.toContain(secret);
		}
	});

	it('wants the instance token', async () => {
		const { node } = watch('connectionChanged', open);
		await expect(
			node.activate({ credential: { ...credential, instanceToken: ' ' } }),
		).rejects.toThrow("'Instance Token' is missing");
	});
});

describe('API Key Changed', () => {
	const key = (id: string, status = 'active', more: IDataObject = {}) => ({
		id,
		name: `Key ${id}`,
		channel: 'sms',
		status,
		created_at: '2025-03-10',
		masked_key: '••••c1d2',
		last_used_at: '2025-11-02',
		...more,
	});
	const simple = (change: string, id: string, status = 'active') => ({
		change,
		id,
		name: `Key ${id}`,
		channel: 'sms',
		status,
		masked_key: '••••c1d2',
	});

	it('reads the list of keys', async () => {
		const { node, asked } = watch('apiKeyChanged', [key('a')]);
		await node.activate();
		expect(asked).toEqual(['GET https://gateway.example/v1/apikeys undefined']);
		expect(node.logs).toEqual(['info: Status: first look, changes count from now on: API Keys']);
	});

	it.each<[string, IDataObject[][], IDataObject[]]>([
		['nothing new', [[key('a')], [key('a')]], []],
		['added', [[key('a')], [key('a'), key('b')], [key('b'), key('a')]], [simple('added', 'b')]],
		[
			'revoked, once',
			[[key('a')], [key('a', 'revoked')], [key('a', 'active')], [key('a', 'Revogada')]],
			[simple('revoked', 'a', 'revoked')],
		],
		['revoked from the beginning', [[key('a', 'revoked')], [key('a', 'revoked')]], []],
		['a status that nobody knows', [[key('a')], [key('a', 'paused')]], []],
		[
			'added and revoked between two looks',
			[[key('a')], [key('a'), key('b', 'revoked')]],
			[simple('added', 'b', 'revoked'), simple('revoked', 'b', 'revoked')],
		],
		[
			'vanished, after two looks, once',
			[[key('a'), key('b')], [key('a')], [key('a')], [key('a')]],
			[simple('vanished', 'b')],
		],
		['gone for one look', [[key('a'), key('b')], [key('a')], [key('a'), key('b')], [key('a')]], []],
		[
			'back after it had vanished',
			[[key('a'), key('b')], [key('a')], [key('a')], [key('a'), key('b')]],
			[simple('vanished', 'b'), simple('added', 'b')],
		],
		[
			'another one in the place of the only one',
			[[key('a')], [key('b')], [key('b')]],
			[simple('added', 'b'), simple('vanished', 'a')],
		],
		['twice in a list', [[key('a')], [key('a'), key('b'), key('b')]], [simple('added', 'b')]],
		[
			'back after it had vanished, with what it was',
			[
				[key('a'), key('b', 'revoked')],
				...[[key('a')], [key('a')]],
				[key('a'), key('b', 'revoked')],
				...[[key('a')], [key('a')], [key('a')]],
			],
			[
				simple('vanished', 'b', 'revoked'),
				simple('added', 'b', 'revoked'),
				simple('vanished', 'b', 'revoked'),
			],
		],
	])('%s', async (_, [first, ...answers], expected) => {
		const { node, service } = watch('apiKeyChanged', first);
		expect(await node.activate()).toEqual([]);
		for (const answer of answers) {
			service.answer = answer;
			await node.look();
		}
		expect(node.items).toEqual(expected);
	});

	it.each<[string, unknown[], string]>([
		['without IDs', [{ name: 'Key a' }, { name: 'Key b' }], 'The API keys came without their IDs'],
		['one without its ID', [key('a'), { id: null }], 'The API keys came without their IDs'],
		['one with an empty ID', [key('a'), { id: ' ' }], 'The API keys came without their IDs'],
		['that is empty', [], 'The service lists no API keys'],
	])('a list %s is no answer', async (_, odd, text) => {
		const all = [key('a'), key('b', 'revoked')];
		const { node, service } = watch('apiKeyChanged', odd);
		await expect(node.activate()).rejects.toThrow(text);
		service.answer = all;
		await node.activate();
		for (const answer of [odd, odd, odd, all, all]) {
			service.answer = answer;
			expect(await node.look()).toEqual([]);
		}
		expect(node.errors.map(({ message: said }) => said)).toEqual([`${text} [API Keys]`]);
		service.answer = [key('a', 'revoked'), key('b', 'revoked')];
		expect(await node.look()).toEqual([simple('revoked', 'a', 'revoked')]);
	});

	const words =
		'revoked revogada revogado revocada inactive inativa inativo disabled desativada desativado';
	const more = 'deleted excluida excluída excluido excluído expired expirada expirado';
	it.each(`${words} ${more}`.split(' '))('is revoked where its status is %s', async (status) => {
		for (const written of [status, ` ${status.toUpperCase()} `]) {
			const { node, service } = watch('apiKeyChanged', [key('a')]);
			await node.activate();
			service.answer = [key('a', written)];
			expect(await node.look()).toEqual([simple('revoked', 'a', written)]);
		}
	});

	it.each(['not revoked', 'revoked soon', 'revoga', 'expirad', 'exclud'])(
		'is not revoked where its status is %s',
		async (status) => {
			const { node, service } = watch('apiKeyChanged', [key('a')]);
			await node.activate();
			service.answer = [key('a', status)];
			expect(await node.look()).toEqual([]);
		},
	);

	it('may have a number for an id', async () => {
		const { node, service } = watch('apiKeyChanged', [{ ...key('a'), id: 41 }]);
		await node.activate();
		service.answer = [
			{ ...key('a'), id: 41 },
			{ ...key('b'), id: 42 },
		];
		expect(await node.look()).toMatchObject([{ change: 'added', id: '42' }]);
	});

	it('shows what the interface shows where it is not simplified', async () => {
		const { node, service } = watch('apiKeyChanged', [key('a')], { simplify: false });
		await node.activate();
		service.answer = [key('a'), key('b', 'active', { key: 'the-key-itself' })];
		expect(await node.look()).toEqual([{ change: 'added', ...key('b') }]);
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
	])('of a key that comes as %j, %j is seen', async (given, seen) => {
		for (const simplify of [true, false]) {
			const { node, service } = watch('apiKeyChanged', [key('a')], { simplify });
			await node.activate();
			service.answer = [key('a'), key('b', 'active', { masked_key: given })];
			const [item] = await node.look();
			expect(item!.masked_key).toBe(seen);
			if (seen !== given) expect(JSON.stringify(node.stored)).not.toContain(String(given));
		}
	});

	const rotated = { baseUrl: 'https://gateway.example', apiKey: 'another-key-7b21' };

	it('begins anew with the keys of another account', async () => {
		const { node, service } = watch('apiKeyChanged', [key('a'), key('b')]);
		await node.activate();
		service.answer = [key('x'), key('y')];
		expect(await node.activate({ credential: rotated, activationMode: 'update' })).toEqual([]);
		service.answer = [key('x'), key('y', 'revoked')];
		expect(await node.look()).toEqual([simple('revoked', 'y', 'revoked')]);
	});

	it.each(['update', 'init'] as const)(
		'begins anew where another account counts its keys alike, at %s',
		async (activationMode) => {
			const of = (...masks: string[]) =>
				masks.map((mask, index) => key(`${index + 1}`, 'active', { masked_key: mask }));
			const { node, service } = watch('apiKeyChanged', of('••••aaaa', '••••bbbb', '••••cccc'));
			await node.activate();
			service.answer = of('••••dddd');
			expect(await node.activate({ credential: rotated, activationMode })).toEqual([]);
			for (let look = 0; look < 3; look++) expect(await node.look()).toEqual([]);
		},
	);

	it('goes on with another key of the same account', async () => {
		const { node, service } = watch('apiKeyChanged', [key('a')]);
		await node.activate();
		service.answer = [key('a', 'revoked'), key('b')];
		expect(await node.activate({ credential: rotated, activationMode: 'init' })).toEqual([
			simple('revoked', 'a', 'revoked'),
			simple('added', 'b'),
		]);
	});

	it('stores neither the credential nor more of a key than its mask', async () => {
		const { node } = watch('apiKeyChanged', [key('a', 'active', { key: 'the-key-itself' })]);
		await node.activate();
		const stored = JSON.stringify(node.stored);
		for (const secret of ['the-key-itself', credential.apiKey, credential.instanceToken]) {
			expect(stored).not.toContain(secret);
		}
	});
});

it('begins anew with another event', async () => {
	const { node, service } = watch('connectionChanged', { state: 'open' });
	await node.activate();
	service.answer = [{ id: 'a', status: 'active' }];
	expect(await node.activate({ parameters: { event: 'apiKeyChanged' } })).toEqual([]);
	service.answer = [{ id: 'a', status: 'revoked' }];
	expect(await node.look()).toEqual([{ change: 'revoked', id: 'a', status: 'revoked' }]);
});

it('knows no other event', async () => {
	await expect(watch('somethingElse', {}).node.activate()).rejects.toThrow('Choose an event');
});
