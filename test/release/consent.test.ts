/** The rules in the examples about consent, as n8n evaluates them: what a reply says, and who gets marketing. */
import fc from 'fast-check';
import { Workflow, type IDataObject, type INodeTypes } from 'n8n-workflow';
import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { mayMarket } from '../../tools/examples/consent';
import { readExample } from '../../tools/host/examples';
import { node as anyNode } from '../../tools/shared/context';
import { replies } from '../e2e/examples/replies';

const node = { ...anyNode, name: 'Node' };
const nodeTypes = { getByNameAndVersion: () => new MessagingGateway() } as unknown as INodeTypes;
const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });

/** Returns the value of an expression for an item. */
const evaluate = (expression: string, json: IDataObject): unknown =>
	workflow.expression.resolveSimpleParameterValue(
		expression,
		{},
		null,
		0,
		0,
		'Node',
		[{ json }],
		'manual',
		{},
	);

describe.each(['stop-by-reply', 'stop-by-reply-postgresql'])('%s', (file) => {
	const valuesOf = (name: string): IDataObject => {
		const { parameters } = readExample(file).nodes.find((each) => each.name === name)!;
		const { assignments } = parameters.assignments as { assignments: IDataObject[] };
		return Object.fromEntries(assignments.map((each) => [each.name, each.value]));
	};
	const { whole, first } = valuesOf('In Capitals');
	const lists = Object.fromEntries(
		Object.entries(valuesOf('Words')).map(([name, list]) => [name, JSON.parse(String(list))]),
	);
	const act = String(valuesOf('What It Says').act).replace(
		"$('Words').first().json",
		'$json.lists',
	);
	const actOf = (text: string) => {
		const words = (expression: unknown) => evaluate(String(expression), { words: text }) as string;
		return evaluate(act, { words: text, lists, whole: words(whole), first: words(first) });
	};

	it.each(replies)('$meaning: $text', ({ text, meaning }) => {
		// What is read by a person is not lost; only what is not told is.
		const told = {
			stop: /^(stop|review|read)$/,
			order: /^(review|read)$/,
			other: /^(review|read)$/,
		};
		const exactly = { start: /^start$/, help: /^help$/ };
		expect(actOf(text)).toMatch({ ...told, ...exactly }[meaning]);
	});
});

type Row = { what: 'in' | 'out' | 'back' | 'review'; source: string; at: number };
const dayOf = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString();

/** The rule in other words: go through the events in their order, and an `out` after what is of the same time. */
function isConsent(rows: Row[]): boolean {
	let hasConsented = false;
	let isAsked = false;
	const inOrder = rows
		.map((row) => ({ ...row, rank: row.what === 'back' ? 0 : row.what === 'in' ? 1 : 2 }))
		.sort((a, b) => a.at - b.at || a.rank - b.rank);
	const isEverOut = rows.some(({ what }) => what === 'out');
	for (const { what, source } of inOrder) {
		if (what === 'back' && isAsked) hasConsented = true;
		if (what === 'in') isAsked = true;
		if (what === 'in' && !(source === 'import' && isEverOut)) hasConsented = true;
		if (what === 'out') hasConsented = false;
	}
	return hasConsented;
}

it('an out wins over what is older or of the same time, in any order of the rows', () => {
	const row = fc.record({
		what: fc.constantFrom('in', 'in', 'out', 'back', 'review') as fc.Arbitrary<Row['what']>,
		source: fc.constantFrom('form', 'reply', 'import'),
		at: fc.integer({ min: 0, max: 6 }),
	});
	const rule = `={{ ${mayMarket('$json.rows')} }}`;
	let allowed = 0;
	fc.assert(
		fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
			const asStored = rows.map((each) => ({ ...each, at: dayOf(each.at) }));
			const expected = isConsent(rows);
			allowed += Number(expected);
			expect(evaluate(rule, { rows: asStored })).toBe(expected);
		}),
		{ numRuns: 10_000 },
	);
	expect(allowed).toBeGreaterThan(1_000);
});

it.each([
	['a date that cannot be read is no consent', [{ what: 'in', at: 'soon' }], false],
	[
		'an out with such a date lasts',
		[
			{ what: 'out', at: '' },
			{ what: 'in', at: dayOf(1) },
		],
		false,
	],
	['a day alone is its first moment', [{ what: 'in', at: '2026-01-01' }], true],
])('%s', (_, rows, expected) => {
	expect(evaluate(`={{ ${mayMarket('$json.rows')} }}`, { rows })).toBe(expected);
});
