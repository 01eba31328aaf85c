import type { NodeApiError } from 'n8n-workflow';

import { connectionChanged } from '../../../nodes/MessagingGatewayStatusTrigger/events/connectionChanged';
import { messageStatusChanged } from '../../../nodes/MessagingGatewayStatusTrigger/events/messageStatusChanged';
import { recordsIn, type Failure } from '../../../nodes/MessagingGatewayStatusTrigger/failures';
import type { Poll, Source } from '../../../nodes/MessagingGatewayStatusTrigger/statusEvent';
import {
	refused,
	refusedForNow,
	unknown,
	type Outcome,
	type Reason,
} from '../../../nodes/service/outcome';
import { credential, node as owner } from '../../../tools/shared/context';
import type { PollContextOptions } from '../../../tools/shared/pollContext';
import {
	Clock,
	everyStatus,
	invalidToken,
	notFound,
	statuses,
	watch,
	watchMessages,
} from './support';

let clock: Clock;
beforeEach(() => {
	clock = new Clock();
});

const source: Source = {
	key: 'c-1',
	name: 'Campaign c-1',
	request: { method: 'GET', path: '/v2/campanhas', expected: 'list', query: { campaignId: 'c-1' } },
};

function failureOf(outcome: Outcome, event: object = messageStatusChanged) {
	const client = { origin: 'https://gateway.example' };
	const poll = { node: owner, event, client } as unknown as Poll;
	return recordsIn(poll, source, outcome) as Failure;
}

const no = (reason: Partial<Reason>) => refused({ kind: 'rejected', ...reason });
const limited = (ms?: number) => refusedForNow({ kind: 'tooManyRequests', status: 429 }, ms);

it.each<[string, Outcome, boolean]>([
	['a missing campaign', no({ text: 'Campanha não encontrada.' }), true],
	['a missing campaign, by its status', no({ status: 404 }), true],
	['a refused campaign', no({ status: 409, text: 'Não.' }), true],
	['an invalid id', refused({ kind: 'validation', status: 422, text: 'campaignId' }), true],
	['an unknown key', no({ status: 401 }), false],
	['a key without permission', no({ status: 403 }), false],
	['a refused key', no({ status: 400, text: 'Token inválido.' }), false],
	['a disconnected instance', no({ text: 'Instância desconectada.' }), false],
	['a proxy that wants a password', no({ status: 407 }), false],
	['a redirect', refused({ kind: 'redirect', status: 302 }), false],
	['a rate limit', limited(1_000), false],
	['no answer', unknown({ kind: 'noAnswer' }), false],
	['no JSON', unknown({ kind: 'rejected' }), false],
])('%s affects one campaign only: %s', (_, outcome, isOwn) => {
	expect(failureOf(outcome).source).toEqual(isOwn ? source : undefined);
});

it.each<[string, Outcome, RegExp, object?]>([
	['a campaign', no({ text: notFound.message }), /^Check '.*IDs' and 'Channel'\. /],
	['an address', no({ status: 404 }), /^Check 'Campaign Names or IDs'\. .*Chat App Name/],
	['a limit', limited(), /^Poll less .*'Poll Times'\), or watch fewer campaigns\. /],
	['a limit of the instance', limited(), /^Poll less often \('Poll Times'\)\. /, connectionChanged],
])('says what to change for %s', (_, outcome, hint, event: object = messageStatusChanged) => {
	expect(failureOf(outcome, event).error.description).toMatch(hint);
});

describe('a failed poll', () => {
	it('is never reported twice in a row, so that changes wait for one poll at most', async () => {
		const { node, service } = await watchMessages(['a', 'b']);
		const seen: Array<[string[], number]> = [];
		for (const status of ['1', '2', '3', '4']) {
			const stored = structuredClone(node.stored);
			service.answer = (id: string) => (id === 'b' ? notFound : everyStatus(status)(id));
			const changes = statuses(await node.poll());
			if (changes.length === 0) expect(node.stored).toEqual(stored);
			seen.push([changes, node.errors.length]);
		}
		expect(seen).toEqual([
			[[], 1],
			[['m-a 2'], 1],
			[[], 2],
			[['m-a 4'], 2],
		]);
		const said = 'The service refused the request: "Campanha não encontrada." [Campaign b]';
		expect(node.failures).toEqual([said, said]);
		expect(node.logs.filter((line) => line.startsWith('warn'))).toHaveLength(4);
		// After one that did not fail, it is reported again.
		for (const answer of [invalidToken, everyStatus('5'), invalidToken]) {
			service.answer = answer;
			await node.poll();
		}
		expect(node.errors).toHaveLength(4);
	});

	it('of many campaigns names three of those that fail alike', async () => {
		const { node, service } = await watchMessages(['a', 'b', 'c', 'd', 'e', 'f', 'other']);
		const other = { success: false, message: 'Não.' };
		service.answer = (id: string) => (id === 'other' ? other : notFound);
		await node.poll();
		expect(node.failures.join()).toMatch(/\[Campaign a, Campaign b, Campaign c and 3 more\]$/);
	});

	const fault = { statusCode: 500, body: {} };
	const page = { statusCode: 200, body: '<h1>Login</h1>' };
	const broken = () => {
		throw new Error('socket hang up');
	};

	it.each<[unknown, string]>([
		[fault, 'The service could not process the request'],
		[page, 'The service sent an unexpected answer'],
		[broken, 'ended without an answer'],
	])('of one campaign, which others lack, names it and stops none: %j', async (odd, said) => {
		jest.spyOn(Math, 'random').mockReturnValue(0); // the shortest wait
		const ids = Array.from({ length: 30 }, (_, index) => `c-${index}`);
		const { node, service } = await watchMessages(ids);
		const answer = () => (typeof odd === 'function' ? odd() : odd);
		service.answer = (id: string) => (id === 'c-9' ? answer() : everyStatus('sent')(id));
		await node.poll();
		expect(node.failures).toEqual([
			expect.stringMatching(new RegExp(`${said}.* \\[Campaign c-9\\]$`)),
		]);
		expect(await node.poll()).toHaveLength(29);
		const { node: other, service: its, asked } = await watchMessages(ids);
		its.answer = answer;
		await other.poll();
		expect(other.failures).toEqual([expect.not.stringContaining('Campaign')]); // all have it
		expect(new Set(asked).size).toBeLessThanOrEqual(10);
	});

	it('is avoided by another attempt within the poll', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0); // the shortest wait
		const { node, service, asked } = await watchMessages(['a']);
		service.answer = (id: string) => {
			if (asked.length === 1) throw new Error('socket hang up');
			return everyStatus('sent')(id);
		};
		expect(statuses(await node.poll())).toEqual(['m-a sent']);
	});
});

describe('the poll while n8n activates the workflow', () => {
	it.each(['init', 'leadershipChange', 'update'] as const)(
		'does not throw at %s, which would leave it inactive; the next poll reports the failure',
		async (activationMode) => {
			const { node, service } = await watchMessages(['a']);
			service.answer = invalidToken;
			const starts = activationMode === 'update' ? 1 : 3;
			for (let start = 0; start < starts; start++) {
				expect(await node.activate({ activationMode })).toEqual([]);
			}
			expect(node.logs.join()).toContain('warn: Status: The service rejected the credential');
			await node.poll();
			expect(node.errors).toHaveLength(1);
			service.answer = everyStatus('sent');
			expect(statuses(await node.poll())).toEqual(['m-a sent']);
		},
	);

	it('reports every second poll that fails if each has a context of its own', async () => {
		const { node, service } = await watchMessages(['a']);
		service.answer = invalidToken;
		let thrown = 0;
		for (let poll = 0; poll < 5; poll++) {
			await node.activate({ activationMode: 'update' }).catch(() => thrown++);
		}
		expect(thrown).toBe(2);
	});
});

describe('a pause requested by the service', () => {
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

	it('is observed by all nodes of the account', async () => {
		const { node: other, service: its, asked: askedByOther } = await watchMessages(['c']);
		const { node, service, asked } = await paused(300, ['a', 'b']);
		const before = asked.length;
		expect(before).toBeLessThanOrEqual(2); // both may be in progress at once
		its.answer = everyStatus('sent');
		askedByOther.length = 0;
		for (const seconds of [60, 120, 59]) {
			clock.pass(seconds);
			expect([await node.poll(), await other.poll()]).toEqual([[], []]);
		}
		expect([asked.length, askedByOther]).toEqual([before, []]);
		clock.pass(62);
		service.answer = everyStatus('sent');
		expect(statuses(await node.poll())).toEqual(['m-a sent', 'm-b sent']);
		expect(statuses(await other.poll())).toEqual(['m-c sent']);
		expect(node.errors[0]).toMatchObject({
			message: expect.stringContaining('too many requests'),
			description: expect.stringContaining('asks for a pause of 5 minutes'),
		});
	});

	it('is over when the next poll reads the campaigns that are left', async () => {
		const ids = Array.from({ length: 30 }, (_, index) => `c-${index}`);
		const { node, service, asked } = await watchMessages(ids);
		service.answer = (id: string) => (asked.length > 10 ? tooMany(300) : everyStatus('sent')(id));
		await node.poll();
		asked.length = 0;
		clock.pass(301);
		service.answer = everyStatus('sent');
		await node.poll();
		expect(asked[0]).toMatch(/^c-[12]\d$/);
	});

	it("is in the error, for n8n's own schedule: what is left of it", async () => {
		const { node, service } = await watchMessages(['a']);
		service.answer = tooMany(300);
		await node.activate({ activationMode: 'update' }); // as the durable scheduler polls
		clock.pass(100);
		const error = await node.activate({ activationMode: 'update' }).catch((thrown) => thrown);
		const { failure } = error as NodeApiError;
		if ('failure' in error) expect(failure).toMatchObject({ cause: 'rate-limited' });
		const waitMs = failure && 'retryAfterMs' in failure ? failure.retryAfterMs! : 200_000;
		expect(Math.round(waitMs / 1000)).toBe(200);
	});

	it('throws when a person publishes meanwhile, at each attempt of n8n', async () => {
		const { node, service, asked } = watch({ event: 'messageStatusChanged' }, tooMany(7200));
		const refusal = (time: string) => ({
			message: expect.stringContaining('too many requests'),
			description: `The service asks for a pause of ${time}. This node sends no requests until then.`,
		});
		for (let attempt = 0; attempt < 5; attempt++) {
			await expect(node.activate()).rejects.toMatchObject(refusal('120 minutes'));
		}
		clock.pass(3601);
		await expect(node.activate()).rejects.toMatchObject(refusal('60 minutes'));
		expect([asked.length, node.stored]).toEqual([1, {}]);

		service.answer = everyStatus('queued');
		clock.pass(3600);
		expect(await node.activate()).toEqual([]);
		expect(node.stored).not.toEqual({});
	});

	const withCredential = (change: object) => ({ credential: { ...credential, ...change } });
	it.each<[string, Partial<PollContextOptions>, string[]]>([
		['address', withCredential({ baseUrl: 'https://other.example' }), []], // of another account, as far as is known
		['API key', withCredential({ apiKey: 'another-key-7b21' }), ['m-a sent']],
		[
			'channel',
			{ parameters: { event: 'messageStatusChanged', channel: 'chatApp', campaignIds: 'a' } },
			[],
		],
	])('does not affect another %s', async (_, change, news) => {
		const { node, service, asked } = await paused(7200);
		service.answer = everyStatus('sent');
		expect(statuses(await node.activate({ activationMode: 'update', ...change }))).toEqual(news);
		expect(asked).toHaveLength(2);
		service.answer = tooMany(120);
		await node.poll();
		service.answer = everyStatus('delivered');
		expect(await node.poll()).toEqual([]); // now it has its own pause
		clock.pass(121);
		expect(statuses(await node.poll())).toEqual(['m-a delivered']);
	});
});
