/** Messages with a deduplication key, over several runs of one node. */
import { onceBy } from '../../../tools/shared/deduplication';
import { deduplication } from '../harness';
import { jsonOf, numbers, sends, useGateway, type ActionOptions } from './support';

const gateway = useGateway();
beforeEach(() => deduplication.reset());

type Send = (typeof sends)[number];

const keyed = async (
	items: Array<{ to: string; key?: string }>,
	action: ActionOptions = {},
	id: Send = 'sendSms',
) =>
	await gateway.run(id, {
		onError: 'continueRegularOutput',
		...action,
		items,
		options: { ...onceBy('={{ $json.key ?? $json.to }}'), ...action.options },
	});

const skipped = (deduplicationKey: string, number = deduplicationKey) => ({
	skipped: true,
	to: number,
	deduplicationKey,
	reason: 'duplicate',
	explanation: 'A message with this key was accepted before',
});

const count = () => gateway.sandbox.requests().length;

describe.each(sends)('%s', (id) => {
	it('is sent by the first run and skipped by later ones', async () => {
		const items = numbers(3);
		expect(jsonOf(await keyed(items, {}, id))).toMatchObject(items);
		for (let run = 0; run < 2; run++) {
			const { outputs } = await keyed([...items, { to: '5511987654321' }], {}, id);
			expect(outputs[0]!.slice(0, 3)).toEqual(
				items.map(({ to }, item) => ({ json: skipped(to), pairedItem: { item } })),
			);
		}
		for (const item of items) expect(gateway.sandbox.timesAccepted(item)).toBe(1);
		expect(count()).toBe(4);
	});
});

it.each([
	['half of an emoji', 'order 😀'.slice(0, -1)],
	['its other half', '😀 order'.slice(1)],
	['nothing but a NUL', '\0'],
])('a key that holds %s is refused alone', async (_, key) => {
	const [one, , other] = numbers(3);
	const message = 'The deduplication key contains a character that cannot be stored';
	const run = await keyed([one!, { to: '5511987654321', key }, other!]);
	const error = { message, outcome: 'refused' };
	expect(jsonOf(run)).toMatchObject([one!, { error }, other!]);
	expect(count()).toBe(2);
});
