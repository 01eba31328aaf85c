/** Operations, and a service that answers their requests in any way. */
import fc from 'fast-check';
import { actionIds, sends, type ActionId } from '../../../tools/shared/operations';
import { serve } from '../../unit/support/http';
import { play, scripts, type Script } from './hostileAnswers';

/** A service that reads whole requests and answers each item by its scripts. */
export class HostileService {
	/** Answers so far, by the path of the case and, for a send, the number. */
	used = new Map<string, Script[]>();
	scripts = new Map<string, Script[]>();
	/** The requests of the case. */
	received: string[] = [];
	cases = 0;
	url = '';
	close = async () => {};

	/** Begins a case. @returns its own path */
	open(scripts: Script[][], recipients: string[]): { path: string; keys: string[] } {
		const path = `/case-${++this.cases}`;
		const keys = recipients.map((to) => `${path} ${to}`);
		this.received = [];
		this.used = new Map();
		this.scripts = new Map(keys.map((key, index) => [key, scripts[index]!]));
		return { path, keys };
	}

	async start() {
		const server = await serve((socket, request) => {
			this.received.push(...server.received.splice(0));
			const key = `${/\/case-\d+/.exec(request)![0]} ${/"to":"(\d+)"/.exec(request)?.[1] ?? ''}`;
			const all = this.scripts.get(key);
			if (!all) return socket.destroy(); // of a case that is over
			const used = this.used.get(key) ?? [];
			const script = all[Math.min(used.length, all.length - 1)]!;
			this.used.set(key, [...used, script]);
			void play(socket, script);
		});
		this.url = server.url;
		this.close = server.close;
	}
}

export interface AnswerCase {
	id: ActionId;
	/** The answers to each item's requests; the last one repeats. */
	items: Script[][];
	maxRetries: number;
	sendKeyAs: string;
}

export const answerCases: fc.Arbitrary<AnswerCase> = fc.record({
	id: fc.constantFrom(...actionIds, ...sends),
	items: fc.array(fc.array(scripts, { minLength: 1, maxLength: 2 }), {
		minLength: 1,
		maxLength: 2,
	}),
	maxRetries: fc.constantFrom(0, 0, 1, 2),
	sendKeyAs: fc.constantFrom('apiKeyHeader', 'bearer'),
});
