/**
 * An agent that works through rows: each person gets the row's own message, or none. Every version of
 * n8n's agent gives its tools something else of a row.
 */
import { onceBy } from '../../tools/shared/deduplication';
import { startTexting, to, type Shape } from '../e2e/agent/rows';

let texting: Awaited<ReturnType<typeof startTexting>>;
beforeAll(async () => (texting = await startTexting()));
afterAll(async () => await texting.close());

const anyRow = "'To' comes from your data, but n8n does not say which item this call is for";

describe.each([1.9, 2.2, 3, 3.1])('an agent of version %d', (version) => {
	const isOld = version < 3;
	test.each<[Shape, keyof typeof to, number[]]>([
		['oneRow', 'item', [1]],
		['oneRow', 'node', [1]],
		['oneRow', 'first', [1]],
		['threeRows', 'item', isOld ? [] : [0, 1, 2]],
		['threeRows', 'node', []],
		['threeRows', 'first', []],
		['threeRows', 'model', [0, 1, 2]],
		['inLoop', 'item', [0, 1, 2]],
		['inLoop', 'node', isOld ? [0, 1, 2] : [0]],
		['inSubWorkflow', 'item', [0, 1, 2]],
		['inSubWorkflow', 'node', [0, 1, 2]],
		['inSubWorkflow', 'model', [0, 1, 2]],
	])('with %s, by %s, texts %j', async (shape, by, expected) => {
		const { texted, refused } = await texting.run({ shape, version, parameters: { to: to[by] } });
		expect(texted).toEqual(expected);
		const rows = shape === 'oneRow' ? 1 : 3;
		expect(refused).toHaveLength(shape === 'inSubWorkflow' ? 0 : rows - expected.length);
		for (const message of refused) expect(message).toContain(anyRow);
	});

	it.each([
		["'Text'", { text: "=Order {{ $('Items').item.json.order }}" }],
		["'Deduplication'", { options: onceBy("={{ $('Items').item.json.order }}") }],
		[
			'The deduplication key is the same for all 3 items',
			{ options: onceBy('={{ $execution.id }}') },
		],
	])('with three rows, refuses a %s that is the same for all', async (message, parameters) => {
		const told = await texting.run({
			shape: 'threeRows',
			version,
			parameters: { to: to.model, ...parameters },
		});
		expect(told.texted).toEqual([]);
		expect(told.refused.join()).toContain(message);
	});

	it('lets the model not change the number of a row', async () => {
		const { texted } = await texting.run({
			shape: 'oneRow',
			version,
			parameters: { to: to.item },
			more: { phone: '+55 11 98888-7777' },
		});
		expect(texted).toEqual(isOld ? [1] : []);
	});

	it('sends each person one message with a key of the execution and the number', async () => {
		const options = onceBy('={{ $execution.id }} {{ $parameter.to }}');
		const parameters = { to: to.model, options };
		const { texted } = await texting.run({ shape: 'threeRows', version, parameters });
		expect(texted).toEqual([0, 1, 2]);
	});
});
