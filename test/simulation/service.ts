/** The messaging service, and the databases that keep deduplication keys. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Message, Sent } from './law';
import type { Evidence } from './outage';
import { never, type Process, type World } from './world';

const said = (statusCode: number, body: object, headers = {}) => ({
	statusCode,
	headers,
	body: JSON.stringify(body),
});
const broken = (code: string, syscall: string) => Object.assign(new Error(code), { code, syscall });

const yes = said(200, [{ success: true, messageId: 'm' }]);
const no = { success: false, message: 'Not now' };
const reset = broken('ECONNRESET', 'read');

/** Whether the service accepts, what the sender can know about that, and what comes back. */
type Answer = [accepts: boolean, known: Sent['known'], answer?: object, isSlow?: boolean];

const answers = {
	yes: [true, 'accepted', yes],
	lateYes: [true, 'accepted', yes, true],
	lost: [true, 'unknown', reset],
	silence: [true, 'unknown'],
	unclear: [true, 'unknown', said(502, {})],
	cutOff: [false, 'unknown', reset],
	no: [false, 'refused', said(400, no)],
	lateNo: [false, 'refused', said(400, no), true],
	busy: [false, 'refused', said(429, no)],
	pause: [false, 'refused', said(503, no, { 'retry-after': '2' })],
	keyRefused: [false, 'refused', said(401, no)],
	closed: [false, 'refused', said(429, no, { 'retry-after': '300' })],
	unreachable: [false, 'refused', broken('ECONNREFUSED', 'connect')],
} satisfies Record<string, Answer>;

/** What an answer says about the service. */
function evidenceOf(known: Sent['known'], answer: { statusCode?: number }): Evidence {
	if (known === 'unknown') return 'loss';
	if (answer.statusCode === 401) return 'keyRefusal';
	return answer.statusCode === 200 || answer.statusCode === 400 ? 'answer' : 'neither';
}

export type AnswerName = keyof typeof answers;

export const answerNames = Object.keys(answers) as AnswerName[];

/** What the service always refuses for now, and how. */
export interface Limit {
	/** A recipient's number, or all that goes through the chat app. */
	of: string;
	by: 'busy' | 'pause' | 'closed';
}

/** The service answers in one way only, from a request on. */
export interface Outage {
	/** The number of requests before it. */
	after: number;
	ms: number;
	by: AnswerName;
	/** The API key of the account that has it; null: all have it. */
	of: string | null;
}

export class Service {
	private requests = 0;
	private outageBegan = Infinity;

	constructor(
		private readonly world: World,
		private readonly plan: AnswerName[],
		private readonly limit: Limit | null,
		private readonly outage: Outage | null,
	) {}

	isLimited = ({ to, channel }: Message): boolean =>
		this.limit !== null && [to, channel].includes(this.limit.of);

	/** Takes a request, which arrives and is answered at some time, even if its sender gives up. */
	async take(process: Process, message: Message, sent: Sent, accept: () => void): Promise<object> {
		const planned = this.planFor(message);
		const [accepts, known, answer, isSlow]: Answer = answers[planned];
		await this.world.turn('request');
		if (accepts) accept();
		await process.turn('answer', !isSlow);
		if (!answer || sent.known) return await never; // nobody waits for it any more
		sent.known = known;
		sent.tell(evidenceOf(known, answer));
		if (answer instanceof Error) throw answer;
		return answer;
	}

	private planFor(message: Message): AnswerName {
		if (this.isLimited(message)) return this.limit!.by;
		return this.outageFor(message) ?? this.plan.shift() ?? 'yes';
	}

	private outageFor({ account }: Message): AnswerName | undefined {
		const { outage } = this;
		const { now } = this.world;
		if (!outage || this.requests++ < outage.after) return undefined;
		this.outageBegan = Math.min(this.outageBegan, now);
		const isHit = (outage.of ?? account) === account && now - this.outageBegan < outage.ms;
		return isHit ? outage.by : undefined;
	}
}

/** When a call to the database fails, or whether it is slow, or waits half-way. */
export type Fault = 'none' | 'before' | 'after' | 'slow' | 'waits';

/** The databases: a table with a unique index behind a workflow, and n8n's own. */
export class Database {
	private readonly keys = new Map<
		string,
		{ to: unknown; claimId: unknown; claimedAt: number; accepted?: true }
	>();

	constructor(
		private readonly world: World,
		private readonly faults: Fault[],
	) {}

	/** The workflow, which processes keys in another order than it gets them. */
	async call(process: Process, items: INodeExecutionData[]) {
		const fault = this.faults.shift();
		const outputs: IDataObject[] = [];
		for (const { json } of [...items].reverse()) {
			await process.turn(`key: ${String(json.action)}`, fault !== 'slow');
			if (fault === 'before') throw new Error('The database is down');
			outputs.push(...this.carryOut(json));
		}
		await process.turn('keys', fault !== 'slow');
		if (fault === 'after') throw new Error('The database has gone');
		const waitTill = fault === 'waits' ? new Date(this.world.now) : undefined;
		return { executionId: '2', data: [outputs.map((json) => ({ json }))], waitTill };
	}

	/** A query by n8n's own store. */
	async query(process: Process): Promise<void> {
		const fault = this.faults.shift() ?? 'none';
		await process.turn('row', fault !== 'slow');
		if (fault !== 'none' && fault !== 'slow') throw new Error('The database is down');
	}

	private carryOut({ action, scope, key, to, claimId, until }: IDataObject): IDataObject[] {
		const name = `${String(scope)} ${String(key)}`;
		const row = this.keys.get(name);
		const isOwn = row?.claimId === claimId;
		if (action === 'release' && isOwn) this.keys.delete(name);
		if (action === 'accept' && row) row.accepted = true;
		if (action !== 'claim') return [];
		if (Date.parse(String(until)) < this.world.now) return [{ key, state: 'late' }];
		if (!row) this.keys.set(name, { to, claimId, claimedAt: this.world.now });
		if (!row || (isOwn && !row.accepted)) return [{ key, state: 'fresh' }];
		const age = Math.round((this.world.now - row.claimedAt) / 1000);
		return [{ key, state: row.accepted ? 'accepted' : 'unanswered', to: String(row.to), age }];
	}
}

/** What the workflow with the list does at a call; `short`: it leaves a number out. */
export type ListAnswer = 'whole' | 'waits' | 'fails' | 'short' | 'slow';

/** The workflow that says which numbers may be contacted. */
export class ContactList {
	constructor(
		private readonly answers: ListAnswer[],
		private readonly blocked: string,
	) {}

	/** @param allowed gets the numbers that may be contacted */
	async call(process: Process, items: INodeExecutionData[], allowed: Set<unknown>) {
		const answer = this.answers.shift() ?? 'whole';
		await process.turn('list', answer !== 'slow');
		if (answer === 'fails') throw new Error('The list is gone');
		const isWhole = answer === 'whole' || answer === 'slow';
		const data = items.map(({ json: { to } }) => {
			const isAllowed = to !== this.blocked;
			if (isWhole && isAllowed) allowed.add(to);
			return { json: { to, allowed: isAllowed } };
		});
		if (answer === 'short') data.pop();
		return {
			executionId: '3',
			data: [data],
			waitTill: answer === 'waits' ? new Date(0) : undefined,
		};
	}
}
