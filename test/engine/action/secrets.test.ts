import { inProcess } from '../../../nodes/n8n/processState';
import { SEEDS, type Fault } from '../../../tools/sandbox';
import { hurry, operationIds, sends, to, useGateway } from './support';
/** The key and the token stay inside: not even a service that repeats them gets them shown. */

const gateway = useGateway();
hurry();
const { apiKey, instanceToken } = SEEDS;
const echo = `key ${apiKey}, token ${instanceToken}.`;

/** How the random part of each secret begins: a part of it must not be shown either. */
const beginnings = [apiKey, instanceToken].map((secret) => secret.split('-').at(-1)!.slice(0, 6));
const leaks = (text: string) => beginnings.filter((beginning) => text.includes(beginning));

async function everythingShown(id: (typeof operationIds)[number], rules = {}) {
	const shown: string[] = [];
	for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
		inProcess.clear(); // no pause after a 429
		const items = [{ to }, ...(sends.includes(id) ? [{ to: '1' }] : [])];
		const run = await gateway.run(id, { items, onError, rules });
		shown.push(JSON.stringify([run.error, run.error?.stack, run.outputs]), ...run.logs);
	}
	return shown.join('\n');
}

describe.each<[string, Fault]>([
	['a refusal', { refuse: echo }],
	['JSON of an unknown kind', { status: 200, body: [echo] }],
	['a validation', { status: 422, body: { detail: [{ loc: [echo], msg: echo, type: echo }] } }],
	[
		'a page',
		{ status: 302, headers: { location: `https://x.example/${apiKey}?${echo}` }, body: echo },
	],
	['a time-out', { delayMs: 200 }],
])('%s', (_name, fault) => {
	it.each(operationIds)('to %s shows no secret', async (id) => {
		gateway.sandbox.fault({ fault });
		const shown = await everythingShown(id, { timeout: fault.delayMs ? 1_000 : 100_000 });
		expect(shown).not.toBe('');
		expect(leaks(shown)).toEqual([]);
	});
});
