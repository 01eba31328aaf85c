/**
 * The trigger's life in the real n8n: what the service sees, and the webhook it is left with. Both
 * are shown in docs/internals/webhook.md; UPDATE_DOCS=1 writes the table there. All cases are played at the
 * beginning, several at the same time.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { conflict } from './trigger/cases/conflict';
import { credential } from './trigger/cases/credential';
import { listen } from './trigger/cases/listen';
import { publish } from './trigger/cases/publish';
import { restart } from './trigger/cases/restart';
import { twoWorkflows } from './trigger/cases/twoWorkflows';
import { unavailable } from './trigger/cases/unavailable';
import { watch } from './trigger/cases/watch';
import { inParallel } from './trigger/inParallel';
import {
	describeLifecycle,
	documentedTable,
	Stage,
	startLifecycleHost,
	type LifecycleCase,
	type LifecycleHost,
} from './trigger/lifecycle';

const cases = [
	...publish,
	...conflict,
	...twoWorkflows,
	...listen,
	...watch,
	...restart,
	...unavailable,
	...credential,
];

jest.setTimeout(900_000);

/** Enough to keep n8n busy; with all of them at once, one step took minutes on a slow machine. */
const AT_ONCE = 6;

let userFolder: string;
let host: LifecycleHost;

/** The rows of each case, which has been played. */
const rows = new Map<string, Promise<string[]>>();

beforeAll(async () => {
	userFolder = await mkdtemp(path.join(os.tmpdir(), 'n8n-lifecycle-'));
	host = await startLifecycleHost(userFolder);
	for (const waitsFor of [undefined, 'poll', 'restart'] as const) {
		const these = cases.filter((each) => each.waitsFor === waitsFor);
		await inParallel(AT_ONCE, these, async (each) => {
			const played = play(each);
			rows.set(each.title, played);
			await Promise.allSettled([played]);
		});
	}
});
afterAll(async () => {
	await host?.stop();
	await rm(userFolder, { recursive: true, force: true });
});

async function play({ run }: LifecycleCase): Promise<string[]> {
	const stage = new Stage(host);
	try {
		await run(stage);
		return stage.rows;
	} finally {
		await stage.close();
	}
}

it.each(cases.map(({ title }) => title))('%s', async (title) => {
	await rows.get(title);
});

it('is as docs/internals/webhook.md shows it', async () => {
	const played = cases.map(async ({ title }) => ({ title, rows: await rows.get(title)! }));
	const table = describeLifecycle(await Promise.all(played));
	expect(documentedTable(table)).toBe(table);
});
