/** A field that changed in a version of its node: what workflows of each version read. */
import { NodeHelpers, type INodeTypeDescription } from 'n8n-workflow';

import { asProperties, optionsCollection } from '../../../nodes/form/build';
import { number, option, since } from '../../../nodes/form/field';
import { node } from '../../../tools/shared/context';
import { makeItem } from '../../../tools/shared/item';

const limit = number({
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
});
const pause = number({ displayName: 'Pause', name: 'pause', type: 'number', default: 1 });

const fields = since(1.1, 'limit', { ...limit, default: 20 }, limit);
const options = since(1.1, 'pause', option(pause, 5), option(pause));

const properties = asProperties([
	{ displayName: 'Return All', name: 'returnAll', type: 'boolean', default: false },
	...Object.values(fields),
	optionsCollection(Object.values(options)),
]);
const description = { name: 'fake', properties } as unknown as INodeTypeDescription;

/** As n8n's editor saves the node, or as n8n completes it before it runs. */
const parametersOf = (typeVersion: number, parameters: object, withDefaults: boolean) =>
	NodeHelpers.getNodeParameters(
		properties,
		{ ...parameters },
		withDefaults,
		false,
		{ ...node, typeVersion },
		description,
	);

test.each([
	[1, 50, 1],
	[1.1, 20, 5],
	[1.2, 20, 5],
])(
	'a node of version %d that stores nothing has its defaults',
	async (typeVersion, most, unset) => {
		const completed = parametersOf(typeVersion, {}, true)!;
		expect(completed).toEqual({ returnAll: false, limit: most, options: {} });
		const item = await makeItem(completed, { node: { typeVersion } });
		expect([fields.limit.read(item), options.pause.read(item)]).toEqual([most, unset]);
	},
);

test('n8n stores no default: of either version, its own', () => {
	expect(parametersOf(1, { limit: 50 }, false)).toEqual({});
	expect(parametersOf(1.1, { limit: 20 }, false)).toEqual({});
	expect(parametersOf(1.1, { limit: 50 }, false)).toEqual({ limit: 50 });
});

test.each([1, 1.1])('what version %d stores is read', async (typeVersion) => {
	const stored = parametersOf(typeVersion, { limit: 7, options: { pause: 3 } }, true)!;
	const item = await makeItem(stored, { node: { typeVersion } });
	expect([fields.limit.read(item), options.pause.read(item)]).toEqual([7, 3]);
});

test('each version shows one of the two, with its own conditions', () => {
	const shown = (typeVersion: number, returnAll: boolean) =>
		properties
			.filter((each) =>
				NodeHelpers.displayParameter({ returnAll }, each, { ...node, typeVersion }, description),
			)
			.map(({ name, default: value }) => `${name} ${JSON.stringify(value)}`);
	expect(shown(1, false)).toEqual(['returnAll false', 'limit 50', 'options {}']);
	expect(shown(1.1, false)).toEqual(['returnAll false', 'limit 20', 'options {}']);
	expect(shown(1.1, true)).toEqual(['returnAll false', 'options {}']);
});
