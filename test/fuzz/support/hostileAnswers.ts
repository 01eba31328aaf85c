/** Any answers of a service, byte by byte. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { SEEDS } from '../../../tools/sandbox';
import { json, status } from '../../unit/support/answers';

/** One answer, and how it gets onto the wire. */
export interface Script {
	status: number;
	headers: string[];
	body: Uint8Array;
	framing: 'length' | 'chunked' | 'close' | 'lengthTooLong' | 'lengthTooShort' | 'twoLengths';
	/** Statuses of interim answers. */
	before: number[];
	/** Replaces the status line and the headers. */
	head?: string;
	/** Where it is cut off, as a share of its bytes, and how; a hung connection stays open. */
	cut?: { at: number; how: 'end' | 'reset' | 'hang' };
	/** How many pieces it is written in, 5 ms apart. */
	pieces: number;
}

/** Interface §2.5, §2.6, §2.8, §2.9: what the answers to the operations look like. */
const uuid = '3f2a9c1e-58d4-4c6b-9a51-7d2e8f0b6c34';
const statistics = { total: 1, queued: 0, sent: 1, delivered: 0, errors: 0, deliveryRate: 0 };
const messages = [{ to: '5511912345678', status: 'sent', messageId: 'm-1' }];
const documented: unknown[] = [
	{ success: true, message: 'Mensagem aceita.', messageId: uuid, status: 'send' },
	[{ success: true, message: 'SMS aceito.', messageId: uuid, status: 'pending' }],
	{ status: 200, statusmessage: 'pending', message_id: 'a-1', taxa: 0 },
	{ success: true, message: 'Webhook atualizado com sucesso.' },
	{ url: 'https://a.b/c', enabled: true },
	{ success: true, campaigns: [{ campaignId: uuid, nome: 'Lembrete', statistics, messages }] },
	SEEDS.apiKeys.map(({ id, name, channel, status: is }) => ({ id, name, channel, status: is })),
	{ success: false, message: 'Token inválido.' },
	{ success: false, message: 'Erro interno do servidor.' },
	{ success: false, message: 'Instância desconectada.' },
	{ detail: [{ loc: ['body', 'to'], msg: 'field required', type: 'value_error.missing' }] },
];

/** A document with the value of one of its fields changed, or the field gone. */
const changed = fc
	.record({ document: fc.constantFrom(...documented), at: fc.nat(), value: fc.option(json) })
	.map(({ document, at, value }) => {
		let index = 0;
		const fields = JSON.stringify(document).match(/":/g)?.length ?? 1;
		return JSON.stringify(document, (key, old: unknown) => {
			const isHit = key !== '' && index++ === at % fields;
			return isHit ? (value ?? undefined) : old;
		});
	});

/** With signs that are written in another way in JSON and in URLs. */
export const apiKey = 'key+4f1c/9a7b=e2d8463597b0?>~';
export const instanceToken = 'tok&%a6d3"e85f\\1b924c70';

/** The secrets, as a service may repeat them. */
const echoes = fc
	.constantFrom(
		...[apiKey, instanceToken, `${apiKey} ${instanceToken}`],
		...[`key:${instanceToken}`, `${apiKey}:x`],
		encodeURIComponent(apiKey),
		encodeURIComponent(instanceToken).toLowerCase(),
	)
	.chain((secret) =>
		fc.constantFrom<unknown>(
			{ success: false, message: secret },
			// Not as the message ID, which is shown unchanged.
			{ success: true, messageId: 'm-1', message: secret, status: secret },
			[{ success: true, messageId: 'm-1', message: secret, [secret]: 1 }],
			{ detail: [{ loc: [secret], msg: secret }] },
			{ campaigns: [{ nome: secret }] },
			[secret],
			secret,
		),
	)
	.map((value) => JSON.stringify(value));

const deep = fc
	.tuple(
		fc.constantFrom('[', '{"a":', '{"detail":[', '{"__proto__":'),
		fc.constantFrom(100, 9_000, 200_000),
	)
	.map(([open, depth]) => {
		const close = [...open].reverse().flatMap((sign) => ({ '[': ']', '{': '}' })[sign] ?? []);
		return `${open.repeat(depth)}1${close.join('').repeat(depth)}`;
	});

const anyJson = json.map((value) => JSON.stringify(value));

const text = fc.oneof(
	anyJson,
	fc.constantFrom(...documented).map((value) => JSON.stringify(value)),
	changed,
	echoes,
	fc.tuple(fc.oneof(changed, anyJson), fc.nat(200)).map(([whole, end]) => whole.slice(0, end)),
	fc.string({ unit: 'binary' }).map((content) => `<html><body>${content}</body></html>`),
	{ weight: 1, arbitrary: deep },
	fc.constantFrom(
		...['', ' ', 'null', '""', '[[]]', '{"__proto__":{"success":true}}'],
		...[`"${'x'.repeat(300_000)}"`, `[${'{},'.repeat(50_000)}{}]`],
	),
);

const body = fc.oneof(
	{ weight: 6, arbitrary: text.map((content) => Buffer.from(content)) },
	fc
		.tuple(text, fc.constantFrom('utf16le' as const, 'latin1' as const))
		.map(([content, encoding]) => Buffer.from(content, encoding)),
	text.map((content) => Buffer.from(`\ufeff${content}`)),
	fc.uint8Array({ maxLength: 200 }),
);

/** A header with one of these values. */
const named = (name: string, ...values: string[]) =>
	fc.constantFrom(...values).map((value) => `${name}: ${value}`);

const header = fc.oneof(
	named(
		'Content-Type',
		...['application/json', 'text/html; charset=utf-16'],
		...['application/json; charset=latin1', 'x', ''],
	),
	// None keeps the run waiting for long: a pause of more than a minute ends it.
	named(
		'Retry-After',
		...['0', '0.01', '-5', 'soon', '1e9', '99999999999999999999'],
		...['Mon, 01 Jan 2001 00:00:00 GMT', 'Mon, 01 Jan 2390 00:00:00 GMT'],
	),
	fc
		.oneof(fc.webUrl(), fc.webPath(), fc.constant(`https://a.b/${apiKey}?${instanceToken}`))
		.map((url) => `Location: ${url}`),
	named('Content-Encoding', 'gzip', 'br', 'deflate', 'zstd', 'x, gzip', 'identity'),
	fc.constantFrom(
		...['Transfer-Encoding: gzip', 'Connection: upgrade\r\nUpgrade: x'],
		...['Connection: keep-alive', 'Trailer: x'],
		...['__proto__: x', 'constructor: x', 'Set-Cookie: a=b', ': x', 'A', 'B:\u0000'],
		...[`C: ${'c'.repeat(20_000)}`],
	),
);

/** Any answer. */
export const scripts: fc.Arbitrary<Script> = fc
	.record(
		{
			status,
			headers: fc.array(header, { maxLength: 3 }),
			body,
			framing: fc.constantFrom<Script['framing']>(
				...(['length', 'length', 'length', 'chunked', 'close'] as const),
				...(['lengthTooLong', 'lengthTooShort', 'twoLengths'] as const),
			),
			before: fc.array(fc.constantFrom(100, 102, 103, 199), { maxLength: 3 }),
			head: fc.oneof(
				fc.constantFrom(
					...['', 'HTTP/1.1\r\n\r\n', 'HTTP/9.9 200 OK\r\n\r\n'],
					...['HTTP/1.1 20 OK\r\n\r\n', 'SSH-2.0-x\r\n', '\u0016\u0003\u0001'],
				),
				fc.string({ unit: 'binary' }),
			),
			cut: fc.record({
				at: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.999, noNaN: true })),
				how: fc.constantFrom<'end' | 'reset' | 'hang'>('end', 'reset', 'reset', 'hang'),
			}),
			pieces: fc.constantFrom(1, 1, 1, 1, 2, 5),
			isZipped: fc.constantFrom(...Array<boolean>(9).fill(false), true),
		},
		{ requiredKeys: ['status', 'headers', 'body', 'framing', 'before', 'pieces', 'isZipped'] },
	)
	.chain((script) =>
		// Most are complete and have a valid head.
		fc
			.tuple(fc.constant(script), fc.nat(9))
			.map(([{ isZipped, head, cut, ...rest }, dice]) => ({
				...rest,
				...(dice === 0 && head !== undefined && { head }),
				...(dice > 6 && cut && { cut }),
				...(dice < 7 && dice > 3 && { status: [200, 200, 201][dice - 4]!, before: [] }),
				...(isZipped && { headers: ['Content-Encoding: gzip'], body: gzipSync(rest.body) }),
			})),
	);

/** Whether it is a documented success, and nothing is odd about it. */
export const isPlain = ({ body: bytes, ...rest }: Script): boolean => {
	const isUsual =
		rest.status === 200 && rest.framing === 'length' && rest.head === undefined && !rest.cut;
	if (!isUsual || rest.headers.length + rest.before.length > 0) return false;
	const written = Buffer.from(bytes).toString();
	return documented.slice(0, 3).some((value) => JSON.stringify(value) === written);
};

/** Whether no client can take it for a complete answer. */
export const isBroken = ({ status: code, framing, body: bytes, head, cut }: Script): boolean => {
	if (head !== undefined || code < 200) return true;
	if (code === 204 || code === 304) return false;
	if (framing === 'lengthTooLong' || framing === 'twoLengths') return true;
	if (cut === undefined || bytes.length === 0 || framing === 'lengthTooShort') return false;
	return framing !== 'close' || cut.how !== 'end'; // else it may have ended anywhere
};

/** Whether an answer keeps the connection open for longer than a test should wait. */
export const isSlow = ({ status: code, head, cut, framing }: Script): boolean =>
	cut?.how === 'hang' || code < 200 || head !== undefined || framing === 'lengthTooLong';

/** A refusal that passes: the only one after which a send may leave again. */
export const isForNow = ({ status: code, body: bytes }: Script): boolean =>
	[429, 503].includes(code) || /"status":(429|503)/.test(Buffer.from(bytes).toString());

/** The bytes of an answer, up to where it is cut off. */
function bytesOf({ status: code, body: bytes, framing, ...rest }: Script): Buffer {
	const { headers, before, head, cut } = rest;
	const { length } = bytes;
	const framed: Record<Script['framing'], string[]> = {
		length: [`Content-Length: ${length}`],
		chunked: ['Transfer-Encoding: chunked'],
		close: [],
		lengthTooLong: [`Content-Length: ${length + 7}`],
		lengthTooShort: [`Content-Length: ${Math.floor(length / 2)}`],
		twoLengths: [`Content-Length: ${length}`, `Content-Length: ${length + 1}`],
	};
	const start = [`HTTP/1.1 ${code} Any`, 'Connection: close'];
	const lines = [...start, ...framed[framing], ...headers, '', ''];
	const whole = Buffer.concat([
		Buffer.from(before.map((early) => `HTTP/1.1 ${early} Early\r\n\r\n`).join('')),
		Buffer.from(head ?? lines.join('\r\n')),
		framing === 'chunked' ? inChunks(bytes) : bytes,
	]);
	return cut ? whole.subarray(0, Math.floor(whole.length * cut.at)) : whole;
}

function inChunks(bytes: Uint8Array): Buffer {
	const end = Buffer.from('0\r\n\r\n');
	if (bytes.length === 0) return end;
	const size = Buffer.from(`${bytes.length.toString(16)}\r\n`);
	return Buffer.concat([size, bytes, Buffer.from('\r\n'), end]);
}

/** Writes the answer to a connection. */
export async function play(socket: Socket, script: Script): Promise<void> {
	const bytes = bytesOf(script);
	const size = Math.ceil(bytes.length / script.pieces) || 1;
	for (let from = 0; from < bytes.length && !socket.destroyed; from += size) {
		if (from > 0) await new Promise((resolve) => setTimeout(resolve, 5));
		await new Promise<void>((resolve) => {
			socket.write(bytes.subarray(from, from + size), () => resolve());
		});
	}
	if (script.cut?.how === 'reset') socket.resetAndDestroy();
	else if (script.cut?.how !== 'hang' && script.framing !== 'lengthTooLong') socket.end();
}
