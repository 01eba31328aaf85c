/** The law of sending: what must not happen in any world. */

export interface Message {
	to: string;
	key?: string;
	/** Whether its key belongs to its number alone. */
	isPerNumber?: boolean;
}

/** A request that has left. */
export interface Sent {
	item: number;
	/** What its sender knows about it; undefined while it is under way. */
	known?: 'accepted' | 'refused' | 'unknown';
}

/** What a run of the node reports about an item. */
export interface Reported {
	kind: 'accepted' | 'skipped' | 'refused' | 'unknown' | 'withheld';
	message?: string;
}

/** One run of the node over its items. */
export interface Run {
	messages: Message[];
	isIdempotent: boolean;
	continueOnFail: boolean;
	/** By item: whether its values can't be read this time. */
	unreadable: boolean[];
	/** Identifies the items without a key of one execution and its retries. */
	chain: number;
	cancel: AbortController;
	/** The last request of each item, including those of the runs it continues. */
	sent: Map<number, Sent>;
	/** Its requests, in the order in which they left. */
	own: Sent[];
	/** What was known when it began, by message. */
	before: Map<string, Sent>;
	/** It continues no other run, and none is under way at the same time. */
	isAlone: boolean;
	/** Whether n8n puts the execution to wait at its end. */
	isWaiting: boolean;
}

/** Errors that say nothing about earlier sends: nothing was looked up, or it was another message. */
const notLookedUp =
	/'To'|'Deduplication Key'|'Send Between'|database|deduplication workflow|already been retried|was stopped|run ended before/;

export class Violation extends Error {}

const demand = (isTrue: boolean, law: string): void => {
	if (!isTrue) throw new Violation(law);
};

export class Law {
	/** By message: the last request for it, and the number that got it. */
	private readonly last = new Map<string, Sent>();

	private readonly accepted = new Map<string, string>();

	private readonly underWay = new Set<Run>();

	private broken: unknown;

	/** @param isUndisturbed whether no process dies and no database fails */
	constructor(private readonly isUndisturbed: boolean) {}

	/** Call when a run begins. */
	begins(run: Omit<Run, 'own' | 'before' | 'isAlone' | 'isWaiting'>, isFirst: boolean): Run {
		const before = new Map([...this.last].map(([name, sent]) => [name, { ...sent }]));
		const begun: Run = { ...run, own: [], before, isAlone: isFirst, isWaiting: false };
		this.underWay.add(begun);
		if (this.underWay.size > 1) this.underWay.forEach((each) => (each.isAlone = false));
		return begun;
	}

	/**
	 * Call when a request leaves.
	 *
	 * @param isInTime whether it may be sent at this time @param isAllowed whether its number may be contacted
	 */
	leaves(run: Run, item: number, isInTime: boolean, isAllowed: boolean): Sent {
		const name = nameOf(run, item);
		const { to } = run.messages[item]!;
		const before = this.last.get(name);
		const beside = run.own.filter((one) => one.item !== item && run.messages[one.item]!.to === to);
		this.hold(() => {
			const mayRepeat = run.isIdempotent || !before || before.known === 'refused';
			demand(!this.isHeld(run), 'Nothing is sent of a list with an item that cannot be read');
			demand(isInTime, 'Nothing is sent outside of its hours');
			demand(isAllowed, 'Nothing is sent before the list has allowed it');
			demand(mayRepeat, `What is ${before?.known ?? 'under way'} is not sent again`);
			demand(!run.cancel.signal.aborted, 'Nothing is sent after a stop');
			demand(
				beside.every((one) => one.item < item && one.known !== undefined),
				'Messages to one number leave in order, one after the other',
			);
		});
		const sent: Sent = { item };
		this.last.set(name, sent);
		run.sent.set(item, sent);
		run.own.push(sent);
		return sent;
	}

	/** Whether an item that nothing was ever sent for keeps the others from leaving. */
	private isHeld(run: Run): boolean {
		if (run.continueOnFail) return false;
		return run.unreadable.some((isBad, item) => isBad && !this.last.has(nameOf(run, item)));
	}

	/** Call when the service accepts a message. */
	accepts(run: Run, { item }: Sent): void {
		const name = nameOf(run, item);
		this.hold(() => {
			demand(run.isIdempotent || !this.accepted.has(name), 'Nothing is accepted twice');
		});
		this.accepted.set(name, run.messages[item]!.to);
	}

	/** Call when a run ends. @param isWhole whether it is the output; else an error @param log of a stopped one */
	ends(
		run: Run,
		reported: Map<number, Reported>,
		{ isWhole, continues, log }: { isWhole: boolean; continues: boolean; log?: string },
	): void {
		this.hold(() => {
			demand(
				run.own.every(({ known }) => known),
				'No request is under way at the end',
			);
			demand(!run.isWaiting, 'No execution waits for another workflow');
			if (log === undefined) {
				demand(!isWhole || reported.size === run.messages.length, 'Nothing is missing in silence');
				const isFailure = ({ kind }: Reported) => kind === 'refused' || kind === 'unknown';
				demand(
					!isWhole || continues || ![...reported.values()].some(isFailure),
					"Without 'Continue', what was not sent is an error",
				);
				run.messages.forEach((_, item) => this.judge(run, item, reported.get(item)));
			} else
				demand(
					countOf(log) >= new Set(run.own.filter(mayHaveArrived).map(({ item }) => item)).size,
					'The log lists everything',
				);
		});
		this.underWay.delete(run);
	}

	private judge(run: Run, item: number, { kind, message = '' }: Partial<Reported> = {}): void {
		const name = nameOf(run, item);
		const own = run.own.filter((sent) => sent.item === item);
		const sent = run.isIdempotent ? own : [run.sent.get(item) ?? []].flat();
		if (sent.some(mayHaveArrived)) {
			demand(kind !== undefined, 'Nothing is sent without being reported');
			const isDenied = kind === 'refused' || kind === 'withheld';
			demand(!isDenied, 'What may have been sent is not reported as refused');
		}
		if (sent.at(-1)?.known === 'accepted')
			demand(kind === 'accepted', 'What is accepted is reported so');
		if (kind === 'accepted' || kind === 'skipped') {
			const { to } = run.messages[item]!;
			demand(this.accepted.get(name) === to, 'What is reported as accepted was accepted');
		}
		if (run.isIdempotent) return;
		const before = run.before.get(name);
		const isSentBefore = own.length === 0 && before && mayHaveArrived(before);
		if (isSentBefore && !notLookedUp.test(message)) {
			demand(kind !== 'refused', 'A used key is not reported as refused');
		}
		if (kind === 'unknown' && this.isUndisturbed && run.isAlone) {
			demand(this.last.get(name)?.known === 'unknown', 'There is no doubt without reason');
		}
	}

	check = (): void => {
		if (this.broken) throw this.broken;
	};

	/** Keeps a violation until the step is over: the node would take it for its own error. */
	private hold(check: () => void): void {
		try {
			check();
		} catch (error) {
			this.broken ??= error;
		}
	}
}

function nameOf({ messages, chain }: Run, item: number): string {
	const { to, key, isPerNumber } = messages[item]!;
	if (key === undefined) return `item ${item} of ${chain}`;
	return isPerNumber ? `${key} for ${to}` : key;
}

const mayHaveArrived = ({ known }: Sent): boolean => known === 'accepted' || known === 'unknown';

/** How many messages the log says were accepted, or may have been. */
function countOf(log: string): number {
	const [, accepted = 0, open = 0] = /: (\d+) of(?:[^.]*?, (\d+) may have)?/.exec(log) ?? [];
	return Number(accepted) + Number(open);
}
