/** Any requests to a trigger's address, and any options of the trigger. */
import { request as sendRequest } from 'undici';
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { json } from '../../unit/support/answers';
import { jsonValue } from './values';

/** Placeholders for the webhook's secret in a body, a header or a query. */
const SECRET = '{secret}';

const types = fc.oneof(
	fc.constantFrom(
		...['application/json', 'application/json; charset=utf-8'],
		...['application/json; charset=utf-16le', 'text/plain'],
		...['application/x-www-form-urlencoded', 'application/octet-stream'],
		...['application/vnd.api+json', 'text/html', ''],
		...['APPLICATION/JSON', 'x', '__proto__', 'application/json, text/plain'],
	),
	fc.stringMatching(/^[!-~]{0,20}$/).filter((type) => !/^multipart\/|[/+]xml/i.test(type)),
);

const texts = fc.oneof(
	{ weight: 3, arbitrary: json.map((value) => JSON.stringify(value)) },
	{ weight: 2, arbitrary: jsonValue.map((value) => JSON.stringify(value)) },
	fc.tuple(json, fc.nat(60)).map(([value, length]) => JSON.stringify(value).slice(0, length)),
	fc.string({ unit: 'binary' }),
	fc.webQueryParameters(),
	fc.constantFrom(
		...['{"__proto__":{"polluted":1}}', '[{"constructor":{"prototype":{"polluted":1}}}]'],
		...['__proto__[polluted]=1', '__proto__=1&constructor=2'],
		'{"_gateway":{"x":1},"toString":null,"hasOwnProperty":1}',
		...['constructor[prototype][polluted]=1', '[]', '[[],[[]]]', 'null', ' ', '\ufeff{}'],
		...[`{"url":"https://a.b/?mgt=v1.p.${SECRET}"}`],
		...[`["${SECRET}","v1.p.${SECRET}",{"${SECRET}":1}]`],
		SECRET,
	),
	fc
		.constantFrom(20, 2_000, 100_000)
		.chain((depth) =>
			fc.constantFrom(
				'['.repeat(depth) + ']'.repeat(depth),
				'{"a":'.repeat(depth) + '1' + '}'.repeat(depth),
				`[${'{"messageId":['.repeat(depth)}1${']}'.repeat(depth)}]`,
			),
		),
	fc
		.constantFrom(10_000, 100_000)
		.chain((length) =>
			fc.constantFrom(
				...[`[${'{},'.repeat(length)}1]`, `[${'[],'.repeat(length)}1]`],
				...[`{"a":"${'x'.repeat(length)}"}`, `a=${'&a='.repeat(length)}`],
			),
		),
);

export interface Request {
	type: string;
	body: string;
	query: string;
	headers: Array<[name: string, value: string]>;
	isLatin: boolean;
}

const requests: fc.Arbitrary<Request> = fc.record({
	type: types,
	body: texts,
	query: fc.oneof(
		{ weight: 3, arbitrary: fc.constant(`?mgt=v1.p.${SECRET}`) },
		fc.constantFrom(
			...['', '?', '?mgt', '?mgt=', `?mgt[]=v1.p.${SECRET}`, `?mgt=${SECRET}`],
			...[`?mgt=v1.p.${SECRET}&mgt=x`, `?mgt=v1.p.${SECRET}x`],
		),
		fc.constantFrom(
			...[`?mgt=v1.t1.${SECRET}`, `?mgt=v1.p.${SECRET}.${'s'.repeat(60)}`],
			...[`?a=1&mgt=v1.p.${SECRET}`, '?__proto__=1&constructor=2'],
		),
		fc.webQueryParameters().map((query) => `?${query}`),
	),
	headers: fc.array(
		fc.oneof(
			fc.constantFrom<[string, string]>(
				['Content-Encoding', 'gzip'],
				['Content-Encoding', 'x'],
				['__proto__', '1'],
				['constructor', '1'],
				['Referer', `https://a.b/?mgt=v1.p.${SECRET}`],
				['X-Forwarded-For', '10.0.0.1'],
				['X-Forwarded-For', 'x, ::1, 1.2.3.4:5'],
				['X', 'x'.repeat(10_000)],
			),
			fc.tuple(fc.stringMatching(/^x-[!#-'*+.0-9a-z-]{1,10}$/), fc.stringMatching(/^[ -~]{0,20}$/)),
		),
		{ maxLength: 3 },
	),
	isLatin: fc.boolean(),
});

/** Values that an expression may return for an option. */
const any = (...others: unknown[]) =>
	fc.oneof(jsonValue, fc.constantFrom(...others, '', null, {}, [], NaN));
const options = fc.record(
	{
		includeHeaders: any(true, true, false),
		allowedIps: any('127.0.0.1', '10.0.0.0/8, ::1', '0.0.0.0/0', '::/0', 'x'),
		match: fc.record({
			conditions: fc.array(
				fc.record({
					field: any('status', 'a', '__proto__', 'a[0].b', '_gateway.messageId'),
					value: any('sent', 1),
				}),
				{ maxLength: 2 },
			),
		}),
	},
	{ requiredKeys: [] },
) as fc.Arbitrary<INodeParameters>;

export const deliveryCases = fc.record({
	request: requests,
	options: fc.oneof(fc.constant({}), options),
});

/** Turns each option into an expression. */
export const asParameters = (value: unknown): INodeParameters =>
	Object.fromEntries(
		Object.entries(value as object).map(([name, entry]) => [
			name,
			name === 'match'
				? (entry as INodeParameters)
				: `={{ JSON.parse(${inQuotes(JSON.stringify(entry))}) }}`,
		]),
	);

/** A JavaScript string without characters that would end the expression in n8n. */
const inQuotes = (text: string): string =>
	JSON.stringify(text).replace(/[{}]/g, (sign) => (sign === '{' ? '\\u007b' : '\\u007d'));

export interface Answer {
	status: number;
	text: string;
}

export async function post(url: string, request: Request, secret: string): Promise<Answer> {
	const fill = (text: string) => text.replaceAll(SECRET, secret);
	const type: Request['headers'] = request.type ? [['Content-Type', request.type]] : [];
	const answer = await sendRequest(url + fill(request.query).replace(/[^!-~]/g, ''), {
		method: 'POST',
		headers: [...type, ...request.headers].flatMap(([name, value]) => [name, fill(value)]),
		body: Buffer.from(fill(request.body), request.isLatin ? 'latin1' : 'utf8'),
		reset: true, // n8n closes the connection of a body that it does not read
	});
	return { status: answer.statusCode, text: await answer.body.text() };
}
