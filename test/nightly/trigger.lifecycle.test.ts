/**
 * The trigger's life in the real n8n: what the service sees, and the webhook it is left with. Both
 * are shown in test/e2e/trigger/lifecycle.md; UPDATE_DOCS=1 writes the table there. All cases are played
 * at the beginning, several at the same time.
 */
import { cases } from '../e2e/trigger/cases';
import { inParallel } from '../e2e/trigger/inParallel';
import { documentedTable, play, tableOf, writeTable } from '../e2e/trigger/lifecycle';
import { useOwnHost } from '../e2e/sharedHost';

jest.setTimeout(900_000);

/** Enough to keep n8n busy; with all of them at once, one step took minutes on a slow machine. */
const AT_ONCE = 6;

/** Its clock stands still, and its log is at its most talkative. */
const host = useOwnHost({ N8N_LOG_LEVEL: 'debug' });

/** What each case, which has been played, adds to the table. */
const sections = new Map<string, Promise<string>>();

beforeAll(async () => {
	for (const restarts of [undefined, true] as const) {
		const these = cases.filter((each) => each.restarts === restarts);
		await inParallel(AT_ONCE, these, async (each) => {
			const played = play(host, each);
			sections.set(each.title, played);
			await Promise.allSettled([played]);
		});
	}
});

it.each(cases.map(({ title }) => title))('%s', async (title) => {
	await sections.get(title);
});

it('is as test/e2e/trigger/lifecycle.md shows it', async () => {
	const table = tableOf(await Promise.all(cases.map(({ title }) => sections.get(title)!)));
	if (process.env.UPDATE_DOCS) writeTable(table);
	expect(documentedTable()).toBe(table);
});
