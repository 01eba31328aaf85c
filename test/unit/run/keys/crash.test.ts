import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';

import { KeyRow } from '../../../../nodes/MessagingGateway/run/keys/keyRow';
import { N8nKeyStore } from '../../../../nodes/MessagingGateway/run/keys/n8nKeyStore';
import { Lanes } from '../../../../nodes/MessagingGateway/run/concurrency';
import { Store } from '../../support/store';

interface Send {
	key: string;
	/** Turns of the event loop until the service answers. */
	ticks: number;
	answer: 'accepted' | 'refused' | 'none';
}

interface Process {
	dead: boolean;
	died: Promise<void>;
}

const alive: Process = { dead: false, died: new Promise(() => {}) };

/** One execution: claims, sends and files as the node does, until it ends or its process dies. */
async function execute(
	helpers: Store['helpers'],
	sends: Send[],
	delivered: string[],
	process: Process = alive,
) {
	const row = KeyRow.open();
	const store = new N8nKeyStore(helpers);
	const lanes = new Lanes();
	const ends: Array<Promise<void>> = [];
	const sending = sends.map(
		async ({ key, ticks, answer }) =>
			await lanes.run([key], async () => {
				const named = { key, recipient: '5511912345678' };
				const claiming = row.claim(store, named);
				void row.flush();
				const claim = await claiming;
				if (process.dead) return;
				if (claim !== 'fresh') return;
				if (answer !== 'refused') delivered.push(key);
				for (let wait = 0; wait < ticks; wait++) {
					await turn();
				}
				if (answer === 'none') return;
				const ending = answer === 'accepted' ? 'accepted' : 'released';
				ends.push(row.end(store, { ...named, ending }));
				void row.flush();
			}),
	);
	await Promise.race([
		Promise.all(sending).then(async () => await Promise.all(ends)),
		process.died,
	]);
}

const sends = fc.array(
	fc.record<Send>({
		key: fc.constantFrom('a', 'b', 'c', 'd'),
		ticks: fc.nat(4),
		answer: fc.constantFrom('accepted', 'refused', 'none'),
	}),
	{ minLength: 1, maxLength: 8 },
);
const allAccepted = (all: Send[]) => all.map((send): Send => ({ ...send, answer: 'accepted' }));

test('wherever a process dies, nothing that was delivered is delivered again', async () => {
	await fc.assert(
		fc.asyncProperty(sends, fc.boolean(), async (all, reached) => {
			const counting = new Store();
			await execute(counting.helpers, all, []);

			for (let calls = 1; calls <= counting.calls + 1; calls++) {
				const store = new Store();
				const delivered: string[] = [];
				const { process, helpers } = store.dyingAt(calls, reached);
				await execute(helpers, all, delivered, process);
				await execute(store.helpers, allAccepted(all), delivered);
				await execute(store.helpers, allAccepted(all), delivered);
				expect(delivered).toEqual([...new Set(delivered)]);
			}
		}),
	);
});

test('without a crash, what was refused is sent by the next execution, and all else is not', async () => {
	await fc.assert(
		fc.asyncProperty(sends, async (all) => {
			const store = new Store();
			const first: string[] = [];
			const second: string[] = [];
			await execute(store.helpers, all, first);
			await execute(store.helpers, allAccepted(all), second);
			const keys = new Set(all.map(({ key }) => key));
			expect(new Set([...first, ...second])).toEqual(keys);
			expect(first.length + second.length).toBe(keys.size);
		}),
	);
});
