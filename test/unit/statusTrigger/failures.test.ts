import { setTimeout as sleep } from 'node:timers/promises';

import { apiKeyChanged } from '../../../nodes/MessagingGatewayStatusTrigger/events/apiKeyChanged';
import { messageStatusChanged } from '../../../nodes/MessagingGatewayStatusTrigger/events/messageStatusChanged';
import { campaignMissing } from '../../../nodes/MessagingGatewayStatusTrigger/events/watchedCampaigns';
import {
	answerFailure,
	requestFailure,
} from '../../../nodes/MessagingGatewayStatusTrigger/failures';
import { noRoom } from '../../../nodes/MessagingGatewayStatusTrigger/state';
import type { Poll, Source } from '../../../nodes/MessagingGatewayStatusTrigger/statusEvent';
import {
	refused,
	refusedForNow,
	unknown,
	type Outcome,
	type Reason,
} from '../../../nodes/gateway/outcome';
import { credential, node as owner } from '../../../testing/context';
import { everyStatus, invalidToken, notFound, statuses, watch, watchMessages } from './support';

afterEach(() => {
	jest.restoreAllMocks();
});

const source = (key: string): Source => ({
	key,
	name: `Campaign ${key}`,
	request: { method: 'GET', path: '/v2/campanhas', expected: 'list', query: { campaignId: key } },
});

function failureOf(outcome: Outcome, key = 'c-1', event: object = messageStatusChanged) {
	const client = { origin: 'https://gateway.example' };
	const poll = { node: owner, event, client } as unknown as Poll;
	return requestFailure(poll, source(key), outcome as Parameters<typeof requestFailure>[2]);
}

const no = (reason: Partial<Reason>) => refused({ kind: 'rejected', ...reason });
const limited = (ms?: number) => refusedForNow({ kind: 'tooManyRequests', status: 429 }, ms);

describe('a failure is about', () => {
	it.each<[string, Outcome]>([
		['a campaign that is not there', no({ text: 'Campanha não encontrada.' })],
		['a campaign that is not there, by its status', no({ status: 404 })],
		['a campaign that is refused', no({ status: 409, text: 'Não.' })],
		['an id that is no good', refused({ kind: 'validation', status: 422, text: 'campaignId' })],
	])('%s: the others are read all the same', (_, outcome) => {
		const [one, other] = [failureOf(outcome), failureOf(outcome, 'c-2')];
		expect(one.source).toEqual(source('c-1'));
		expect(other.kind).not.toBe(one.kind); // reported of each
		expect(failureOf(outcome).kind).toBe(one.kind);
	});

	it.each<[string, Outcome]>([
		['a key that is not known', no({ status: 401 })],
		['a key that may not', no({ status: 403 })],
		['a key that is refused', no({ status: 400, text: 'Token inválido.' })],
		['an instance that is gone', no({ text: 'Instância desconectada.' })],
		['a redirect', refused({ kind: 'redirect', status: 302 })],
		['a limit', limited(1_000)],
		['no answer', unknown({ kind: 'noAnswer' })],
		['no JSON', unknown({ kind: 'rejected' })],
	])('%s: all of them', (_, outcome) => {
		const [one, other] = [failureOf(outcome), failureOf(outcome, 'c-2')];
		expect(one.source).toBeUndefined();
		expect(other.kind).toBe(one.kind); // reported once
	});
});

it('tells failures apart by what happened and its status', () => {
	const fault = (status: number) => unknown({ kind: 'serverFault', status });
	const kinds = [
		...[no({ status: 401 }), no({ status: 403 }), no({ status: 404 }), fault(500), fault(502)],
		...[unknown({ kind: 'noAnswer' }), refused({ kind: 'neverLeft' })],
	].map((outcome) => failureOf(outcome).kind);
	expect(new Set(kinds).size).toBe(kinds.length);
	const lacks = [campaignMissing, noRoom].flatMap((lack) =>
		['c-1', 'c-2'].map((key) => answerFailure(owner, source(key), lack)),
	);
	expect(new Set(lacks.map(({ kind }) => kind)).size).toBe(4);
	expect(lacks[0]).toMatchObject({ error: campaignMissing, source: source('c-1') });
	expect(lacks[2]!.error.description).toContain('can store 2 MB');
});

const withCampaigns = messageStatusChanged;

it.each<[string, object, Outcome, RegExp]>([
	['a campaign', withCampaigns, no({ text: notFound.message }), / Check '.*IDs' and 'Channel'\.$/],
	[
		'an address',
		withCampaigns,
		no({ status: 404 }),
		/Chat App Name.* Also check 'Campaign Names or IDs'\.$/,
	],
	['a limit', withCampaigns, limited(), / Poll less .*'Poll Times'\), or watch fewer campaigns\.$/],
	['a limit of keys', apiKeyChanged, limited(), / Poll less often \('Poll Times'\)\.$/],
])('names the fields that can mend %s', (_, event, outcome, advice) => {
	expect(failureOf(outcome, 'c-1', event).error.description).toMatch(advice);
});

it.each<[string, Outcome, boolean]>([
	['beyond a minute', limited(60_001), true],
	['of a minute', limited(60_000), false],
	['without a time', limited(), false],
	['in doubt', { ...unknown({ kind: 'serverFault' }), retryAfterMs: 90_000 } as Outcome, false],
])('says how long a pause is: %s', (_, outcome, isNamed) => {
	const text = 'The service asks for a pause of 2 minutes. This node sends no requests until then.';
	expect(failureOf(outcome).error.description === text).toBe(isNamed);
});

describe('a poll that fails', () => {
	it('is reported once as long as it lasts, and loses nothing', async () => {
		const { node, service } = await watchMessages(['a']);
		const stored = structuredClone(node.stored);
		service.answer = invalidToken;
		for (let poll = 0; poll < 5; poll++) expect(await node.poll()).toEqual([]);
		expect(node.failures).toEqual(['The service rejected the credential: "Token inválido."']);
		expect(node.errors[0]!.description).toMatch(
			/[.] The node keeps polling .* This message appears only once[.]$/,
		);
		expect(node.stored).toEqual(stored);
		const lines = node.logs.filter((line) => line.includes('Token inválido.'));
		expect(lines.map((line) => line.split(':')[0])).toEqual(['warn', ...Array(4).fill('debug')]);
		service.answer = everyStatus('sent');
		expect(statuses(await node.poll())).toEqual(['m-a sent']);
	});

	it('is reported after three polls with changes at the latest', async () => {
		const { node, service } = await watchMessages(['a', 'b']);
		const seen: Array<[string[], number]> = [];
		for (const status of ['1', '2', '3', '4', '4', '5', '6']) {
			service.answer = (id: string) => (id === 'b' ? notFound : everyStatus(status)(id));
			seen.push([statuses(await node.poll()), node.errors.length]);
		}
		expect(seen).toEqual([
			...[1, 2, 3].map((step) => [[`m-a ${step}`], 0]),
			[[], 1],
			...[4, 5, 6].map((step) => [[`m-a ${step}`], 1]),
		]);
		service.answer = (id: string) => (id === 'b' ? invalidToken : everyStatus('8')(id));
		expect(statuses(await node.poll())).toEqual(['m-a 8']); // counted anew for another one
	});

	it('of some campaigns names three of them, and later ones by themselves', async () => {
		const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
		const { node, service } = await watchMessages(ids);
		for (const count of [3, 6, 6]) {
			const gone = ids.slice(0, count);
			service.answer = (id: string) => (gone.includes(id) ? notFound : everyStatus('queued')(id));
			await node.poll();
		}
		const { node: other, service: its } = await watchMessages(ids);
		its.answer = notFound;
		await other.poll();
		const text = 'The service does not know this campaign: "Campanha não encontrada."';
		expect([node.failures, other.failures]).toEqual([
			[
				`${text} [Campaign a, Campaign b, Campaign c]`,
				`${text} [Campaign d, Campaign e, Campaign f]`,
			],
			[`${text} [Campaign a, Campaign b, Campaign c and 3 more]`],
		]);
	});

	it('for a reason without a hint says just that it goes on', async () => {
		const parameters = {
			get event(): string {
				throw new Error('Not readable');
			},
		};
		const { node } = watch({}, undefined, { parameters });
		await node.activate({ activationMode: 'init' });
		for (let poll = 0; poll < 2; poll++) expect(await node.poll()).toEqual([]);
		const description =
			'The node keeps polling and reports changes as soon as it can. This message appears only once.';
		expect(node.errors).toMatchObject([{ message: 'Not readable', description }]);
	});

	it('that an answer would mend is asked once more', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0); // the shortest wait
		const { node, service, asked } = await watchMessages(['a']);
		service.answer = (id: string) => {
			if (asked.length === 1) throw new Error('socket hang up');
			return everyStatus('sent')(id);
		};
		expect(statuses(await node.poll())).toEqual(['m-a sent']);
	});

	it('for another reason is reported as well, and for two one after the other', async () => {
		const { node, service } = await watchMessages(['a', 'b']);
		for (const answer of [invalidToken, notFound, invalidToken, notFound]) {
			service.answer = answer;
			await node.poll();
		}
		service.answer = (id: string) => (id === 'a' ? notFound : { campaigns: [] });
		for (let poll = 0; poll < 3; poll++) await node.poll();
		expect(node.failures).toEqual([
			expect.stringContaining('rejected the credential'),
			expect.stringContaining('does not know this campaign'),
			expect.stringContaining('did not return this campaign'),
		]);
		const warnings = node.logs.filter((line) => line.startsWith('warn'));
		expect(warnings.at(-1)).toContain('did not return this campaign'); // the news, not the first one
		const { node: other, service: its } = await watchMessages(['a', 'b']);
		its.answer = (id: string) => (id === 'a' ? notFound : { campaigns: [] });
		for (let poll = 0; poll < 4; poll++) await other.poll();
		expect(other.errors).toHaveLength(2);
	});

	it.each<[string, (minute: number) => boolean, number[]]>([
		['every now and then is reported once an hour', (minute) => minute % 2 === 0, [0, 62, 124]],
		['for hours is reported once', () => true, [0]],
		[
			'soon again, and then for hours, is reported again after an hour',
			(minute) => minute < 2 || minute >= 12,
			[0, 61],
		],
	])('%s', async (_, isDown, minutes) => {
		const { node, service } = await watchMessages(['a']);
		const start = Date.now();
		const clock = jest.spyOn(Date, 'now');
		const reported: number[] = [];
		for (let minute = 0; minute < 180; minute++) {
			clock.mockReturnValue(start + minute * 60_000);
			service.answer = isDown(minute) ? invalidToken : everyStatus('queued');
			await node.poll();
			while (reported.length < node.errors.length) reported.push(minute);
		}
		expect(reported).toEqual(minutes);
	});

	it('that was reported by a clock that was ahead is reported again', async () => {
		const { node, service } = await watchMessages(['a']);
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 10 * 24 * 3_600_000);
		service.answer = invalidToken;
		await node.poll();
		clock.mockReturnValue(now);
		for (const answer of [everyStatus('queued'), invalidToken]) {
			service.answer = answer;
			await node.poll();
		}
		expect(node.errors).toHaveLength(2);
	});
});

describe('the poll while n8n activates the workflow', () => {
	it('throws for the person who publishes, each time', async () => {
		const { node, service } = watch({ event: 'messageStatusChanged' }, invalidToken);
		for (let attempt = 0; attempt < 5; attempt++) {
			await expect(node.activate()).rejects.toThrow('Token inválido.');
		}
		service.answer = everyStatus('queued');
		expect(await node.activate()).toEqual([]);
	});

	it.each(['init', 'leadershipChange', 'update'] as const)(
		'does not throw at %s, which would leave it inactive: the next one reports it',
		async (activationMode) => {
			const { node, service } = await watchMessages(['a']);
			service.answer = invalidToken;
			const starts = activationMode === 'update' ? 1 : 3;
			for (let start = 0; start < starts; start++) {
				expect(await node.activate({ activationMode })).toEqual([]);
			}
			expect(node.logs.join()).toContain('warn: Status: The service rejected the credential');
			for (let poll = 0; poll < 3; poll++) await node.poll();
			expect(node.errors).toHaveLength(1);
			service.answer = everyStatus('sent');
			expect(statuses(await node.poll())).toEqual(['m-a sent']);
		},
	);

	it('reports at the second poll what n8n calls as if it were the first each time', async () => {
		const { node, service } = await watchMessages(['a']);
		service.answer = invalidToken;
		let thrown = 0;
		for (let poll = 0; poll < 5; poll++) {
			await node.activate({ activationMode: 'update' }).catch(() => thrown++);
		}
		expect(thrown).toBe(1);
	});
});

describe('a pause that the service asks for', () => {
	const tooMany = (seconds: number) => ({
		statusCode: 429,
		body: { success: false, message: 'Devagar' },
		headers: { 'retry-after': String(seconds) },
	});

	/** A published node whose service has asked for a pause. */
	async function paused(seconds: number, campaignIds = ['a']) {
		const watched = await watchMessages(campaignIds);
		watched.service.answer = tooMany(seconds);
		await watched.node.poll();
		return watched;
	}

	const later = (seconds: number) => {
		const then = Date.now() + seconds * 1000;
		jest.spyOn(Date, 'now').mockReturnValue(then);
	};

	it('is kept, and reported once', async () => {
		const { node, service, asked } = await paused(300, ['a', 'b']);
		const before = asked.length;
		expect(before).toBeLessThanOrEqual(2); // both may be under way at once
		for (const seconds of [60, 180, 59]) {
			later(seconds);
			expect(await node.poll()).toEqual([]);
		}
		expect(asked).toHaveLength(before);
		later(2);
		service.answer = everyStatus('sent');
		expect(statuses(await node.poll())).toEqual(['m-a sent', 'm-b sent']);
		expect(node.errors).toMatchObject([
			{
				message: expect.stringContaining('too many requests'),
				description: expect.stringContaining('asks for a pause of 5 minutes'),
			},
		]);
	});

	it('is an error for the person who publishes meanwhile, at each attempt of n8n', async () => {
		const { node, service, asked } = watch({ event: 'messageStatusChanged' }, tooMany(7200));
		const refusal = (time: string) => ({
			message: expect.stringContaining('too many requests'),
			description: `The service asks for a pause of ${time}. This node sends no requests until then.`,
		});
		for (let attempt = 0; attempt < 5; attempt++) {
			await expect(node.activate()).rejects.toMatchObject(refusal('2 hours'));
		}
		later(3601);
		await expect(node.activate()).rejects.toMatchObject(refusal('60 minutes'));
		expect([asked.length, node.stored]).toEqual([1, {}]);

		service.answer = everyStatus('queued');
		later(3600);
		expect(await node.activate()).toEqual([]);
		expect(node.stored).not.toEqual({});
	});

	it.each(['init', 'leadershipChange', 'update'] as const)(
		'leaves the workflow active at %s, and asks nothing',
		async (activationMode) => {
			const { node, asked } = await paused(7200);
			expect(await node.activate({ activationMode })).toEqual([]);
			expect(await node.poll()).toEqual([]);
			expect([asked.length, node.errors.length]).toEqual([1, 1]);
		},
	);

	it('is the longest of those that come together', async () => {
		const { node, service, asked } = await watchMessages(['a', 'b']);
		service.answer = async (id: string) => {
			await sleep(10); // until both are asked
			return tooMany(id === 'a' ? 7200 : 300);
		};
		await node.poll();
		later(301);
		await node.poll();
		expect(asked).toEqual(['a', 'b']);
	});

	it.each([
		['address', { baseUrl: 'https://other.example' }],
		['API key', { apiKey: 'another-key-7b21' }],
	])('is not that of another %s', async (_, change) => {
		const { node, service } = await paused(7200);
		service.answer = everyStatus('sent');
		const other = { activationMode: 'update', credential: { ...credential, ...change } } as const;
		expect(statuses(await node.activate(other))).toEqual(['m-a sent']);
		service.answer = tooMany(120);
		await node.poll();
		service.answer = everyStatus('delivered');
		expect(await node.poll()).toEqual([]); // it has a pause of its own now
		later(121);
		expect(statuses(await node.poll())).toEqual(['m-a delivered']);
	});

	it.each([
		['by a clock that was ahead is over when the clock is right', 48, 120, 0],
		['of years is not believed', 0, 1e9, 25],
	])('%s', async (_, aheadHours, seconds, afterHours) => {
		const { node, service } = await watchMessages(['a']);
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(now + aheadHours * 3_600_000);
		service.answer = tooMany(seconds);
		await node.poll();
		clock.mockReturnValue(now + afterHours * 3_600_000);
		service.answer = everyStatus('sent');
		expect(statuses(await node.poll())).toEqual(['m-a sent']);
	});
});
