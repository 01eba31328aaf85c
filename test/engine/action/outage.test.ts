/** A service that stops answering, or refuses the key, amid a list that goes on after errors. */
import { setTimeout as wait } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../../tools/sandbox';
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication } from '../harness';
import { jsonOf, numbers, useGateway } from './support';

/** A hundred times as fast: pauses take so much less, and so does the clock by which they end. */
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => await wait(ms / 100),
}));
const now = performance.now.bind(performance);
beforeEach(() => {
	deduplication.reset();
	jest.spyOn(performance, 'now').mockImplementation(() => now() * 100);
});

const gateway = useGateway();
const list = numbers(60).map(({ to }, id) => ({ to, id }));

async function run(fault?: Fault) {
	gateway.sandbox.reset();
	if (fault) gateway.sandbox.fault({ fault });
	const { outputs, ...more } = await gateway.run('sendSms', {
		items: list,
		parameters: { to: '={{ $json.to }}' },
		options: onceBy('={{ $json.id }}'),
		onError: 'continueRegularOutput',
	});
	const outcomes = jsonOf({ outputs, ...more }).map(({ error }) =>
		error ? (error as IDataObject).outcome : 'accepted',
	);
	const count = (outcome: string) => outcomes.filter((each) => each === outcome).length;
	return { outcomes, count, requests: gateway.sandbox.requests().length };
}

it('leaves few messages in doubt; the rest is sent by the next run, with the same keys', async () => {
	const { count, outcomes, requests } = await run({ status: 502 });
	expect(outcomes).toHaveLength(list.length);
	expect(count('unknown')).toBe(requests);
	expect(requests).toBeLessThanOrEqual(10 + 5);
	expect(count('notStarted')).toBe(list.length - requests);

	const again = await run();
	expect(again.count('unknown')).toBe(requests); // their keys are in doubt
	expect(again.count('accepted')).toBe(list.length - requests);
});

it('makes few requests with a key that is refused, and uses up no key', async () => {
	const { count, requests } = await run({ status: 401 });
	expect(count('refused')).toBe(requests);
	expect(requests).toBeLessThanOrEqual(10 + 5);
	expect(count('notStarted')).toBe(list.length - requests);
	expect((await run()).count('accepted')).toBe(list.length);
});
