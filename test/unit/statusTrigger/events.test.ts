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

describe('Campaign Finished', () => {
	const counters = { total: 4, queued: 0, sent: 0, delivered: 3, errors: 1, deliveryRate: 75 };

	const campaign = (statistics: unknown, messages: unknown[] = []) => ({
		success: true,
		campaigns: [{ campaignId: 'c-1', nome: 'Novidades', statistics, messages }],
	});

	const running = campaign({ ...counters, queued: 1, delivered: 2 });

	const simple = { campaignId: 'c-1', campaignName: 'Novidades', channel: 'sms', ...counters };
	const messages = [{ ...message('a', 'delivered'), to: '+5511912345678' }];
	const whole = { campaignId: 'c-1', campaignName: 'Novidades', statistics: counters, messages };

	it.each([
		[true, simple],
		[false, whole],
	])('is reported once, simplified: %s', async (simplify, shown) => {
		const over = campaign(counters, [message('a', 'delivered')]);
		const answers = [running, running, over, over, running, over];
		const seen = await poll('campaignFinished', answers, { simplify });
		expect(seen).toEqual([[], [shown], [], [], []]);
		expect(await pollAll('campaignFinished', [over, over])).toEqual([]);
	});

	it.each<[string, boolean, unknown]>([
		["'sent' includes the delivered", true, { ...counters, sent: 4 }],
		['one is queued', false, { ...counters, queued: 1 }],
		['one is on its way', false, { ...counters, sent: 1, delivered: 2 }],
		['no message at all', false, { ...counters, total: 0, delivered: 0, errors: 0 }],
		['no message at all, as text', false, { total: '0', delivered: '0', errors: '0' }],
		['no counter of the queued', true, { ...counters, queued: undefined }],
		['no counter of the failed', true, { total: 4, queued: 0, delivered: 4 }],
		['no counter of the delivered', true, { total: 4, queued: 0, errors: 4 }],
		['no other counter than the total', false, { total: 2 }],
		['counters as text', true, { total: '4', queued: '0', delivered: ' 3', errors: '1' }],
		['a counter below zero', true, { total: 4, delivered: 4, errors: -1 }],
		['an invalid counter', false, { ...counters, total: 'four' }],
	])('%s: finished is %s', async (_, isFinished, statistics) => {
		const answers = [running, campaign(statistics)];
		expect(await pollAll('campaignFinished', answers)).toHaveLength(isFinished ? 1 : 0);
	});

	it.each([{}, { statistics: 'many', messages: [message('m', 'sent')] }])(
		'a campaign with only %j is a failed poll',
		async (odd) => {
			const answer = { campaigns: [{ campaignId: 'c-1', ...odd }] };
			const { node, service } = watch({ event: 'campaignFinished' }, answer);
			await expect(node.activate()).rejects.toThrow(
				'The service returned a campaign without its statistics [Campaign c-1]',
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
	const known = { success: true, message: 'Instância conectada.' };
	const gone = { connected: false, previouslyConnected: true };
	const lost = { connected: false, previouslyConnected: null };
	const back = { connected: true, previouslyConnected: false };

	it.each<[string, unknown[], IDataObject[]]>([
		['both ways, each after two polls', [open, closed, closed, open, open], [gone, back]],
		['reported once', [open, refused, closed, refused, refused], [gone]],
		['a brief change does not count', [open, closed, open, closed, open, open], []],
		['disconnected at first', [closed, closed, open, open], [back]],
		['an unclear state starts nothing', [open, unclear, known, unclear, open, open], []],
		['it takes two polls in a row', [open, closed, unclear, closed, closed], [gone]],
		['as a clear one does', [open, unclear, open, closed, closed], [gone]],
		['unclear before', [open, unclear, unclear, closed, closed, open, open], [lost, back]],
		['unclear at first', [unclear, closed, closed, open, open], [lost, back]],
		['unclear at first, then connected', [unclear, open, open, closed, closed], [gone]],
		['unclear in between', [closed, unclear, unclear, unclear, open, open], [back]],
		['connected, unclear, connected', [closed, open, open, unclear, unclear, open, open], [back]],
		[
			'the documented text beside words of any kind, each time',
			[known, refused, refused, known, known, refused, refused, refused],
			[lost, lost],
		],
	])('%s', async (_, answers, expected) => {
		expect(await pollAll(event, answers)).toEqual(expected);
	});

	it('is output without secrets if not simplified', async () => {
		const { apiKey, instanceToken } = credential;
		const second = { state: 'close', yours: [apiKey, instanceToken] };
		const items = await pollAll(event, [open, second, second], { simplify: false });
		const { node } = watch({ event, simplify: false }, second);
		for (const shown of [items, await node.activate({ mode: 'manual' })])
			expect(shown).toEqual([{ ...gone, answer: { state: 'close', yours: ['***', '***'] } }]);
	});
});

it('rejects an unknown event', async () => {
	await expect(watch({ event: 'other' }, {}).node.activate()).rejects.toThrow(
		"Choose an event in 'Trigger On'",
	);
});
