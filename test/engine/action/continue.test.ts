/** n8n's error output: the rest is sent, and the bad item keeps the fields of its input. */
import type { Fault } from '../../../tools/sandbox';
import { numbers, useGateway, type ActionOptions } from './support';

const gateway = useGateway();

const bad = 2;
// The customer's own fields, by names that an error could have.
const own = { message: 'Hello', details: 'x', hint: 'y' };
const items = numbers(5).map((item, order) => ({ json: { ...item, order, ...own } }));
const { to } = items[bad]!.json;

it.each<[string, ActionOptions, Fault | undefined, object]>([
	[
		'a bad parameter',
		{ parameters: { to: `={{ $json.order === ${bad} ? '12' : $json.to }}` } },
		undefined,
		{ message: "'To' is too short for Brazil (+55): '12'", outcome: 'refused', to: '12' },
	],
	[
		'a message without an answer',
		{},
		{ reset: 'beforeAccept' },
		{
			message: expect.stringMatching(/^The message may have been sent: the connection/) as string,
			outcome: 'unknown',
		},
	],
])('%s', async (_, action, fault, said) => {
	if (fault) gateway.sandbox.fault({ to, fault });
	const run = await gateway.run('sendSms', { ...action, items, onError: 'continueErrorOutput' });
	expect(run.error).toBeUndefined();
	const good = items.map(({ json }, item) => ({ json: { to: json.to }, pairedItem: { item } }));
	good.splice(bad, 1);
	expect(run.outputs[0]).toMatchObject(good);
	const error = { hint: expect.any(String) as string, item: bad, to, ...said };
	const failed = { json: { ...items[bad]!.json, error }, pairedItem: { item: bad } };
	expect(run.outputs[1]).toEqual([failed]);
});
