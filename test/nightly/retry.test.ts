/**
 * n8n's Retry after every end that an execution can have: nothing is sent twice, and what was not sent
 * is said. `N8N_FOLDER=tools/host/versions/1.123.81` tests another n8n than the pinned one.
 */
import { chosen } from '../../tools/host/paths';
import { describeWhereInstalled } from '../e2e/queueMode/describe';
import { inParallel } from '../e2e/trigger/inParallel';
import { restart, startOne, startQueue, type N8n, type Steps } from './retry/n8n';
import { Trial, type Case, type Figures, type How } from './retry/trial';

const version = 'version' in chosen ? chosen.version : chosen.image;

const isBefore = (other: string) => version.localeCompare(other, 'en', { numeric: true }) < 0;

const both = [false, true];
const cases: Case[] = both.flatMap((isKeyed) =>
	both.flatMap((isProduction) =>
		[
			...[1, 20, 300].map((count) => ({ count })),
			{ count: 20, continues: true },
			{ count: 20, savesProgress: true },
		].map((more) => ({ ...more, isKeyed, isProduction })),
	),
);

type End = (n8n: N8n, trials: Trial[]) => Promise<void>;

const each =
	(end: (trial: Trial) => Promise<void>): End =>
	async (_, trials) =>
		void (await Promise.all(trials.map(end)));

/** Of all that n8n executes. */
const restarted =
	(...steps: Steps): End =>
	async (n8n) =>
		await restart(n8n, ...steps);

/** Before that, n8n may never answer a Retry of an execution whose worker is gone. */
const whenCrashed =
	(end: End): End =>
	async (n8n, trials) => {
		await end(n8n, trials);
		await each(async (trial) => await trial.end())(n8n, trials);
	};

/** Older ones store it before the node has ended. */
const cutShort: How = { mayLeaveOut: isBefore('2.40') };

const ends: Array<[string, End, How?]> = [
	['stopped', each(async (trial) => await trial.stop()), cutShort],
	['timed out', each(async (trial) => await trial.timeOut()), { timesOut: true, ...cutShort }],
	...(['before', 'beside', 'after'] as const).map((failing): [string, End, How] => [
		`an error ${failing} it`,
		async () => {},
		{ failing },
	]),
];
const crashes = (how: How = {}): typeof ends => [
	['killed', restarted('kill'), how],
	['cut off by SIGTERM', restarted('cutOff'), how],
];
const forgotten = restarted('kill', 'forgetEvents');

/** @param atOnce how many trials n8n begins or retries at the same time */
function retries(start: () => Promise<N8n>, atOnce: number, all: typeof ends): void {
	const figures: Record<string, Figures> = {};
	let n8n: N8n;

	beforeAll(async () => {
		n8n = await start();
	});
	afterAll(async () => {
		console.table(figures);
		await n8n?.remove();
	});

	it.each(all)('%s', async (name, end, how = {}) => {
		const trials: Trial[] = [];
		try {
			await inParallel(atOnce, cases, async (of) => trials.push(await Trial.begin(n8n, of, how)));
			await end(n8n, trials);
			await inParallel(atOnce, trials, async (trial) => await trial.retry());
			figures[name] = trials.map((trial) => trial.figures).reduce(sum);
			const isBroken = ({ figures: of }: Trial) =>
				of['sent twice'] + of.unsaid > 0 || (of['left out'] > 0 && !how.mayLeaveOut);
			const broken = trials.filter(isBroken).map(({ of, figures }) => ({ ...of, ...figures }));
			expect(broken).toEqual([]);
		} finally {
			for (const trial of trials) await trial.close();
		}
	});
}

const sum = (one: Figures, other: Figures): Figures =>
	Object.fromEntries(
		Object.entries(one).map(([name, count]) => [name, count + other[name as keyof Figures]]),
	) as unknown as Figures;

/** 1.x mixes up its transactions in SQLite. */
const atOnceWithSqlite = isBefore('2') ? 1 : 5;

describe(`in one n8n ${version}`, () =>
	retries(startOne, atOnceWithSqlite, [
		...ends,
		...crashes(),
		['killed, its event log gone', forgotten],
	]));

/** The webhook process may store an error of its own, with which n8n's Retry has no node to go on with. */
const inQueue = { mayLeaveOut: true };

describeWhereInstalled(`in queue mode of ${version}`, () =>
	retries(startQueue, 5, [
		...ends,
		...crashes(inQueue),
		['killed, its event log gone', whenCrashed(forgotten), inQueue],
		['killed, Redis emptied', restarted('kill', 'emptyRedis'), inQueue],
	]),
);
