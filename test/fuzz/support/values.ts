/** Values of a field, entered or returned by an expression. */
import fc from 'fast-check';
import { json } from '../../unit/support/answers';

/** Almost valid for some field. */
const nearly = fc.constantFrom<unknown>(
	...['+55 (11) 91234-5678', '5511912345678', 5511912345678, '0', '+', '1.5e20', '٠١٢٣٤٥٦٧٨'],
	...['1', '12', 'true', 'FALSE ', 'chatApp', 'sms', 'messages', 'binary', 'base64', 'shared'],
	...['https://a.b/c.png', 'https://a.b/{c}|d^.png?q={1}|[x]#`', 'http:', 'https://[::1'],
	'HTTP://ü.é/ü é',
	...['https://a.b/%', 'https://user:pass@a.b/x.jpg', 'https://a.b\\c.mp3'],
	'data:audio/ogg;base64,T2dnUwA=',
	...['audio/ogg', 'audio/', 'a/b c', 'image/png\r\nX: y', 'data:;base64,'],
	...['data:audio/ ;base64,T2dn', 'T2dn'],
	...['2090-01-01T00:00:00', '2090-02-30', '12090-01-01', '+012345-01-01', '9999-12-31T23:59:59'],
	'2090-01-01 10:00:00',
	...['{}', '[]', '{"a":1}', '{"__proto__":{"to":1}}', '{"to":1}', '{"msg":', 'null', '.', '..'],
	...['%2e%2e', 'a/../b'],
	...['__proto__', 'constructor', 'toString', '\ud800', 'x\udfff', '\u0000', '\u202e', '👩‍👩‍👧'],
	...['a\r\nb', '= {{ $json }}'],
);

/** Anything that an item can contain. */
export const jsonValue: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 4, arbitrary: nearly },
	{ weight: 2, arbitrary: json },
	fc.string({ unit: 'binary' }),
	fc.string({ unit: 'grapheme' }),
	fc.double().filter(Number.isFinite),
	fc.integer(),
	fc.boolean(),
	fc.webUrl({ withQueryParameters: true, withFragments: true }),
	fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
	fc.base64String(),
	fc.stringMatching(/^[+0-9 ()./-]{5,20}$/),
	fc.constantFrom(5_000, 100_000).map((length) => '9a'.repeat(length / 2)),
	fc.constant(
		JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
	),
	fc.constant({ toString: 1, valueOf: 1 }),
	fc.constant([[{ toString: null }]]),
);

/** Values that only an expression can return, since they are not JSON. */
const special: fc.Arbitrary<string> = fc.constantFrom(
	...['undefined', 'null', 'NaN', 'Infinity', '-0', '1e300', '10n', '[]', '{}', '[undefined]'],
	'/x/',
	...['new Date()', 'new Date(NaN)', '$now', '$today', '$now.plus({ days: 2 })'],
	'DateTime.fromISO("x")',
	...['new Set([1])', 'new Map()', 'Symbol("s")', '() => 1', '$json', '$input', '$input.all()'],
	// Not `$parameter`, nor an object that contains itself: n8n's own code then overflows its stack.
	'$parameter.resource',
	...['$workflow', '$execution', '$binary', '$prevNode', '$json.__proto__', '$json.nothing'],
	'$json.nothing.at.all',
	'Object.create(null)',
	...['({ toJSON() { return 1; } })', '({ a: 10n })'],
	...[
		'({ toString() { return "5511912345678"; } })',
		'({ toString() { throw new Error("no"); } })',
		'"x".repeat(1e6)',
	],
);

/** A value of each item, an expression, or a text that is entered. */
export type Value =
	| { kind: 'perItem'; values: unknown[] }
	| { kind: 'expression'; text: string }
	| { kind: 'entered'; value: unknown };

export const anyValue: fc.Arbitrary<Value> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('perItem' as const),
			values: fc.array(jsonValue, { minLength: 1, maxLength: 3 }),
		}),
	},
	fc.record({ kind: fc.constant('expression' as const), text: special }),
	fc.record({
		kind: fc.constant('entered' as const),
		value: jsonValue.filter((value) => typeof value === 'string' && !value.startsWith('=')),
	}),
);

/** Numbers for fields that decide how long a run takes: none makes it long. */
export const quickNumber = (most: number): fc.Arbitrary<Value> =>
	fc.oneof(
		fc.record({
			kind: fc.constant('entered' as const),
			value: fc
				.constantFrom<unknown>(0, 1, 2, 1.5, 1_000, 1e9, -1, '', '2', ' 1 ', 'x', null, true, '0x2')
				.filter((value) => Number(value) <= most || Number.isNaN(Number(value))),
		}),
		fc.record({
			kind: fc.constant('expression' as const),
			text: fc.constantFrom(
				...['undefined', 'null', 'NaN', 'Infinity', '-0', '10n', '[]', '{}', '$json'],
				...['"2"', 'Symbol("s")', '$now', 'true'],
			),
		}),
	);
