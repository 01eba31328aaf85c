import { partsOf } from '../../../nodes/form/part';

/** Values by the code of their part. */
const values: Record<string, unknown> = { a: '', b: 7, c: null, d: '\u200b', e: 'x-' };

/** What n8n makes of an entered text. */
const fill = (entered: string) =>
	entered
		.replace(/\\\\(?=\{\{)/g, '\\') // one backslash before braces would keep them as text
		.replace(/\{\{ (\w) \}\}/g, (_, name: string) => String(values[name] ?? ''));

// Each evaluation takes n8n half a millisecond.
test.each<[entered: string, empty: string[], evaluated: string[]]>([
	['order-{{ b }}', [], []],
	['{{ b }}-{{ b }}', [], []],
	['{{ b }}-{{ b }}-{{ b }}', [], []],
	['order-{{ a }}', ['a'], ['a']],
	['C:\\\\{{ a }}-{{ b }}', ['a'], ['a']],
	['{{ c }}-{{ b }}', ['c'], ['c']],
	['{{ b }}-{{ d }}', ['d'], ['d']],
	['{{ b }}-{{ c }}-{{ b }}', ['c'], ['c']],
	[' {{ a }}-{{ c }} ', ['a', 'c'], ['a', 'c']],
	['{{ b }}{{ a }}', ['a'], ['b', 'a']], // nothing is between them
	['{{ b }}-{{ e }}', [], ['e']], // 7-x-
	['{{ b }}-{{ e }}-{{ b }}', [], ['e']], // 7-x--7
	['{{ a }}', [], []], // its value says all
])('of %s, only parts are evaluated that may be empty', (entered, empty, evaluated) => {
	const asked: string[] = [];
	const parts = partsOf(entered, fill(entered), (code) => {
		const name = code.slice(3, -3);
		asked.push(name);
		return values[name];
	});
	expect(parts.filter(({ isEmpty }) => isEmpty).map(({ code }) => code)).toEqual(
		empty.map((name) => `{{ ${name} }}`),
	);
	expect(asked).toEqual(evaluated);
});
