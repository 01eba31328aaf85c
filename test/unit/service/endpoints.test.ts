/** What answers of the service say, and what those to a query for campaigns mean. */
import type { IDataObject } from 'n8n-workflow';

import { mayNeedId, onlyWithId } from '../../../nodes/service/endpoints/campaigns';
import {
	refused,
	refusedForNow,
	serviceTexts,
	unknown,
	type Outcome,
} from '../../../nodes/service/outcome';
import { readConnected } from '../../../nodes/service/endpoints/instance';
import { webhookIn, type Webhook } from '../../../nodes/service/endpoints/webhook';

test.each([
	...['open', 'opened', 'connected', 'online', 'OPEN'].map((word) => [word, true] as const),
	...['close', 'closed', 'connecting', 'disconnected', 'offline'].map(
		(word) => [word, false] as const,
	),
	...['reopen', 'opening', 'not connected', 'connected no more', 'unclosed', 'closed soon'].map(
		(word) => [word, null] as const,
	),
])('the word %s says %s', (word, connected) => {
	for (const name of ['state', 'connectionState', 'status']) {
		expect(readConnected({ [name]: word })).toBe(connected);
		expect(readConnected({ instance: { [name]: word } })).toBe(connected);
	}
});

test.each([
	[{ connected: true, state: 'closed' }, true],
	[{ connected: 'yes', state: 'closed' }, false],
	[{ state: 1, status: 'online' }, true],
	[{ state: '', status: ' Open\n' }, true],
	[{ status: 'success', instance: { state: 'close' } }, false],
	[{ state: null, instance: { instance: { status: 'online' } } }, true],
	[{ state: 'pairing', instance: { state: 'open' } }, true],
	[{ instance: [{ state: 'open' }] }, null],
	[{ instance: null }, null],
	[{ instance: 'open' }, null],
	[{}, null],
])('%j says %s', (answer, connected) => expect(readConnected(answer)).toBe(connected));

const url = 'https://n8n.example.com/webhook/4f1c/webhook';

test.each<[unknown, unknown, Webhook | null | undefined]>([
	...[true, null, undefined, 'true', 1, 'false'].map((enabled): [unknown, unknown, Webhook] => [
		url,
		enabled,
		{ url, enabled: true },
	]),
	[url, false, { url, enabled: false }],
	['', true, null],
	[null, null, null],
	[undefined, false, undefined],
	[7, true, undefined],
	[[url], true, undefined],
])('the service answers with the URL %j, enabled %j', (given, enabled, expected) => {
	const answer = { ...(given !== undefined && { url: given }), enabled };
	expect(webhookIn(answer as never)).toEqual(expected);
});

const campaign = (campaignId: unknown) => ({ campaignId, nome: 'x' }) as IDataObject;
const named = (campaignId: unknown) => ({ campaignId, campaignName: 'x' });

test.each<[string, IDataObject[], IDataObject[], string?]>([
	['among others', [campaign('c0'), campaign('c1'), campaign('c11')], [campaign('c1')]],
	['however it is spelled', [campaign(' C1 ')], [campaign(' C1 ')]],
	['none of others', [campaign('c0')], []],
	['a single one without an identifier', [campaign(null)], [campaign(null)]],
	['none of several without an identifier', [campaign(null), campaign({}), {}], []],
	['none of those beside one that does', [campaign('c0'), campaign('')], []],
	['that is a number', [campaign(6), campaign(7)], [campaign(7)], '7'],
])('%s', (_, campaigns, picked, id = 'c1') => {
	const outcome = onlyWithId(id)(answered({ campaigns }));
	const found = outcome.kind === 'accepted' ? outcome.body : { campaigns: [] };
	expect(found).toEqual({ campaigns: picked.map(({ campaignId }) => named(campaignId)) });
});

const answered = (body: unknown): Outcome => ({ kind: 'accepted', body: body as IDataObject });

describe('a campaign that is asked for', () => {
	const judge = onlyWithId('c1');

	test.each<[string, unknown]>([
		['an empty list', []],
		['a list of nothing', [7, null]],
		['a list of others', [campaign('c0')]],
	])('is not found in %s', (_, campaigns) => {
		const hint = "^Check 'Campaign ID' and 'Channel'\\. .*'Campaign ID Parameter'";
		const message = 'This campaign was not found';
		const explanation = { message, hint: expect.stringMatching(hint) as string };
		const outcome = judge(answered({ success: true, campaigns }));
		expect(outcome).toEqual(refused({ kind: 'rejected', explanation }));
	});

	test.each<[string, Outcome]>([
		['an answer of another shape', answered({ success: true, data: [] })],
		['no answer', unknown({ kind: 'noAnswer' })],
		['a refusal', refused({ kind: 'rejected', text: serviceTexts.campaignNotFound })],
	])('leaves %s as it is', (_, outcome) => {
		expect(judge(outcome)).toBe(outcome);
	});
});

describe('a query without an identifier', () => {
	const judge = mayNeedId('Name one.');

	test.each([
		[{ kind: 'validation', status: 422, text: 'query.campaignId: Field required' }],
		[{ kind: 'rejected', status: 404, text: serviceTexts.campaignNotFound }],
		[{ kind: 'rejected', status: 200, text: serviceTexts.campaignNotFound }],
		[{ kind: 'rejected', status: 400, text: 'Informe a campanha.' }],
	] as const)('may have been refused for that: %j', (reason) => {
		const explanation = {
			message: `The service did not list the campaigns: "${reason.text}"`,
			hint: 'Name one. The service may require a campaign ID: its documentation does not say.',
		};
		expect(judge(refused(reason))).toEqual(refused({ ...reason, explanation }));
	});

	test('shows the status if there is no text', () => {
		const explanation = { message: 'The service did not list the campaigns (HTTP 400)' };
		const outcome = judge(refused({ kind: 'rejected', status: 400 }));
		expect(outcome).toMatchObject({ reason: { explanation } });
	});

	test.each<[Outcome]>([
		[answered({ campaigns: [] })],
		[unknown({ kind: 'serverFault', status: 500 })],
		[refusedForNow({ kind: 'tooManyRequests', status: 429 })],
		[refused({ kind: 'rejected', status: 401, text: 'Who?' })],
		[refused({ kind: 'rejected', status: 403 })],
		[refused({ kind: 'rejected', status: 404, text: 'Not Found' })],
		[refused({ kind: 'rejected', status: 407 })],
		[refused({ kind: 'redirect', status: 301 })],
		[refused({ kind: 'rejected', status: 200, text: serviceTexts.invalidToken })],
		[refused({ kind: 'rejected', status: 200, text: serviceTexts.instanceDisconnected })],
	])('was not refused for that: %j', (outcome) => {
		expect(judge(outcome)).toBe(outcome);
	});
});
