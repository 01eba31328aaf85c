/** The law of sending: what must not happen in any world. */
import { Family, type Evidence } from './outage';
import { demand } from './violation';

export interface Message {
	to: string;
	channel: 'sms' | 'chatApp';
	/** The API key of its account. */
	account: string;
	key?: string;
	/** Whether its key belongs to its number alone. */
	isPerNumber?: boolean;
}

/** A request that has left. */
export interface Sent {
	item: number;
	/** What its sender knows about it; undefined while it is under way. */
	known?: 'accepted' | 'refused' | 'unknown';
	/** It was under way when its run was stopped. */
	isCutOff?: true;
	/** It left when its family had lost three. */
	isProbe: boolean;
	/** Call when its sender knows what came of it. */
	tell(evidence: Evidence): void;
}

/** What a run of the node reports about an item. */
export interface Reported {
	kind: 'accepted' | 'skipped' | 'refused' | 'unknown' | 'withheld' | 'notStarted';
	message?: string;
}

/** One run of the node over its items. */
export interface Run {
	messages: Message[];
	isIdempotent: boolean;
	continueOnFail: boolean;
	maxConcurrency: number;
	maxRetries: number;
	/** By item: whether its values can't be read this time. */
	unreadable: boolean[];
	/** Identifies the items without a key of one execution and its retries. */
	chain: number;
	cancel: AbortController;
	/** The last request of each item, including those of the runs it continues. */
	sent: Map<number, Sent>;
	/** Its requests, in the order in which they left. */
	own: Sent[];
	/** The paths whose evidence of an outage counts together: an account's for SMS, or a chat app's instance. */
	families: Map<string, Family>;
	/** What was known when it began, by message. */
	before: Map<string, Sent>;
	/** It continues no other run, and none is under way at the same time. */
	isAlone: boolean;
	/** Whether n8n puts the execution to wait at its end. */
	isWaiting: boolean;
}

/** Errors that say nothing about earlier sends: nothing was looked up, or it was another message. */
const notLookedUp =
	/'To'|deduplication key|'Send Between'|database|deduplication workflow|already been retried|was stopped|run ended before/;

export class Law {
	/** By message: the last request for it, and the number that got it. */
	private readonly last = new Map<string, Sent>();
	private readonly accepted = new Map<string, string>();
	/** Items that may have been sent, by their chain and place: no later try of the chain sends them. */
	private readonly inDoubt = new Set<string>();
	private readonly underWay = new Set<Run>();
	private readonly stopped = new Set<Run>();
	/** Stopped runs that are in the log. */
	private readonly logged = new Set<Run>();
	private broken: unknown;

	/**
	 * @param now the world's time @param isUndisturbed whether no process dies and no database fails
	 * @param isLimited whether the service always refuses a message for now; undefined: it also refuses others
	 */
	constructor(
		private readonly now: () => number,
		private readonly isUndisturbed: boolean,
		private readonly isLimited: ((message: Message) => boolean) | undefined,
	) {}

	/** Call when a run begins. */
	begins(
		run: Omit<Run, 'own' | 'families' | 'before' | 'isAlone' | 'isWaiting'>,
		isFirst: boolean,
	): Run {
		const before = new Map([...this.last].map(([name, sent]) => [name, { ...sent }]));
		const own = { own: [], families: new Map<string, Family>() };
		const begun: Run = { ...run, ...own, before, isAlone: isFirst, isWaiting: false };
		run.cancel.signal.addEventListener('abort', () => {
			for (const sent of begun.own) if (!sent.known) sent.isCutOff = true;
		});
		this.underWay.add(begun);
		if (this.underWay.size > 1) this.underWay.forEach((each) => (each.isAlone = false));
		return begun;
	}

	/**
	 * Call when a request leaves.
	 *
	 * @param account whose API key it has @param isInTime whether it may be sent at this time
	 * @param isAllowed whether its number may be contacted @param restMs since the chat app's last one
	 */
	leaves(
		run: Run,
		item: number,
		account: unknown,
		isInTime: boolean,
		isAllowed: boolean,
		restMs: number,
	): Sent {
		const name = nameOf(run, item);
		const { to, account: own } = run.messages[item]!;
		const before = this.last.get(name);
		const beside = run.own.filter((one) => one.item !== item && run.messages[one.item]!.to === to);
		this.hold(() => {
			const mayRepeat = run.isIdempotent || !before || before.known === 'refused';
			demand(!this.isHeld(run), 'Nothing is sent of a list with an item that cannot be read');
			demand(account === own, 'Each item is sent with its own account');
			demand(isInTime, 'Nothing is sent outside of its hours');
			demand(restMs >= 1_000, 'The chat app has its pause between two messages');
			demand(isAllowed, 'Nothing is sent before the list has allowed it');
			demand(mayRepeat, `What is ${before?.known ?? 'under way'} is not sent again`);
			demand(!run.cancel.signal.aborted, 'Nothing is sent after a stop');
			demand(
				beside.every((one) => one.item < item && one.known !== undefined),
				'Messages to one number leave in order, one after the other',
			);
		});
		const sent: Sent = { item, isProbe: false, tell() {} };
		this.hold(() => {
			if (run.isIdempotent) return; // it may be repeated
			const { isProbe, tell } = this.familyOf(run, item).leaves();
			Object.assign(sent, {
				isProbe,
				tell: (evidence: Evidence) => this.hold(() => tell(evidence)),
			});
		});
		this.last.set(name, sent);
		run.sent.set(item, sent);
		run.own.push(sent);
		return sent;
	}

	private familyOf({ families, maxConcurrency, messages }: Run, item: number): Family {
		const { account, channel } = messages[item]!;
		const name = channel === 'sms' ? account : channel;
		const family = families.get(name) ?? new Family(this.now, maxConcurrency);
		families.set(name, family);
		return family;
	}

	/** Whether an item that nothing is known of keeps the others from leaving. */
	private isHeld(run: Run): boolean {
		if (run.continueOnFail) return false;
		const isKnownOf = (item: number) =>
			this.last.has(nameOf(run, item)) || this.inDoubt.has(`${run.chain} ${item}`);
		return run.unreadable.some((isBad, item) => isBad && !isKnownOf(item));
	}

	/** Call when the service accepts a message. */
	accepts(run: Run, { item }: Sent): void {
		const name = nameOf(run, item);
		this.hold(() => {
			demand(run.isIdempotent || !this.accepted.has(name), 'Nothing is accepted twice');
		});
		this.accepted.set(name, run.messages[item]!.to);
	}

	/** Call when a run ends. @param isWhole whether it is the output; else an error */
	ends(
		run: Run,
		reported: Map<number, Reported>,
		{ isWhole, continues, isStopped }: Record<'isWhole' | 'continues' | 'isStopped', boolean>,
	): void {
		this.hold(() => {
			const isCanceled = run.cancel.signal.aborted; // what has left ends behind the node
			demand(isCanceled || run.own.every(isKnown), 'No request is under way at the end');
			demand(!run.isWaiting, 'No execution waits for another workflow');
			if (isStopped && !isWhole) this.stopped.add(run);
			if (!isStopped) {
				demand(!isWhole || reported.size === run.messages.length, 'Nothing is missing in silence');
				const isFailure = ({ kind }: Reported) => kind === 'refused' || kind === 'unknown';
				demand(
					!isWhole || continues || ![...reported.values()].some(isFailure),
					"Without 'Continue', what was not sent is an error",
				);
				run.messages.forEach((_, item) => this.judge(run, item, reported.get(item)));
			}
			for (const [item, { kind }] of reported) {
				if (kind === 'unknown') this.inDoubt.add(`${run.chain} ${item}`);
			}
		});
		this.underWay.delete(run);
	}

	/** Call with the items in the log of a stopped run, which comes once nothing of it is under way. */
	logs(run: Run, items: number[]): void {
		this.logged.add(run);
		this.hold(() => {
			demand(run.own.every(isKnown), 'The log has every end');
			const sent = run.own.filter(mayHaveArrived);
			demand(
				sent.every(({ item }) => items.includes(item)),
				'The log lists everything',
			);
		});
	}

	/** Call when the world ends. */
	endsAll(): void {
		const areLogged = [...this.stopped].every((run) => this.logged.has(run));
		demand(areLogged || !this.isUndisturbed, 'Every run that was stopped is in the log');
	}

	private judge(run: Run, item: number, { kind, message = '' }: Partial<Reported> = {}): void {
		const name = nameOf(run, item);
		const own = run.own.filter((sent) => sent.item === item);
		const sent = run.isIdempotent ? own : [run.sent.get(item) ?? []].flat();
		if (sent.some(mayHaveArrived)) {
			// An error does not say which of the others were skipped.
			const isSaid = kind !== undefined || sent.at(-1)!.isCutOff;
			demand(!!isSaid, 'Nothing is sent without being reported');
			const isDenied = ['refused', 'withheld', 'notStarted'].includes(kind!);
			demand(!isDenied, 'What may have been sent is not reported as refused');
		}
		demand(kind !== 'notStarted' || own.length === 0, 'What was asked for is not called untried');
		if (kind === 'notStarted' && run.continueOnFail && !run.cancel.signal.aborted) {
			demand(
				this.familyOf(run, item).isOver,
				'Only an outage of its own keeps an item from its try',
			);
		}
		if (!sent.every(isKnown)) demand(kind === 'unknown', 'What is under way is in doubt');
		if (sent.at(-1)?.known === 'accepted') {
			// What ended behind a stopped run, only its key tells.
			const isReported = kind === 'accepted' || (sent.at(-1)!.isCutOff && kind !== 'refused');
			demand(!!isReported, 'What is accepted is reported so');
		}
		if (kind === 'accepted' || kind === 'skipped') {
			const { to } = run.messages[item]!;
			demand(this.accepted.get(name) === to, 'What is reported as accepted was accepted');
		}
		if (this.isLimited) this.judgeLimit(run, item, own.length, message);
		if (run.isIdempotent) return;
		const before = run.before.get(name);
		const isSentBefore = own.length === 0 && before && mayHaveArrived(before);
		if (isSentBefore && !notLookedUp.test(message)) {
			demand(kind !== 'refused', 'A used key is not reported as refused');
		}
		if (kind === 'unknown' && this.isUndisturbed && run.isAlone) {
			const { known } = this.last.get(name) ?? { known: 'refused' };
			const isUnderWay = known === undefined && run.cancel.signal.aborted;
			demand(known === 'unknown' || isUnderWay, 'There is no doubt without reason');
		}
	}

	/** Where the service refuses a recipient, or all that goes through the chat app, and nothing else. */
	private judgeLimit(run: Run, item: number, requests: number, text: string): void {
		const message = run.messages[item]!;
		const isAsked = this.isLimited!(message);
		const isHeldUp = requests === 0 && /too many requests|not available/.test(text);
		demand(isAsked || !isHeldUp, "A pause that is one's own holds up nobody else");
		const isOfNumber = isAsked && !this.isLimited!({ ...message, to: '' });
		demand(!isOfNumber || requests <= 1 + run.maxRetries, "A number's limit uses up its retries");
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

const isKnown = ({ known }: Sent): boolean => known !== undefined;

const mayHaveArrived = ({ known }: Sent): boolean => known === 'accepted' || known === 'unknown';
