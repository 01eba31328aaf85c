/** Any requests to a trigger's address, and any options of the trigger. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { json } from '../../unit/support/answers';
import { jsonValue } from './values';

/** Placeholders for the webhook's secret in a body, a header or a query. */
const SECRET = '{secret}';
const IN_BASE64 = '{secret in Base64}';

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
		...[`["${SECRET}","v1.p.${SECRET}",{"${SECRET}":1}]`, IN_BASE64],
		...[`{"basic":"${IN_BASE64}"}`, SECRET],
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
	headers: string[];
	/** Added to the `Content-Length`. */
	lie: number;
	pieces: number;
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
			fc.constantFrom(
				...['Content-Encoding: gzip', 'Content-Encoding: x', '__proto__: 1'],
				...['constructor: 1', `Referer: https://a.b/?mgt=v1.p.${SECRET}`],
				...['X-Forwarded-For: 10.0.0.1', 'X-Forwarded-For: x, ::1, 1.2.3.4:5'],
				...['Expect: 100-continue', `X: ${'x'.repeat(10_000)}`],
			),
			fc
				.stringMatching(/^[!#-'*+.0-9a-z-]{1,10}: [ -~]{0,20}$/)
				.filter((line) => !/^(content-|transfer-|host|connection|upgrade|expect)/i.test(line)),
		),
		{ maxLength: 3 },
	),
	lie: fc.constantFrom(0, 0, 0, 0, 0, -1, -5, 3, 1_000),
	pieces: fc.constantFrom(1, 1, 1, 3, 10),
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

export type Answer = { status: number; text: string } | 'closed';

/** Sends the bytes of a request; one that announces more than it has closes after a while. */
export async function post(url: string, request: Request, secret: string): Promise<Answer> {
	const { hostname, port, pathname } = new URL(url);
	const fill = (text: string) =>
		text
			.replaceAll(SECRET, secret)
			.replaceAll(IN_BASE64, Buffer.from(`v1.p.${secret}`).toString('base64'));
	const body = Buffer.from(fill(request.body), request.isLatin ? 'latin1' : 'utf8');
	const head = [
		`POST ${pathname}${fill(request.query).replace(/[^!-~]/g, '')} HTTP/1.1`,
		...[
			'Host: n8n',
			'Connection: close',
			`Content-Length: ${Math.max(0, body.length + request.lie)}`,
		],
		...(request.type ? [`Content-Type: ${request.type}`] : []),
		...request.headers.map(fill),
		...['', ''],
	].join('\r\n');
	const socket = connect(Number(port), hostname);
	const bytes = Buffer.concat([Buffer.from(head), body]);
	void write(socket, bytes, request);
	let text = '';
	return await new Promise((resolve) => {
		socket.on('data', (chunk) => (text += chunk.toString('latin1')));
		socket.on('error', () => {});
		socket.on('close', () => {
			const [, status] =
				/^HTTP\/1.1 (\d{3})/.exec(text.replace(/^HTTP\/1.1 100 .*\r\n\r\n/, '')) ?? [];
			resolve(status ? { status: Number(status), text } : 'closed');
		});
	});
}

async function write(socket: Socket, bytes: Buffer, { pieces, lie }: Request): Promise<void> {
	const size = Math.ceil(bytes.length / pieces);
	for (let from = 0; from < bytes.length && socket.writable; from += size) {
		socket.write(bytes.subarray(from, from + size));
		if (pieces > 1) await sleep(3);
	}
	if (lie <= 0) return;
	await sleep(30);
	socket.destroy();
}
