import fc from 'fast-check';

import { serviceTexts } from '../../../nodes/service/outcome';

/** Names that the code looks for, and names that trip careless code. */
const names = [
	...['success', 'message', 'messageId', 'message_id', 'status', 'statusmessage', 'taxa'],
	...['detail', 'loc', 'msg', 'type', 'error', 'id', 'name', 'masked_key', 'channel'],
	...['campaigns', 'campaignId', 'nome', 'statistics', 'messages', 'to', 'url', 'enabled'],
	...['connected', 'state', 'connectionState', 'instance'],
	...['toString', 'valueOf', '__proto__', 'constructor', 'length'],
];

const kinds = ['leaf', 'list', 'object', 'answer', 'detail', 'campaigns'] as const;

/** Any JSON value, often close to what the service sends. */
export const json: fc.Arbitrary<unknown> = fc
	.letrec<Record<'any' | (typeof kinds)[number], unknown>>((tie) => ({
		any: fc.oneof({ maxDepth: 3 }, ...kinds.map((kind) => tie(kind))),
		leaf: fc.oneof(
			fc.jsonValue({ maxDepth: 1 }),
			fc.constantFrom<unknown>(
				...Object.values(serviceTexts),
				...[true, false, null, 401, 503, 'open'],
			),
			fc.constantFrom({ toString: 1 }, { toString: 1, valueOf: 1 }), // no text can be made of it
		),
		list: fc.array(tie('any'), { maxLength: 3 }),
		object: fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 4 }),
		answer: record(tie('any'), 'success', 'message', 'messageId', 'message_id', 'status'),
		detail: fc.record({
			detail: fc.array(record(tie('any'), 'loc', 'msg', 'type'), { maxLength: 2 }),
		}),
		campaigns: fc.record({
			campaigns: fc.array(record(tie('any'), 'campaignId', 'nome', 'statistics', 'messages')),
		}),
	}))
	.any.map((value) => JSON.parse(JSON.stringify(value)) as unknown);

function record(value: fc.Arbitrary<unknown>, ...keys: string[]) {
	return fc.record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] });
}

/** The text of any body: JSON, JSON cut short, a page, anything, nothing. */
const bodyText: fc.Arbitrary<string | undefined> = fc.oneof(
	json.map((value) => JSON.stringify(value)),
	fc.tuple(json, fc.nat(40)).map(([value, length]) => JSON.stringify(value).slice(0, length)),
	fc.string({ unit: 'binary' }).map((text) => `<html><body>${text}</body></html>`),
	fc.string({ unit: 'binary' }),
	fc.constant(undefined),
);

export const status: fc.Arbitrary<number> = fc.oneof(
	fc.constantFrom(
		...[101, 200, 201, 204, 302, 303, 400, 401, 404, 408, 422, 429, 499],
		...[500, 502, 503, 504],
	),
	fc.integer({ min: 100, max: 599 }),
);

export const headers = fc.record(
	{
		'retry-after': fc.oneof(fc.string(), fc.integer({ min: -5, max: 1e9 }).map(String)),
		location: fc.oneof(fc.webUrl(), fc.webPath(), fc.string()),
	},
	{ requiredKeys: [] },
);

/** Any HTTP answer, as n8n's request helper hands it over. */
export const answer = fc.record({ statusCode: status, headers, body: bodyText });
