/** Messages with a deduplication key, over several runs of one node. */
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication } from '../harness';
import { jsonOf, numbers, sends, useGateway } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

it.each(sends)('%s: a message is sent by the first run and skipped by later ones', async (id) => {
	const items = numbers(3);
	const action = { onError: 'continueRegularOutput', options: onceBy('={{ $json.to }}') } as const;
	expect(jsonOf(await gateway.run(id, { ...action, items }))).toMatchObject(items);
	for (let run = 0; run < 2; run++) {
		const more = [...items, { to: '5511987654321' }];
		const { outputs } = await gateway.run(id, { ...action, items: more });
		const skipped = items.map(({ to }, item) => ({
			json: {
				skipped: true,
				to,
				deduplicationKey: to,
				reason: 'duplicate',
				explanation: 'A message with this key was accepted before',
			},
			pairedItem: { item },
		}));
		expect(outputs[0]!.slice(0, 3)).toEqual(skipped);
	}
	for (const item of items) expect(gateway.sandbox.timesAccepted(item)).toBe(1);
	expect(gateway.sandbox.requests()).toHaveLength(4);
});
