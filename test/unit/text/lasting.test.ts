import { isLasting } from '../../../nodes/text/lasting';

test.each([
	'order-1042, $now', // without an expression
	'=order-{{ $json.orderId }}',
	"=order-{{ $('Order').item.json.orderId }}-ready",
	"={{ $('Order').first().json['order id'] }} {{ $input.item.json.id }} {{ $input.all()[0].json.id }}",
	'={{ $node["Order"].json.id }} {{ $node.Order.json.id }} {{ $items("Order")[0].json.id }}',
	"={{ $json.phone.replace(/\\D/g, '') + '-' + $json.name.trim().toLowerCase() }}",
	"={{ $json.id + '-' + $json.lines.pluck('sku').join() }} {{ $json['número'] + $json.endereço }}",
	"={{ $json.a / 2 }} {{ [] }} {{ $json.a ? { a: $json.b } : -$json.c % 2 }} {{ $json.a.split('\\'') }}",
	"={{ $json.lines?.filter(Boolean).map(String) ?? 'none' }}",
	'={{ Math.round($json.total * 100) }} {{ JSON.stringify($json) }} {{ Object.keys($json).length }}',
	"={{ $if($json.a, $json.b, 'c') }} {{ $ifEmpty($json.id, 0) }} {{ $jmespath($json, 'a.b') }}",
	'={{ { ...$json, a: [$json.b, null] }.toJsonString().hash() }} {{ !$json.a ? -1 : typeof $json }}',
	"={{ $json.params.context.runIndex }} {{ $json.now }} {{ '$now' }}", // names of data
])('a key lasts that is %s', (key) => {
	expect(isLasting(key)).toBe(true);
});

test.each([
	...["$now.toFormat('HHmmss')", '$now', '$today', '$today.toISODate()', '$now.year'],
	...['new Date().toISOString().slice(0, 19)', 'Date.now()', 'Date()', 'DateTime.local()'],
	...['DateTime.now()', '$json.at.toDateTime().diffToNow()', '$json.at.diffNow()'],
	...['$json.at.toDateTime().toRelative()', "$json.at.isInLast(5, 'minutes')"],
	...["'10:30'.toDateTime().toISODate()", "DateTime.fromFormat('10:30', 'HH:mm')"], // today
	...['Math.random()', '[Math].map((m) => m.random())', '[1].map(Math.random)', "Math['random']()"],
	...['[1, 2].randomItem()', '$json.list.randomItem()', 'crypto.randomUUID()'],
	"$json.a[$json.b]('c')",
	...['$runIndex', '$itemIndex', '$execution.id', '$executionId', '$vars.a', '$env.A'],
	'$secrets.a',
	...['$input.params.a', "$('Order').params.a", "$('Order').context.a", '$node.Order.runIndex'],
	...['$node["Order"].parameter.a', '$node["Order"]', '$input', "$('Order')", '$prevNode.runIndex'],
	...[
		"$('Order')['par' + 'ams']",
		"$items('Order', 0, $runIndex)",
		"$('Order').itemMatching($runIndex)",
	],
	...['$parameter.to', "$evaluateExpression('$now')", "$fromAI('order')", '$getPairedItem()'],
	...['((now) => $now)($json)', '$json.list.map((now) => $now)', '$json.list.map((a) => a.id)'],
	...['(() => { return $now; })()', '(function () { return $now; })()', 'this.$now'],
	'$json.a = $now',
	...['`${$now}`', '{ a: $now }.a', '{ [$now]: 1 }', '[...$now]', '$json[$now]', '$json?.[$now]'],
	...["$json.a.replace(/'/g, $now + '')", "$json.a /* ' */ + $now // '", '1); ($now', '1) + ($now'],
	...['$json.a.constructor.now()', 'toString.now()', '', '1 +', 'import("a")'],
	...[
		'$json.a ? $now : 1',
		'{ $now }',
		'$json.a $now',
		'$json.a++',
		'$json.now ()',
		'$json.a`$now`',
	],
	...["/'/ + $now + /'/", "typeof /'/ + $now + '", '$json.a <!-- 1', '$jsoné', '$json.\\u006eow()'],
	...['`${$json.id}-${$json.a}`', '$json?.a.now?.()', "$('Order')?.item"], // in doubt
])('a key does not last with {{ %s }}', (code) => {
	expect(isLasting(`=order {{ $json.id }} {{ ${code} }}`)).toBe(false);
	expect(isLasting(`={{ ${code}`)).toBe(false); // n8n evaluates that, too
});

test.each(["={{ 'a\\}}' + $now }}", "=\\{{ ' {{ $now + ' }}"])('%s is in doubt', (key) => {
	expect(isLasting(key)).toBe(false);
});

test('a key that is nested too deeply is in doubt', () => {
	expect(isLasting(`={{ ${'('.repeat(100_000)}`)).toBe(false);
});
