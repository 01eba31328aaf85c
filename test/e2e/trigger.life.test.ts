/**
 * The trigger's life in the real n8n, in short: publish, listen, refuse, unpublish. The whole of it is in
 * test/nightly/trigger.lifecycle.test.ts.
 */
import type { LastingHost } from '../../tools/host/lasting';
import { chosenInstallation, pinned } from '../../tools/host/paths';
import { sharedHost } from './sharedHost';
import { cases } from './trigger/cases';
import { documentedTable, play } from './trigger/lifecycle';

it.each([
	'Publish, deliver, unpublish',
	'Listening while published, with a delivery',
	'Two workflows, one account',
])('%s', async (wanted) => {
	const host = (await sharedHost()) as LastingHost; // these cases neither restart it nor read its log
	const chosen = cases.find(({ title }) => title === wanted)!;
	const section = await play(host, chosen);
	expect(section).toContain(wanted);
	// An older n8n calls its hooks in another order.
	if (chosenInstallation === pinned) expect(documentedTable()).toContain(section);
});
