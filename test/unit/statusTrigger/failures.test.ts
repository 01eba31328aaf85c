import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { notThere } from '../../../nodes/MessagingGatewayStatusTrigger/events/watchedCampaigns';
import { apiKeyChanged } from '../../../nodes/MessagingGatewayStatusTrigger/events/apiKeyChanged';
import { messageStatusChanged } from '../../../nodes/MessagingGatewayStatusTrigger/events/messageStatusChanged';
import {
	lacking,
	notAccepted,
	otherFailure,
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
import { node } from '../../../testing/context';

const source = (key: string): Source => ({
	key,
	name: `Campaign ${key}`,
	request: { method: 'GET', path: '/v2/campanhas', expected: 'list', query: { campaignId: key } },
});

function failureOf(outcome: Outcome, key = 'c-1', event: object = messageStatusChanged) {
	const client = { origin: 'https://gateway.example' };
	const poll = { node, event, client } as unknown as Poll;
	return notAccepted(poll, source(key), outcome as Parameters<typeof notAccepted>[2]);
}

const no = (reason: Partial<Reason>) => refused({ kind: 'rejected', ...reason });

describe('a failure is about', () => {
	it.each<[string, Outcome]>([
		['a campaign that is not there', no({ text: 'Campanha não encontrada.' })],
		['a campaign that is not there, by its status', no({ status: 404 })],
		['a campaign that is refused', no({ status: 409, text: 'Não.' })],
		['an id that is no good', refused({ kind: 'validation', status: 422, text: 'campaignId' })],
	])('%s: the others are read all the same', (_, outcome) => {
		const [one, other] = [failureOf(outcome), failureOf(outcome, 'c-2')];
		expect(one.source).toEqual(source('c-1'));
		expect(other.kind).not.toBe(one.kind); // said of each
		expect(failureOf(outcome).kind).toBe(one.kind);
	});

	it.each<[string, Outcome]>([
		['a key that is not known', no({ status: 401 })],
		['a key that may not', no({ status: 403 })],
		['a key that is refused', no({ status: 400, text: 'Token inválido.' })],
		['an instance that is gone', no({ text: 'Instância desconectada.' })],
		['a redirect', refused({ kind: 'redirect', status: 302 })],
		['a limit', refusedForNow({ kind: 'tooManyRequests', status: 429 }, 1_000)],
		['no answer', unknown({ kind: 'noAnswer' })],
		['no JSON', unknown({ kind: 'rejected' })],
	])('%s: all of them', (_, outcome) => {
		const [one, other] = [failureOf(outcome), failureOf(outcome, 'c-2')];
		expect(one).not.toHaveProperty('source');
		expect(other.kind).toBe(one.kind); // said once
	});
});

it('tells failures apart by what happened and its status', () => {
	const kinds = [
		no({ status: 401 }),
		no({ status: 403 }),
		unknown({ kind: 'serverFault', status: 500 }),
		unknown({ kind: 'serverFault', status: 502 }),
		unknown({ kind: 'noAnswer' }),
		refused({ kind: 'neverLeft' }),
		no({ status: 404 }),
	].map((outcome) => failureOf(outcome).kind);
	expect(new Set(kinds).size).toBe(kinds.length);
});

describe('a pause', () => {
	const limited = (ms?: number) => refusedForNow({ kind: 'tooManyRequests', status: 429 }, ms);

	it('beyond a minute is kept to, and the error says how long', () => {
		const { error } = failureOf(limited(60_001));
		expect(error.description).toBe(
			'The service asks for a pause of 2 minutes. Until then this node asks it nothing.',
		);
	});

	it.each([60_000, undefined])('of %p ms is not worth a word', (ms) => {
		const { error } = failureOf(limited(ms));
		expect(error.description).not.toContain('pause');
	});

	it('that an answer in doubt asks for is none', () => {
		const outcome = { ...unknown({ kind: 'serverFault' }), retryAfterMs: 90_000 } as Outcome;
		expect(failureOf(outcome).error.description).not.toContain('pause');
	});
});

describe('advice', () => {
	const tooMany = refusedForNow({ kind: 'tooManyRequests', status: 429 });

	it('about campaigns names the fields that name them', () => {
		const notFound = failureOf(no({ text: 'Campanha não encontrada.' })).error;
		expect(notFound.description).toMatch(/ Check 'Campaign IDs' and 'Channel'\.$/);
		const notThere = failureOf(no({ status: 404 })).error;
		expect(notThere.description).toMatch(/ Check 'Campaign IDs', too\.$/);
		expect(failureOf(tooMany).error.description).toMatch(
			/ Look less often \('Poll Times'\), or watch fewer campaigns\.$/,
		);
	});

	it('about what has no campaigns does not name them', () => {
		const { error } = failureOf(tooMany, 'apiKeys', apiKeyChanged);
		expect(error.description).toMatch(/ Look less often \('Poll Times'\)\.$/);
	});

	it('about a chat app names what only that needs', () => {
		expect(failureOf(no({ status: 404 })).error.description).toContain('Chat App Name');
	});
});

it('a campaign that comes back as an empty list, and one that outgrows n8n, say what to do', () => {
	const empty = lacking({ node }, source('c-1'), notThere);
	expect(empty.error.message).toBe('The service answered without what was asked for');
	expect(empty.error.description).toContain("Check 'Campaign IDs' and 'Channel'.");
	const large = lacking({ node }, source('c-1'), noRoom);
	expect(large.error.description).toContain('2 MB of it are the most');
	const kinds = [
		empty,
		large,
		lacking({ node }, source('c-2'), notThere),
		lacking({ node }, source('c-2'), noRoom),
	];
	expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(4);
	for (const { source: about } of [empty, large]) expect(about).toEqual(source('c-1'));
});

describe('whatever goes wrong besides', () => {
	it.each([new NodeApiError(node, {}, { message: 'No' }), new NodeOperationError(node, 'No')])(
		'is left as it is where it is an error of n8n',
		(error) => {
			expect(otherFailure(node, error)).toEqual({ kind: error.message, error });
			expect(otherFailure(node, error).error).toBe(error);
		},
	);

	it.each([
		[new TypeError('Not readable'), 'Not readable'],
		['text', 'text'],
	])('%p becomes one', (thrown, message) => {
		const { error, kind } = otherFailure(node, thrown);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect([error.message, kind]).toEqual([message, message]);
	});
});
