/** What holds for every event: what is said once, pauses, limits of time and room. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { poll } from '../../../nodes/MessagingGatewayStatusTrigger/poll';
import { readSources } from '../../../nodes/MessagingGatewayStatusTrigger/read';
import { mostCharacters } from '../../../nodes/MessagingGatewayStatusTrigger/state';
import { makePollContext, type PollContextOptions } from '../support/pollContext';
import { message, PolledNode } from './support';
import { credential } from '../../../testing/context';

type Answer = (id: string) => unknown;

const parametersFor = (ids: string[]): IDataObject => ({
	event: 'messageStatusChanged',
	channel: 'sms',
	campaignIds: ids,
});

const withStatus =
	(status: string): Answer =>
	(campaignId) => ({ campaigns: [{ campaignId, messages: [message(`m-${campaignId}`, status)] }] });

const notFound = { success: false, message: 'Campanha não encontrada.' };
const invalidToken = { success: false, message: 'Token inválido.' };
const tooMany = (seconds: number) => ({
	statusCode: 429,
	body: { success: false, message: 'Devagar' },
	headers: { 'retry-after': String(seconds) },
});

/** A node that watches these campaigns; `service.answer` is what the service says. */
function watch(ids: string[], options: Partial<PollContextOptions> = {}) {
	const service = { answer: withStatus('queued') };
	const asked: string[] = [];
	const node = new PolledNode({
		parameters: parametersFor(ids),
		async answer({ qs }: IHttpRequestOptions) {
			const id = String(qs?.campaignId);
			asked.push(id);
			return await service.answer(id);
		},
		...options,
	});
	return { node, service, asked };
}

const texts = (node: PolledNode) => node.errors.map(({ message: text }) => text);
const statuses = (items: IDataObject[]) =>
	items.map(({ messageId, status }) => `${messageId} ${status}`);

afterEach(() => {
	jest.restoreAllMocks();
});

it('goes on from what it had seen when it is published again', async () => {
	const { node, service } = watch(['a']);
	expect(await node.activate()).toEqual([]);
	service.answer = withStatus('sent');
	expect(statuses(await node.activate())).toEqual(['m-a sent']);
});

describe('a look that fails', () => {
	it('is said once as long as it lasts, and loses nothing', async () => {
		const { node, service } = watch(['a']);
		await node.activate();
		service.answer = () => invalidToken;
		for (let look = 0; look < 5; look++) expect(await node.look()).toEqual([]);
		expect(texts(node)).toEqual(['The service rejected the credential: "Token inválido."']);
		expect((node.errors[0] as { description?: string }).description).toMatch(
			/[.] This node goes on looking, .* says this once[.]$/,
		);
		service.answer = withStatus('sent');
		expect(statuses(await node.look())).toEqual(['m-a sent']);
	});

	it('leaves the state as it was, also what n8n has not stored yet', async () => {
		const { node, service } = watch(['a', 'b', 'c']);
		await node.activate({ parameters: parametersFor(['a', 'b']) });
		const stored = structuredClone(node.stored);
		await node.activate({ parameters: parametersFor(['a', 'b', 'c']) });
		service.answer = (id) => (id === 'b' ? notFound : withStatus('queued')(id));
		node.stored = structuredClone(stored);
		await expect(node.activate()).rejects.toThrow(); // says that b is not found
		expect(node.stored).toEqual(stored);
	});

	it('of one campaign holds back no change of another, and is said afterwards', async () => {
		const { node, service } = watch(['a', 'b']);
		await node.activate();
		service.answer = (id) => (id === 'b' ? notFound : withStatus('sent')(id));
		expect(statuses(await node.look())).toEqual(['m-a sent']);
		expect(texts(node)).toEqual([]);
		for (let look = 0; look < 3; look++) expect(await node.look()).toEqual([]);
		expect(texts(node)).toEqual([
			'The service does not know this campaign: "Campanha não encontrada." [Campaign b]',
		]);
	});

	it('is said after three looks at the latest', async () => {
		const { node, service } = watch(['a', 'b']);
		await node.activate();
		const seen: Array<[string[], number]> = [];
		for (const status of ['1', '2', '3', '4', '5', '6', '7']) {
			service.answer = (id) => (id === 'b' ? notFound : withStatus(status)(id));
			seen.push([statuses(await node.look()), node.errors.length]);
		}
		expect(seen).toEqual([
			[['m-a 1'], 0],
			[['m-a 2'], 0],
			[['m-a 3'], 0],
			[[], 1],
			[['m-a 5'], 1],
			[['m-a 6'], 1],
			[['m-a 7'], 1],
		]);
		service.answer = (id) => (id === 'b' ? invalidToken : withStatus('8')(id));
		expect(statuses(await node.look())).toEqual(['m-a 8']); // counted anew for another one
	});

	it('of campaigns that vanish one by one holds back a look in four', async () => {
		const gone = Array.from({ length: 20 }, (_, index) => `gone-${index}`);
		const { node, service } = watch(['a', ...gone]);
		let looks = 0;
		service.answer = (id) => {
			if (id !== 'a') return gone.indexOf(id) < looks ? notFound : withStatus('sent')(id);
			const messages = Array.from({ length: looks + 1 }, (_, index) =>
				message(`m-${index}`, 'sent'),
			);
			return { campaigns: [{ campaignId: id, messages }] };
		};
		await node.activate();
		const told: number[] = [];
		while (looks < gone.length) {
			looks++;
			told.push((await node.look()).length);
		}
		expect(told).toEqual(
			Array(5)
				.fill([1, 1, 1, 0])
				.flat()
				.map((count, index) => (count === 1 && index > 3 && index % 4 === 0 ? 2 : count)),
		);
		expect(texts(node).join()).toContain(
			'[Campaign gone-16, Campaign gone-17, Campaign gone-18 and 1 more]',
		);
		expect(texts(node)).toHaveLength(5);
		await node.look();
		expect(node.items.map(({ messageId }) => messageId)).toEqual(
			gone.map((_, index) => `m-${index + 1}`),
		);
	});

	it('of some campaigns names them, and later ones by themselves', async () => {
		const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
		const { node, service } = watch(ids);
		await node.activate();
		let gone = ids.slice(0, 5);
		service.answer = (id) => (gone.includes(id) ? notFound : withStatus('queued')(id));
		await node.look();
		gone = ids;
		await node.look();
		await node.look();
		const said = 'The service does not know this campaign: "Campanha não encontrada."';
		expect(texts(node)).toEqual([
			`${said} [Campaign a, Campaign b, Campaign c and 2 more]`,
			`${said} [Campaign f]`,
		]);
	});

	it('of some campaigns says nothing of those that are not there', async () => {
		const { node, service } = watch(['a', 'b', 'c']);
		service.answer = (id) => (id === 'c' ? notFound : withStatus('queued')(id));
		expect(await node.activate({ activationMode: 'init' })).toEqual([]);
		expect(node.logs).toContain(
			'warn: Status: lost what it had seen, changes count from now on: Campaign a, Campaign b',
		);
	});

	it('of three campaigns names all', async () => {
		const { node, service } = watch(['a', 'b', 'c']);
		await node.activate();
		service.answer = () => notFound;
		await node.look();
		expect(texts(node)).toEqual([
			expect.stringMatching(/ \[Campaign a, Campaign b, Campaign c\]$/),
		]);
	});

	it('of many campaigns stops none of the others', async () => {
		const ids = Array.from({ length: 30 }, (_, index) => `c-${index}`);
		const { node, service } = watch(ids);
		await node.activate();
		service.answer = (id) => (id === 'c-29' ? withStatus('sent')(id) : notFound);
		expect(statuses(await node.look())).toEqual(['m-c-29 sent']);
	});

	it('before anything could be asked brings nothing', async () => {
		const { node } = watch([]);
		expect(await node.activate({ activationMode: 'init' })).toHaveLength(0);
		for (let look = 0; look < 2; look++) expect(await node.look()).toHaveLength(0);
		expect(texts(node)).toEqual(["'Campaign IDs' is empty"]);
	});

	it('for a reason without a hint says just that it goes on', async () => {
		const parameters = {
			get event(): string {
				throw new Error('Not readable');
			},
		};
		const { node } = watch([], { parameters });
		await node.activate({ activationMode: 'init' });
		await node.look();
		expect(node.errors).toMatchObject([
			{
				message: 'Not readable',
				description:
					'This node goes on looking, tells afterwards what has changed, and says this once.',
			},
		]);
	});

	it('that an answer would mend is asked once more', async () => {
		jest.spyOn(Math, 'random').mockReturnValue(0); // the shortest wait
		const { node, service } = watch(['a']);
		await node.activate();
		const answers = [new Error('socket hang up'), withStatus('sent')('a')];
		service.answer = () => {
			const answer = answers.shift();
			if (answer instanceof Error) throw answer;
			return answer;
		};
		expect(statuses(await node.look())).toEqual(['m-a sent']);
	});

	it('for another reason is said as well', async () => {
		const { node, service } = watch(['a']);
		await node.activate();
		for (const answer of [invalidToken, notFound, invalidToken, notFound]) {
			service.answer = () => answer;
			await node.look();
		}
		expect(texts(node)).toHaveLength(2);
	});

	it('for two reasons says one after the other', async () => {
		const { node, service } = watch(['a', 'b']);
		await node.activate();
		service.answer = (id) => (id === 'a' ? notFound : { campaigns: [] });
		for (let look = 0; look < 4; look++) await node.look();
		expect(texts(node)).toEqual([
			expect.stringContaining('does not know this campaign'),
			expect.stringContaining('without what was asked for'),
		]);
	});

	it.each<[string, (minute: number) => boolean, number[]]>([
		['every now and then is said once an hour at most', (minute) => minute % 2 === 0, [0, 62, 124]],
		['for hours is said once', () => true, [0]],
		[
			'soon again, and then for hours, is said again after an hour',
			(minute) => minute < 2 || minute >= 12,
			[0, 61],
		],
	])('%s', async (_, isDown, minutes) => {
		const { node, service } = watch(['a']);
		await node.activate();
		const start = Date.now();
		const clock = jest.spyOn(Date, 'now');
		const said: number[] = [];
		for (let minute = 0; minute < 180; minute++) {
			clock.mockReturnValue(start + minute * 60_000);
			service.answer = isDown(minute) ? () => invalidToken : withStatus('queued');
			const before = node.errors.length;
			await node.look();
			if (node.errors.length > before) said.push(minute);
		}
		expect(said).toEqual(minutes);
	});

	it('that was said by a clock that was ahead is said again', async () => {
		const { node, service } = watch(['a']);
		await node.activate();
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 10 * 24 * 3_600_000);
		service.answer = () => invalidToken;
		await node.look();
		clock.mockReturnValue(now);
		service.answer = withStatus('queued');
		await node.look();
		service.answer = () => invalidToken;
		await node.look();
		expect(node.errors).toHaveLength(2);
	});

	it('is logged as a warning once', async () => {
		const { node, service } = watch(['a']);
		await node.activate();
		service.answer = () => invalidToken;
		for (let look = 0; look < 3; look++) await node.look();
		const lines = node.logs.filter((line) => line.includes('Token inválido.'));
		expect(lines.map((line) => line.split(':')[0])).toEqual(['warn', 'debug', 'debug']);
	});

	it.each([['Base URL', { baseUrl: 'gateway' }, "'Base URL' in the Messaging Gateway credential"]])(
		'for its %s is said once, too',
		async (_, change, expected) => {
			const { node } = watch(['a']);
			await node.activate();
			await node.activate({ activationMode: 'init', credential: { ...credential, ...change } });
			for (let look = 0; look < 3; look++) await node.look();
			expect(texts(node)).toEqual([expect.stringContaining(expected)]);
		},
	);
});

describe('the look while n8n activates the workflow', () => {
	it('throws for the person who publishes, each time', async () => {
		const { node, service } = watch(['a']);
		service.answer = () => invalidToken;
		for (let attempt = 0; attempt < 5; attempt++) {
			await expect(node.activate()).rejects.toThrow('Token inválido.');
		}
		service.answer = withStatus('queued');
		expect(await node.activate()).toEqual([]);
	});

	it.each(['init', 'leadershipChange', 'update'] as const)(
		'never throws at %s, which would leave it inactive: the next look says it',
		async (activationMode) => {
			const { node, service } = watch(['a']);
			await node.activate();
			service.answer = () => invalidToken;
			expect(await node.activate({ activationMode })).toEqual([]);
			expect(node.logs.join()).toContain('warn: Status: The service rejected the credential');
			for (let look = 0; look < 3; look++) await node.look();
			expect(texts(node)).toHaveLength(1);
			service.answer = withStatus('sent');
			expect(statuses(await node.look())).toEqual(['m-a sent']);
		},
	);

	it.each(['init', 'leadershipChange'] as const)(
		'at %s does not throw the second time either',
		async (activationMode) => {
			const { node, service } = watch(['a']);
			await node.activate();
			service.answer = () => invalidToken;
			for (let start = 0; start < 3; start++) {
				expect(await node.activate({ activationMode })).toEqual([]);
			}
		},
	);

	it('says at the second look what n8n calls as if it were the first each time', async () => {
		const { node, service } = watch(['a']);
		await node.activate();
		service.answer = () => invalidToken;
		let thrown = 0;
		for (let look = 0; look < 5; look++) {
			await node.activate({ activationMode: 'update' }).catch(() => thrown++);
		}
		expect(thrown).toBe(1);
	});

	it.each([
		['activate', {}, 'info: Status: first look, changes count from now on: Campaign a'],
		['init', {}, 'warn: Status: lost what it had seen, changes count from now on: Campaign a'],
		[
			'leadershipChange',
			{ state: { v: 2, scope: 'x', memories: {} } },
			'warn: Status: lost what it had seen, changes count from now on: Campaign a',
		],
		['update', { state: 5 }, 'info: Status: first look, changes count from now on: Campaign a'],
	] as const)('at %s with the state %j starts nothing, and says so', async (mode, stored, line) => {
		const { node, service } = watch(['a']);
		node.stored = structuredClone<IDataObject>(stored);
		expect(await node.activate({ activationMode: mode })).toEqual([]);
		expect(node.logs).toEqual([line]);
		service.answer = withStatus('sent');
		expect(statuses(await node.look())).toEqual(['m-a sent']);
	});

	it('does not read the state of another version', async () => {
		const { node, service } = watch(['a']);
		await node.activate();
		(node.stored.state as IDataObject).v = 2;
		service.answer = withStatus('sent');
		expect(await node.activate({ activationMode: 'init' })).toEqual([]);
	});

	it('tells what has changed while n8n was down', async () => {
		const { node, service } = watch(['a']);
		await node.activate();
		service.answer = withStatus('sent');
		expect(statuses(await node.activate({ activationMode: 'init' }))).toEqual(['m-a sent']);
		expect(node.logs).toEqual([]);
	});
});

describe('a pause that the service asks for', () => {
	it('is kept, and said once', async () => {
		const { node, service, asked } = watch(['a', 'b']);
		await node.activate();
		service.answer = () => tooMany(300);
		asked.length = 0;
		const start = Date.now();
		await node.look();
		const before = asked.length;
		expect(before).toBeLessThanOrEqual(2); // both may be under way at once
		const clock = jest.spyOn(Date, 'now');
		for (const seconds of [60, 240, 299]) {
			clock.mockReturnValue(start + seconds * 1000);
			expect(await node.look()).toEqual([]);
		}
		expect(asked).toHaveLength(before);
		clock.mockReturnValue(start + 400_000);
		service.answer = withStatus('sent');
		expect(statuses(await node.look())).toEqual(['m-a sent', 'm-b sent']);
		expect(texts(node)).toEqual([expect.stringContaining('too many requests')]);
		expect((node.errors[0] as { description?: string }).description).toContain(
			'asks for a pause of 5 minutes',
		);
	});

	it('is an error for the person who publishes meanwhile, at each attempt of n8n', async () => {
		const { node, service, asked } = watch(['a']);
		service.answer = () => tooMany(7200);
		for (let attempt = 0; attempt < 5; attempt++) {
			await expect(node.activate()).rejects.toMatchObject({
				message: expect.stringContaining('too many requests'),
				description:
					'The service asks for a pause of 2 hours. Until then this node asks it nothing.',
			});
		}
		expect(asked).toHaveLength(1);
		expect(node.stored).toEqual({});

		service.answer = withStatus('queued');
		const afterwards = Date.now() + 7_300_000;
		jest.spyOn(Date, 'now').mockReturnValue(afterwards);
		expect(await node.activate()).toEqual([]);
		expect(node.stored).not.toEqual({});
	});

	it('is named at publishing as long as it still is, whatever was said of it before', async () => {
		const { node, service } = watch(['a']);
		await node.activate();
		service.answer = () => tooMany(7200);
		await node.look();
		const later = Date.now() + 3_601_000;
		jest.spyOn(Date, 'now').mockReturnValue(later);
		await expect(node.activate()).rejects.toMatchObject({
			description:
				'The service asks for a pause of 60 minutes. Until then this node asks it nothing.',
		});
	});

	it.each(['init', 'leadershipChange', 'update'] as const)(
		'leaves the workflow active at %s, and asks nothing',
		async (activationMode) => {
			const { node, service, asked } = watch(['a']);
			await node.activate();
			service.answer = () => tooMany(7200);
			await node.look();
			asked.length = 0;
			expect(await node.activate({ activationMode })).toEqual([]);
			expect(await node.look()).toEqual([]);
			expect(asked).toEqual([]);
			expect(node.errors).toHaveLength(1);
		},
	);

	it('is the longest of those that come together', async () => {
		const { node, service, asked } = watch(['a', 'b']);
		await node.activate();
		asked.length = 0;
		service.answer = async (id) => {
			await sleep(10); // until both are asked
			return tooMany(id === 'a' ? 7200 : 300);
		};
		await node.look();
		expect(asked).toEqual(['a', 'b']);
		const later = Date.now() + 301_000;
		jest.spyOn(Date, 'now').mockReturnValue(later);
		await node.look();
		expect(asked).toHaveLength(2);
	});

	it('that begins at the start of n8n is said by the next look', async () => {
		const { node, service, asked } = watch(['a']);
		service.answer = () => tooMany(7200);
		expect(await node.activate({ activationMode: 'init' })).toEqual([]);
		for (let look = 0; look < 3; look++) await node.look();
		expect(texts(node)).toEqual([expect.stringContaining('too many requests')]);
		expect(asked).toHaveLength(1);
	});

	it.each([
		['address', { baseUrl: 'https://other.example' }],
		['API key', { apiKey: 'another-key-7b21' }],
	])('is not that of another %s', async (_, change) => {
		const { node, service, asked } = watch(['a']);
		await node.activate();
		service.answer = () => tooMany(7200);
		await node.look();
		asked.length = 0;
		service.answer = withStatus('sent');
		const other = { activationMode: 'update', credential: { ...credential, ...change } } as const;
		expect(statuses(await node.activate(other))).toEqual(['m-a sent']);
		expect(asked).toHaveLength(1);

		service.answer = () => tooMany(120);
		await node.look();
		service.answer = withStatus('delivered');
		expect(await node.look()).toEqual([]); // it has a pause of its own now
		const afterwards = Date.now() + 121_000;
		jest.spyOn(Date, 'now').mockReturnValue(afterwards);
		expect(statuses(await node.look())).toEqual(['m-a delivered']);
	});

	it('of a moment is waited for within the look', async () => {
		const { node, service, asked } = watch(['a']);
		await node.activate();
		service.answer = (id) => (asked.length === 2 ? tooMany(0.05) : withStatus('sent')(id));
		expect(statuses(await node.look())).toEqual(['m-a sent']);
		expect(asked).toHaveLength(3);
		expect(node.errors).toEqual([]);
	});

	it('by a clock that was ahead is over when the clock is right', async () => {
		const { node, service } = watch(['a']);
		await node.activate();
		const now = Date.now();
		const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 2 * 24 * 3_600_000);
		service.answer = () => tooMany(120);
		await node.look();
		clock.mockReturnValue(now);
		service.answer = withStatus('sent');
		expect(statuses(await node.look())).toEqual(['m-a sent']);
	});

	it('of years is not believed', async () => {
		const { node, service } = watch(['a']);
		await node.activate();
		service.answer = () => tooMany(1e9);
		await node.look();
		service.answer = withStatus('sent');
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 25 * 3_600_000);
		expect(statuses(await node.look())).toEqual(['m-a sent']);
	});
});

describe('many campaigns', () => {
	const ids = Array.from({ length: 60 }, (_, index) => `c-${index}`);

	it('are read ten at a time, and told in the order they were entered', async () => {
		const { node, service } = watch(ids);
		await node.activate();
		let underWay = 0;
		let most = 0;
		service.answer = async (id) => {
			most = Math.max(most, ++underWay);
			await sleep(Math.random() * 5);
			underWay--;
			return withStatus('sent')(id);
		};
		expect(statuses(await node.look())).toEqual(ids.map((id) => `m-${id} sent`));
		expect(most).toBe(10);
	});

	it.each([
		[invalidToken],
		[{ success: false, message: 'Instância desconectada.' }],
		[{ statusCode: 403, body: {} }],
	])('are not all asked of a service that refuses all: %j', async (answer) => {
		const { node, service, asked } = watch(ids);
		await node.activate();
		asked.length = 0;
		service.answer = () => answer;
		await node.look();
		expect(asked.length).toBeLessThanOrEqual(10);
	});

	it('that take too long are read on by the next look', async () => {
		const { node, service, asked } = watch(ids, { budgetMs: 3_000 });
		await node.activate({ budgetMs: 60_000 });
		service.answer = async (id) => {
			await sleep(400);
			return withStatus('sent')(id);
		};
		asked.length = 0;
		const looks: number[] = [];
		for (let look = 0; look < 50 && node.items.length < ids.length; look++) {
			looks.push((await node.activate({ activationMode: 'update' })).length);
		}
		expect(looks.length).toBeGreaterThan(1);
		expect(looks.every((count) => count < ids.length)).toBe(true);
		expect(asked.slice(0, ids.length)).toEqual(ids); // each look begins where the last one ended
		expect(statuses(node.items).sort()).toEqual(ids.map((id) => `m-${id} sent`).sort());
		service.answer = withStatus('sent');
		asked.length = 0;
		await node.activate({ activationMode: 'update', budgetMs: 60_000 });
		expect(asked[0]).not.toBe(ids[0]);
		expect(asked.sort()).toEqual([...ids].sort());
		expect(node.errors).toEqual([]);
	});
});

it('has minutes for a look where n8n does not say how long it may take', async () => {
	const { node, service } = watch(['a']);
	service.answer = async (id) => {
		await sleep(200);
		return withStatus('queued')(id);
	};
	expect(await node.activate()).toEqual([]);
	expect(node.stored).not.toEqual({});
});

it('does not begin a look before the last one is over', async () => {
	const { node, service, asked } = watch(['a']);
	await node.activate();
	let answer: (answered: unknown) => void = () => {};
	service.answer = async () => await new Promise((resolve) => (answer = resolve));
	const first = node.look();
	while (asked.length < 2) await sleep(1);
	expect(await node.look()).toEqual([]);
	expect(asked).toHaveLength(2);
	answer(withStatus('sent')('a'));
	expect(statuses(await first)).toEqual(['m-a sent']);
	service.answer = withStatus('delivered');
	expect(statuses(await node.look())).toEqual(['m-a delivered']);
});

it.each([1, 2, 3])('goes on after a throw of n8n, at its call %d', async (bad) => {
	const { node, service } = watch(['a']);
	await node.activate();
	const staticData = structuredClone(node.stored);
	service.answer = withStatus('sent');
	const context = makePollContext({
		parameters: parametersFor(['a']),
		staticData,
		nodeId: `throws-${bad}`,
		activationMode: 'update',
		answer: () => service.answer('a'),
	});
	const { getNode } = context;
	let calls = 0;
	context.getNode = () => {
		if (++calls === bad) throw new Error('n8n cannot tell now');
		return getNode();
	};
	const first = await poll(context).catch(() => null);
	const second = await poll(context);
	const told = [first, second].flatMap((items) => items?.flat() ?? []);
	expect(told.map(({ json }) => json.status)).toEqual(['sent']);
});

it('reads no further source after a throw', async () => {
	const asked: unknown[] = [];
	const attempt = async (request: unknown) => {
		asked.push(request);
		await sleep(5);
		return { kind: 'accepted', body: {} };
	};
	const sources = Array.from({ length: 50 }, (_, key) => ({ key, request: key }) as never);
	const reading = readSources({ attempt, shown: (told: unknown) => told } as never, sources, 60_000, async ({ key }) => {
		if ((key as unknown) === 3) throw new Error('Not readable');
		return true;
	});
	await expect(reading).rejects.toThrow('Not readable');
	await sleep(50);
	expect(asked.length).toBeLessThanOrEqual(20);
});

describe('room', () => {
	const many = (campaignId: string, count: number, status: string) => ({
		campaigns: [
			{
				campaignId,
				messages: Array.from({ length: count }, (_, index) =>
					message(`${campaignId}-${index}`, status),
				),
			},
		],
	});

	it('there is for 100,000 messages; a campaign that outgrows it is named, the others go on', async () => {
		const { node, service } = watch(['big', 'small']);
		let count = 100_000;
		let status = 'queued';
		service.answer = (id) => many(id, id === 'big' ? count : 3, status);
		expect(await node.activate()).toEqual([]);
		expect(JSON.stringify(node.stored).length).toBeLessThan(1_250_000);

		count = 170_000;
		status = 'sent';
		expect(statuses(await node.look())).toEqual(['small-0 sent', 'small-1 sent', 'small-2 sent']);
		expect(await node.look()).toEqual([]);
		expect(texts(node)).toEqual([
			'There is no room to follow all of these messages [Campaign big]',
		]);
		expect(JSON.stringify(node.stored).length).toBeLessThan(mostCharacters + 1_000);

		count = 100_000;
		expect(await node.look()).toHaveLength(100_000); // nothing of it was lost
	});

	it('is shared by the campaigns, in the order they were entered', async () => {
		// Statuses that differ take much of it.
		const wordy = (campaignId: string, count: number) => ({
			campaigns: [
				{
					campaignId,
					messages: Array.from({ length: count }, (_, index) =>
						message(`${campaignId}-${index}`, `${index} `.padEnd(100, 'x')),
					),
				},
			],
		});
		const { node, service } = watch(['a', 'b', 'c']);
		service.answer = (id) => wordy(id, id === 'c' ? 100 : 9_000);
		expect(await node.activate({ activationMode: 'init' })).toEqual([]);
		await node.look();
		expect(texts(node)).toEqual([expect.stringContaining('[Campaign b]')]);
		const { memories } = node.stored.state as { memories: IDataObject };
		expect(Object.keys(memories)).toEqual(['a', 'c']);
	});

	it('is not there for more at once: publishing says so', async () => {
		const { node, service } = watch(['small', 'big']);
		service.answer = (id) => many(id, id === 'big' ? 170_000 : 3, 'queued');
		await expect(node.activate()).rejects.toThrow(
			'no room to follow all of these messages [Campaign big]',
		);
	});
});

describe("'Fetch Test Event'", () => {
	const manual = { mode: 'manual', activationMode: 'manual' } as const;

	it('shows one record and leaves the state alone', async () => {
		const { node, service } = watch(['empty', 'a']);
		service.answer = (id) =>
			id === 'empty' ? { campaigns: [{ campaignId: id, messages: [] }] } : withStatus('sent')(id);
		const [item, ...others] = await node.activate(manual);
		expect(item).toMatchObject({ messageId: 'm-a', status: 'sent', previousStatus: null });
		expect(others).toEqual([]);
		expect(node.stored).toEqual({});
	});

	it.each<[string, unknown, IDataObject, unknown]>([
		[
			'campaignFinished',
			{ campaigns: [{ campaignId: 'a', nome: 'N', statistics: { total: 2, queued: 2 } }] },
			{},
			{ campaignId: 'a', campaignName: 'N', channel: 'sms', total: 2, queued: 2 },
		],
		['connectionChanged', { state: 'open' }, {}, { connected: true, previouslyConnected: false }],
		[
			'connectionChanged',
			{ success: false, message: 'Instância desconectada.' },
			{},
			{ connected: false, previouslyConnected: true },
		],
		[
			'apiKeyChanged',
			[{ id: 'k', name: 'K', status: 'active', masked_key: '•••1' }],
			{},
			{ change: 'added', id: 'k', name: 'K', status: 'active', masked_key: '•••1' },
		],
		[
			'apiKeyChanged',
			[{ id: 'k', status: 'revoked' }],
			{},
			{ change: 'revoked', id: 'k', status: 'revoked' },
		],
	])('of %s, with the answer %j', async (event, answer, more, expected) => {
		const parameters = { event, channel: 'sms', campaignIds: 'a', ...more };
		const { node, service } = watch([], { parameters });
		service.answer = () => answer;
		expect(await node.activate(manual)).toEqual([expected]);
	});

	it('prefers a message that has a status', async () => {
		const { node, service } = watch(['a']);
		const messages = [message('x', ''), message('y', 'sent')];
		service.answer = () => ({ campaigns: [{ campaignId: 'a', messages }] });
		expect(statuses(await node.activate(manual))).toEqual(['y sent']);
	});

	it('prefers the statuses that are wanted, and says where there are none', async () => {
		const parameters = { ...parametersFor(['a']), options: { statuses: 'error' } };
		const { node, service } = watch([], { parameters });
		const messages = [message('x', 'sent'), message('y', 'error')];
		service.answer = () => ({ campaigns: [{ campaignId: 'a', messages }] });
		expect(statuses(await node.activate(manual))).toEqual(['y error']);
		messages.pop();
		await expect(node.activate(manual)).rejects.toMatchObject({
			message: 'There is nothing to show yet',
			description: expect.stringContaining('the published workflow needs none'),
		});
	});

	it('says what is wrong, each time', async () => {
		const { node, service } = watch(['a']);
		service.answer = () => notFound;
		for (let click = 0; click < 3; click++) {
			await expect(node.activate(manual)).rejects.toThrow('Campanha não encontrada.');
		}
	});
});
