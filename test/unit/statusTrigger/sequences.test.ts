/**
 * Whatever happens between looks, and whichever of them fail, and whenever n8n is started again: each
 * change is told once.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { PollContextOptions } from '../support/pollContext';
import { withoutQuotations } from '../support/wording';
import { message, PolledNode } from './support';

const refused = { success: false, message: 'Token inválido.' };
const notFound = { success: false, message: 'Campanha não encontrada.' };

/** What happens to a node: to the service, a look, an end of n8n. */
type Step<Change> =
	{ kind: 'change'; change: Change } | { kind: 'look' } | { kind: 'fail' } | { kind: 'restart' };

const steps = <Change>(change: fc.Arbitrary<Change>) =>
	fc.array(
		fc.oneof(
			{ weight: 5, arbitrary: fc.record({ kind: fc.constant('change' as const), change }) },
			{ weight: 4, arbitrary: fc.constant({ kind: 'look' as const }) },
			{ weight: 2, arbitrary: fc.constant({ kind: 'fail' as const }) },
			{ weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
		),
		{ maxLength: 60 },
	);

/** The service, and what somebody who sees all of it expects the node to tell. */
interface Service<Change> {
	answer: NonNullable<PollContextOptions['answer']>;
	apply(change: Change): void;
	/** What a node may know. n8n stores it when it starts the workflow, and at its own start. */
	known: unknown;
	/**
	 * What a look tells that reaches the service.
	 *
	 * @param isStart at n8n's start, when nothing is thrown
	 */
	tells(isStart: boolean): string[];
}

interface Case<Change> {
	parameters: IDataObject;
	service: Service<Change>;
	plan: Array<Step<Change>>;
	nameOf(item: IDataObject): string;
	/** What the node is to leave out is kept back here. */
	isWanted?(name: string): boolean;
}

/** Does it all, and gives what was told and what should have been. */
async function run<Change>(test: Case<Change>) {
	const { parameters, service, plan, nameOf, isWanted = () => true } = test;
	let isDown = false;
	const answer: typeof service.answer = (options) => (isDown ? refused : service.answer(options));
	const node = new PolledNode({ parameters, answer });
	await node.activate();
	const expected: string[] = [];
	let stored: unknown;
	const tell = (isStart: boolean) => {
		const told = service.tells(isStart).filter(isWanted);
		if (isStart || told.length > 0) stored = structuredClone(service.known);
		expected.push(...told);
	};
	tell(true);
	expected.length = 0; // the first look
	for (const step of plan) {
		isDown = step.kind === 'fail';
		if (step.kind === 'change') service.apply(step.change);
		else if (step.kind === 'restart') {
			await node.restart();
			service.known = structuredClone(stored);
			tell(true);
		} else {
			await node.look();
			if (!isDown) tell(false);
		}
	}
	return { told: node.items.map(nameOf), expected };
}

const look = { kind: 'look' } as const;

describe('messages', () => {
	const places: Record<string, number> = { queued: 0, pending: 0, sent: 1, delivered: 2, error: 2 };
	const campaigns = ['c-1', 'c-2'];

	type Change =
		| { campaign: string; id: string; status: string | undefined }
		| { campaign: string; isThere: boolean };
	const campaign = fc.constantFrom(...campaigns);
	const change: fc.Arbitrary<Change> = fc.oneof(
		{
			weight: 4,
			arbitrary: fc.record({
				campaign,
				id: fc.constantFrom('a', 'b', 'c', 'd'),
				status: fc.constantFrom(...Object.keys(places), 'lida', '', undefined),
			}),
		},
		{ weight: 1, arbitrary: fc.record({ campaign, isThere: fc.boolean() }) },
	);

	/** Campaigns that grow, shrink, vanish and come back; both are there when the node is published. */
	class Campaigns implements Service<Change> {
		private readonly messages = new Map(campaigns.map((id) => [id, new Map<string, string>()]));

		private readonly gone = new Set<string>();

		/** Of those that are gone, the ones that this process has said. */
		private readonly said = new Set<string>();

		/** Looks that had changes to return instead of saying it. */
		private putOff = 0;

		constructor(private readonly isWanted: (name: string) => boolean) {}

		/** Statuses that a look has seen, by message. */
		known = new Map<string, Set<string>>();

		answer: Service<Change>['answer'] = ({ qs }) => {
			const campaignId = String(qs?.campaignId);
			if (this.gone.has(campaignId)) return notFound;
			const messages = [...this.messages.get(campaignId)!].map(([id, status]) =>
				message(`${campaignId}-${id}`, status),
			);
			messages.push(message(`${campaignId}-first`, 'delivered')); // without any, a look has failed
			return { success: true, campaigns: [{ campaignId, messages }] };
		};

		apply(change: Change): void {
			if ('isThere' in change) this.gone[change.isThere ? 'delete' : 'add'](change.campaign);
			else if (change.status === undefined) this.messages.get(change.campaign)!.delete(change.id);
			else this.messages.get(change.campaign)!.set(change.id, change.status);
		}

		tells(isStart: boolean): string[] {
			const before = structuredClone(this.known);
			const there = campaigns.filter((id) => !this.gone.has(id));
			const news = there.flatMap((id) =>
				[...this.messages.get(id)!].flatMap(([each, status]) => this.news(`${id}-${each}`, status)),
			);
			const unsaid = [...this.gone].some((id) => !this.said.has(id));
			if (isStart) {
				this.said.clear();
				this.putOff = 0;
			}
			if (isStart || !unsaid) return news;
			if (news.some(this.isWanted) && ++this.putOff <= 3) return news;
			this.putOff = 0;
			this.gone.forEach((id) => this.said.add(id));
			this.known = before; // this look says that a campaign is gone, and changes nothing
			return [];
		}

		private news(name: string, status: string): string[] {
			const known = this.known.get(name) ?? new Set();
			const isBack = [...known].some((had) => (places[had] ?? 0) > (places[status] ?? 2));
			if (status === '' || known.has(status) || isBack) return [];
			this.known.set(name, known.add(status));
			return [`${name} ${status}`];
		}
	}

	const parameters = { event: 'messageStatusChanged', channel: 'sms', campaignIds: campaigns };
	const nameOf = ({ messageId, status }: IDataObject) => `${String(messageId)} ${String(status)}`;
	const back = campaigns.map((id) => ({
		kind: 'change' as const,
		change: { campaign: id, isThere: true },
	}));

	it.each([
		['every change once', undefined],
		['every change once that a filter lets through', ['delivered', 'error']],
		['the same with a filter that lets others through', ['queued', 'sent', 'lida']],
	])('%s', async (_, statuses) => {
		await fc.assert(
			fc.asyncProperty(steps(change), async (plan) => {
				const isWanted = (name: string) => statuses?.includes(name.split(' ')[1]!) ?? true;
				const { told, expected } = await run({
					parameters: { ...parameters, ...(statuses && { options: { statuses } }) },
					service: new Campaigns(isWanted),
					plan: [...plan, ...back, look],
					nameOf,
					isWanted,
				});
				expect(told).toEqual(expected);
				expect(new Set(told).size).toBe(told.length);
			}),
			{ numRuns: 100 },
		);
	});
});

describe('campaigns', () => {
	/** Whether it is finished. */
	type Change = boolean;

	class Campaign implements Service<Change> {
		known = { isTold: false };

		private isFinished = false;

		answer = () => ({
			campaigns: [
				{
					campaignId: 'c',
					statistics: {
						total: 2,
						queued: this.isFinished ? 0 : 1,
						delivered: this.isFinished ? 2 : 1,
						errors: 0,
					},
				},
			],
		});

		apply(isFinished: Change): void {
			this.isFinished = isFinished;
		}

		tells(): string[] {
			if (!this.isFinished || this.known.isTold) return [];
			this.known.isTold = true;
			return ['c'];
		}
	}

	it('every end once', async () => {
		const parameters = { event: 'campaignFinished', channel: 'sms', campaignIds: 'c' };
		await fc.assert(
			fc.asyncProperty(steps(fc.boolean()), async (plan) => {
				const { told, expected } = await run({
					parameters,
					service: new Campaign(),
					plan: [...plan, look],
					nameOf: ({ campaignId }) => String(campaignId),
				});
				expect(told).toEqual(expected);
			}),
			{ numRuns: 100 },
		);
	});
});

describe('the connection', () => {
	class Instance implements Service<string> {
		known: { state: string; seen?: string } = { state: 'open' };

		private state = 'open';

		answer = () =>
			this.state === 'refused'
				? { success: false, message: 'Instância desconectada.' }
				: { state: this.state };

		apply(state: string): void {
			this.state = state;
		}

		tells(): string[] {
			if (this.state === 'unclear') return [];
			const state = this.state === 'open' ? 'open' : 'close';
			const isChange = state !== this.known.state && this.known.seen === state;
			if (state === this.known.state || isChange) this.known = { state };
			else this.known.seen = state;
			return isChange ? [state] : [];
		}
	}

	it('every change once that two looks have seen', async () => {
		const state = fc.constantFrom('open', 'close', 'refused', 'unclear');
		await fc.assert(
			fc.asyncProperty(steps(state), async (plan) => {
				const { told, expected } = await run({
					parameters: { event: 'connectionChanged' },
					service: new Instance(),
					plan: [...plan, look],
					nameOf: ({ connected }) => (connected ? 'open' : 'close'),
				});
				expect(told).toEqual(expected);
			}),
			{ numRuns: 100 },
		);
	});
});

describe('API keys', () => {
	const names = ['a', 'b', 'c'];
	type Change = { id: string; status: 'active' | 'revoked' | undefined };
	const change = fc.record({
		id: fc.constantFrom(...names),
		status: fc.constantFrom('active' as const, 'revoked' as const, undefined),
	});

	class Keys implements Service<Change> {
		private readonly keys = new Map([['own', 'active']]);

		known = new Map<string, { isRevoked: boolean; isMissing: boolean; isGone: boolean }>();

		answer = () => [...this.keys].map(([id, status]) => ({ id, status }));

		apply({ id, status }: Change): void {
			if (status) this.keys.set(id, status);
			else this.keys.delete(id);
		}

		tells(): string[] {
			const news: string[] = [];
			for (const [id, status] of this.keys) {
				const key = this.known.get(id) ?? { isRevoked: false, isGone: true };
				if (key.isGone) news.push(`added ${id}`);
				if (status === 'revoked' && !key.isRevoked) news.push(`revoked ${id}`);
				const isRevoked = key.isRevoked || status === 'revoked';
				this.known.set(id, { isRevoked, isMissing: false, isGone: false });
			}
			for (const [id, key] of this.known) {
				if (this.keys.has(id)) continue;
				if (key.isMissing && !key.isGone) news.push(`vanished ${id}`);
				key.isGone = key.isMissing;
				key.isMissing = true;
			}
			return news;
		}
	}

	it('every change once', async () => {
		await fc.assert(
			fc.asyncProperty(steps(change), async (plan) => {
				const { told, expected } = await run({
					parameters: { event: 'apiKeyChanged' },
					service: new Keys(),
					plan: [...plan, look],
					nameOf: ({ change: what, id }) => `${String(what)} ${String(id)}`,
				});
				expect(told).toEqual(expected);
			}),
			{ numRuns: 100 },
		);
	});
});

describe('any answer', () => {
	afterEach(() => jest.restoreAllMocks());

	const names = [
		'campaigns',
		'campaignId',
		'messages',
		'messageId',
		'status',
		'statistics',
		'total',
	];
	const keys = ['id', 'masked_key', 'name', 'state', 'connected', 'instance', 'nome', '__proto__'];
	const value = fc.letrec((tie) => ({
		any: fc.oneof(
			{ depthSize: 'small' },
			fc.constantFrom(null, true, 0, 1.5, '', 'c', 'sent', 'revoked', 'open', 'toString'),
			fc.array(tie('any'), { maxLength: 4 }),
			fc.dictionary(fc.constantFrom(...names, ...keys), tie('any'), { maxKeys: 5 }),
		),
	})).any;

	it.each([
		['messageStatusChanged', true],
		['messageStatusChanged', false],
		['campaignFinished', true],
		['campaignFinished', false],
		['connectionChanged', false],
		['apiKeyChanged', false],
	])('is borne by %s, simplified: %s', async (event, simplify) => {
		jest.spyOn(Math, 'random').mockReturnValue(0); // no waits between tries
		const parameters = { event, channel: 'sms', campaignIds: 'c', simplify };
		await fc.assert(
			fc.asyncProperty(fc.array(value, { minLength: 2, maxLength: 5 }), async (answers) => {
				let answer: unknown;
				const node = new PolledNode({
					parameters,
					answer: () => ({ statusCode: 200, body: answer }),
				});
				for (const [index, each] of answers.entries()) {
					answer = each;
					if (index === 0) await node.activate({ activationMode: 'init' });
					else await node.look();
				}
				for (const { name } of node.errors) {
					expect(['NodeApiError', 'NodeOperationError']).toContain(name);
				}
				const texts = node.errors.map(({ message: text }) => withoutQuotations(text));
				expect(texts.join()).not.toMatch(/undefined|null|\[object|is not|cannot/i);
				JSON.stringify(node.items);
			}),
			{ numRuns: 100 },
		);
	});
});
