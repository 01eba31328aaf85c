/** Finding messages in an answer with campaigns (interface §2.6). */
import type { IDataObject } from 'n8n-workflow';

import { getStatus } from '../../../nodes/MessagingGateway/operations/message/getStatus';
import { refused, unknown, type Outcome } from '../../../nodes/service/outcome';
import { makeItemOf } from '../../../tools/shared/item';

const answered = (...campaigns: unknown[]): Outcome => ({
	kind: 'accepted',
	body: { success: true, campaigns } as IDataObject,
});

const message = (messageId: unknown, status: string, to: unknown = '5511912345678') =>
	({ messageId, status, to }) as IDataObject;

const spring = {
	campaignId: 'c1',
	nome: 'Spring',
	messages: [message('m1', 'sent'), message('m2', 'delivered', '5521998765432')],
};
const autumn = { campaignId: 'c2', nome: 'Autumn', messages: [message('m3', 'error')] };

const requestFor = async (parameters: IDataObject) =>
	await getStatus.request(
		await makeItemOf(getStatus, { channel: 'sms', findBy: 'messageId', ...parameters }),
	);

/** What comes out, or the outcome where that is none of an accepted request. */
async function lookUp(parameters: IDataObject, outcome: Outcome) {
	const request = await requestFor(parameters);
	const own = request.judgeItem!(request.judge!(outcome));
	return own.kind === 'accepted' ? request.output(own.body) : own;
}

const byId = (messageId: string, options: IDataObject = {}) => ({ messageId, options });
const byNumber = { findBy: 'to', to: '+55 (11) 91234-5678' };

const explained = (message: unknown, more = {}) =>
	expect.objectContaining({
		reason: expect.objectContaining({ explanation: expect.objectContaining({ message, ...more }) }),
	});

describe('a message', () => {
	test.each([
		['+55 11 91234-5678', '+55 11 91234-5678'],
		[5511912345678, '+5511912345678'],
	])('to %s has the same digits', async (to, shown) => {
		const campaign = { ...spring, messages: [message('m9', 'sent', to)] };
		const found = await lookUp(byNumber, answered(campaign));
		expect(found).toMatchObject([{ messageId: 'm9', to: shown }]);
	});

	test.each(['+55 800 123 4567', '+55 11 99999-9999'])(
		'to %s, which only a number that is kept as entered goes to, is found by it',
		async (to) => {
			const digits = to.replace(/\D/g, '');
			const campaign = { ...spring, messages: [message('m9', 'sent', digits)] };
			const found = await lookUp({ ...byNumber, to }, answered(campaign));
			expect(found).toMatchObject([{ messageId: 'm9', to: `+${digits}` }]);
		},
	);

	test('to nobody is not found by a number without digits', async () => {
		const keep = { ...byNumber, to: 'support', options: { keepNumberAsEntered: true } };
		const campaign = { ...spring, messages: [message('m9', 'sent', '')] };
		expect(await lookUp(keep, answered(campaign))).toMatchObject({ found: false });
	});

	test.each([7, '7', ' 7 '])('whose ID is %j is found', async (messageId) => {
		const campaign = { ...spring, messages: [message(messageId, 'sent')] };
		expect(await lookUp(byId('7'), answered(campaign))).toMatchObject([{ status: 'sent' }]);
	});

	test('with few fields comes out with all fields', async () => {
		const campaign = { messages: [{ message_id: 'm1' }, {}, null, 7] };
		const nothing = { to: null, status: null, campaignName: null };
		expect(await lookUp(byId('m1'), answered(campaign))).toEqual([
			{ messageId: 'm1', campaignId: null, ...nothing },
		]);
		expect(await lookUp(byId('m1', { campaignId: 'c7' }), answered(campaign))).toEqual([
			{ messageId: 'm1', campaignId: 'c7', ...nothing },
		]);
	});

	test('of another campaign than the one that is asked for is not found', async () => {
		const inAutumn = { campaignId: 'C2' };
		expect(await lookUp(byId('m3', inAutumn), answered(spring, autumn))).toHaveLength(1);
		const missing = await lookUp(byId('m1', inAutumn), answered(spring, autumn));
		expect(missing).toMatchObject({ found: false });
	});

	test('that is not found comes out with what to check, or as an error', async () => {
		const orError = { notFound: 'error' };
		const error = explained('The message was not found');
		expect(await lookUp(byId('m9', orError), answered(spring))).toEqual(error);
		expect(await lookUp(byId('m1', orError), answered(spring))).toHaveLength(1);
		const hint = expect.stringMatching(/^Check 'Channel', the message ID or number/);
		expect(await lookUp(byId('m9'), answered(spring))).toEqual({ found: false, hint });
	});

	test('is missing where the service has listed as many as there are', async () => {
		const campaign = { ...spring, statistics: { total: 2 } };
		expect(await lookUp(byId('m9'), answered(autumn, campaign))).toMatchObject({ found: false });
	});
});

const notAll = 'The message was not found, but the service did not list all messages';

test.each([
	{},
	{ messages: [], statistics: { total: 3 } },
	{ messages: [message('m7', 'queued', '1')], statistics: { total: 3 } },
])('a campaign that lists not all its messages (%j) hides only what may be in it', async (more) => {
	const queued = { campaignId: 'c3', nome: 'Queued', ...more };
	for (const answer of [answered(queued, spring), answered(spring, queued)]) {
		expect(await lookUp(byId('m1'), answer)).toMatchObject([{ campaignName: 'Spring' }]);
		expect(await lookUp(byNumber, answer)).toMatchObject([{ messageId: 'm1' }]);
		expect(await lookUp(byId('m9'), answer)).toEqual(explained(notAll));
	}
});

describe('an answer that cannot be searched', () => {
	const bare = { campaignId: spring.campaignId, nome: spring.nome };
	const nameOne = expect.stringContaining("Set 'Campaign ID' in the options") as string;
	const checkIt = 'Check the message at your messaging service.';
	const required = refused({ kind: 'validation', status: 422, text: 'Field required' });
	const other: Outcome = { kind: 'accepted', body: { data: [spring] } };
	const tooLarge = unknown({ kind: 'tooLarge', status: 200 });
	const inOne = { campaignId: 'c1' };

	test.each<[string, Outcome, IDataObject, string?]>([
		['This campaign was not found', answered(), inOne],
		['The service answered without a list of campaigns', other, {}],
		[notAll, answered(autumn, bare), {}, nameOne],
		[notAll, answered(bare), inOne, checkIt],
		['The service did not list the campaigns: "Field required"', required, {}, nameOne],
	])('%s', async (text, outcome, options, ...[hint]) => {
		const own = await lookUp(byId('m1', options), outcome);
		expect(own).toEqual(explained(text, hint && { hint }));
	});

	test.each([{}, inOne])('one that is too large has the usual error: %j', async (options) => {
		expect(await lookUp(byId('m1', options), tooLarge)).toBe(tooLarge);
	});

	test('no campaign at all has no message', async () => {
		expect(await lookUp(byId('m1'), answered())).toMatchObject({ found: false });
	});
});

test('a number is read as sends read it', async () => {
	await expect(requestFor({ findBy: 'to', to: '12345' })).rejects.toMatchObject({
		message: expect.stringMatching(/^'To' (is|has) /),
		description: expect.stringMatching(/Or set 'Find By' to Message ID\.$/),
	});
});
