/** Each change is reported once, no matter which polls fail and when n8n restarts. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { events } from '../../nodes/MessagingGatewayStatusTrigger/events';
import { invalidToken, message, notFound, PolledNode } from '../unit/statusTrigger/support';
import type { PollContextOptions } from '../../tools/shared/pollContext';
import { withoutQuotations } from '../unit/support/wording';
import { Finding, fuzz } from './support/fuzz';

/** A change at the service, a poll, a failed poll, or a restart of n8n. */
type Step<Change> = { change: Change } | 'poll' | 'fail' | 'restart';

const steps = <Change>(change: fc.Arbitrary<Change>): fc.Arbitrary<Array<Step<Change>>> =>
	fc.array(
		fc.oneof(
			{ weight: 5, arbitrary: fc.record({ change }) },
			{ weight: 4, arbitrary: fc.constant('poll' as const) },
			{ weight: 2, arbitrary: fc.constant('fail' as const) },
			{ weight: 1, arbitrary: fc.constant('restart' as const) },
		),
		{ maxLength: 60 },
	);

/** The service, and a model of what the node should report. */
interface Service<Change> {
	answer: NonNullable<PollContextOptions['answer']>;
	apply(change: Change): void;
	/** What the node knows. n8n stores it when it starts the workflow, and at its own start. */
	known: unknown;
	/** The changes that a successful poll finds. At n8n's start, nothing is thrown. */
	changes(isStart: boolean): string[];
	/** What a poll means that finds the service down. */
	isDown?(): void;
}

/** Carries out the plan, and compares the node's reports with the expected ones. */
async function check<Change>(
	parameters: IDataObject,
	service: Service<Change>,
	plan: Array<Step<Change>>,
	nameOf: (item: IDataObject) => string,
	isWanted: (name: string) => boolean = () => true,
) {
	let isDown = false;
	const answer: typeof service.answer = (options) =>
		isDown ? invalidToken : service.answer(options);
	const node = new PolledNode({ parameters, answer });
	await node.activate();
	const expected: string[] = [];
	let stored: unknown;
	const expectChanges = (isStart: boolean) => {
		const changes = service.changes(isStart).filter(isWanted);
		if (isStart || changes.length > 0) stored = structuredClone(service.known);
		expected.push(...changes);
	};
	expectChanges(true);
	expected.length = 0; // the first poll
	for (const step of [...plan, 'poll' as const]) {
		isDown = step === 'fail';
		if (typeof step === 'object') service.apply(step.change);
		else if (step === 'restart') {
			await node.restart();
			service.known = structuredClone(stored);
			expectChanges(true);
		} else {
			await node.poll();
			if (isDown) service.isDown?.();
			else expectChanges(false);
		}
	}
	const reported = node.items.map(nameOf);
	if (reported.join() === expected.join()) return;
	throw new Finding('other findings', `Reported ${reported.join()} instead of ${expected.join()}`);
}

const stages: Record<string, number> = { queued: 0, pending: 0, sent: 1, delivered: 2, error: 2 };
const campaigns = ['c-1', 'c-2'];

type MessageChange =
	| { campaign: string; id: string; status: string | undefined }
	| { campaign: string; isThere: boolean };

/** Campaigns that grow, shrink, vanish and come back; both exist when the node is published. */
class Campaigns implements Service<MessageChange> {
	private readonly messages = new Map(campaigns.map((id) => [id, new Map<string, string>()]));

	private readonly gone = new Set<string>();

	/** Missing campaigns that this process has reported. */
	private readonly reported = new Set<string>();

	/** What the last poll did with a report that was due: after a throw, and with changes, it waits. */
	private due: 'putOff' | 'thrown' | undefined;

	private isDownReported = false;

	constructor(private readonly isWanted: (name: string) => boolean) {}

	/** Statuses seen, by message. */
	known = new Map<string, Set<string>>();

	answer: Service<MessageChange>['answer'] = ({ qs }) => {
		const campaignId = String(qs?.campaignId);
		if (this.gone.has(campaignId)) return notFound;
		const messages = [...this.messages.get(campaignId)!].map(([id, status]) =>
			message(`${campaignId}-${id}`, status),
		);
		messages.push(message(`${campaignId}-first`, 'delivered')); // without any, the poll would fail
		return { success: true, campaigns: [{ campaignId, messages }] };
	};

	apply(change: MessageChange): void {
		if ('isThere' in change) this.gone[change.isThere ? 'delete' : 'add'](change.campaign);
		else if (change.status === undefined) this.messages.get(change.campaign)!.delete(change.id);
		else this.messages.get(change.campaign)!.set(change.id, change.status);
	}

	changes(isStart: boolean): string[] {
		const before = structuredClone(this.known);
		const there = campaigns.filter((id) => !this.gone.has(id));
		const news = there.flatMap((id) =>
			[...this.messages.get(id)!].flatMap(([each, status]) => this.news(`${id}-${each}`, status)),
		);
		const isNew = [...this.gone].some((id) => !this.reported.has(id));
		if (isStart) {
			this.reported.clear();
			this.isDownReported = false;
		}
		this.decide(!isStart && isNew, news.some(this.isWanted));
		if (this.due !== 'thrown') return news;
		this.gone.forEach((id) => this.reported.add(id));
		this.known = before; // this poll throws, and stores nothing
		return [];
	}

	isDown(): void {
		this.decide(!this.isDownReported, false);
		this.isDownReported ||= this.due === 'thrown';
	}

	private decide(isDue: boolean, hasChanges: boolean): void {
		const isPutOff = this.due === 'thrown' || (hasChanges && this.due !== 'putOff');
		this.due = isDue ? (isPutOff ? 'putOff' : 'thrown') : undefined;
	}

	private news(name: string, status: string): string[] {
		const known = this.known.get(name) ?? new Set();
		const isBack = [...known].some((had) => (stages[had] ?? 0) > (stages[status] ?? 2));
		if (status === '' || known.has(status) || isBack) return [];
		this.known.set(name, known.add(status));
		return [`${name} ${status}`];
	}
}

const campaign = fc.constantFrom(...campaigns);
const messageChange: fc.Arbitrary<MessageChange> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			campaign,
			id: fc.constantFrom('a', 'b', 'c', 'd'),
			status: fc.constantFrom(...Object.keys(stages), 'lida', '', undefined),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ campaign, isThere: fc.boolean() }) },
);
const filters = [undefined, ['delivered', 'error'], ['queued', 'sent', 'lida']];
const back = campaigns.map((id) => ({ change: { campaign: id, isThere: true } }));

fuzz(
	'every change of a message that passes the filter, once',
	fc.tuple(fc.constantFrom(...filters), steps(messageChange)),
	async ([statuses, plan]) => {
		const isWanted = (name: string) => statuses?.includes(name.split(' ')[1]!) ?? true;
		const options = { ...(statuses && { statuses }) };
		await check(
			{ event: 'messageStatusChanged', channel: 'sms', campaignIds: campaigns, options },
			new Campaigns(isWanted),
			[...plan, ...back],
			({ messageId, status }) => `${String(messageId)} ${String(status)}`,
			isWanted,
		);
	},
);

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

	changes(): string[] {
		if (this.state === 'unclear') return [];
		const state = this.state === 'open' ? 'open' : 'close';
		const isChange = state !== this.known.state && this.known.seen === state;
		if (state === this.known.state || isChange) this.known = { state };
		else this.known.seen = state;
		return isChange ? [state] : [];
	}
}

fuzz(
	'every change of the connection that two polls have seen, once',
	steps(fc.constantFrom('open', 'close', 'refused', 'unclear')),
	async (plan) => {
		const nameOf = ({ connected }: IDataObject) => (connected ? 'open' : 'close');
		await check({ event: 'connectionChanged' }, new Instance(), plan, nameOf);
	},
	{ share: 0.5 },
);

const words =
	'campaigns campaignId messages messageId status statistics total id name state connected instance nome __proto__';
const { any } = fc.letrec((tie) => ({
	any: fc.oneof(
		{ depthSize: 'small' },
		fc.constantFrom(null, true, 0, 1.5, '', 'c', 'sent', 'open', 'toString'),
		fc.array(tie('any'), { maxLength: 4 }),
		fc.dictionary(fc.constantFrom(...words.split(' ')), tie('any'), { maxKeys: 5 }),
	),
}));

fuzz(
	'every event copes with any answer',
	fc.record({
		event: fc.constantFrom(...events.map(({ value }) => value)),
		simplify: fc.boolean(),
		answers: fc.array(any, { minLength: 2, maxLength: 5 }),
	}),
	async ({ answers, ...parameters }) => {
		const random = jest.spyOn(Math, 'random').mockReturnValue(0); // no waits between tries
		let body: unknown;
		const node = new PolledNode({
			parameters: { channel: 'sms', campaignIds: 'c', ...parameters },
			answer: () => ({ statusCode: 200, body }),
		});
		for (const [index, answer] of answers.entries()) {
			body = answer;
			if (index === 0) await node.activate({ activationMode: 'init' });
			else await node.poll();
		}
		random.mockRestore();
		for (const { name } of node.errors) expect(name).toMatch(/^Node(Api|Operation)Error$/);
		const texts = node.failures.map(withoutQuotations);
		expect(texts.join()).not.toMatch(/undefined|null|\[object|is not|cannot/i);
		JSON.stringify(node.items);
	},
	{ share: 2 },
);
