/**
 * The trigger's life in the real n8n: what the service sees, and the webhook it is left with. Both
 * are shown in test/e2e/trigger/lifecycle.md; UPDATE_DOCS=1 writes the table there. All cases are played
 * at the beginning, several at the same time.
 */
import type { LastingHost } from '../../tools/host/lasting';
import { cases } from '../e2e/trigger/cases';
import { inParallel } from '../e2e/trigger/inParallel';
import {
	documentedTable,
	play,
	startLifecycleHost,
	tableOf,
	writeTable,
} from '../e2e/trigger/lifecycle';

jest.setTimeout(900_000);

/** Enough to keep n8n busy; with all of them at once, one step took minutes on a slow machine. */
const AT_ONCE = 6;

let host: LastingHost;

/** What each case, which has been played, adds to the table. */
const sections = new Map<string, Promise<string>>();

beforeAll(async () => {
	host = await startLifecycleHost();
	for (const waitsFor of [undefined, 'poll', 'restart'] as const) {
		const these = cases.filter((each) => each.waitsFor === waitsFor);
		await inParallel(AT_ONCE, these, async (each) => {
			const played = play(host, each);
			sections.set(each.title, played);
			await Promise.allSettled([played]);
		});
	}
});
afterAll(async () => await host?.remove());

it.each(cases.map(({ title }) => title))('%s', async (title) => {
	await sections.get(title);
});

it('is as test/e2e/trigger/lifecycle.md shows it', async () => {
	const table = tableOf(await Promise.all(cases.map(({ title }) => sections.get(title)!)));
	if (process.env.UPDATE_DOCS) writeTable(table);
	expect(documentedTable()).toBe(table);
});
