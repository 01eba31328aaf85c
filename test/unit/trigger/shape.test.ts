import type { IDataObject } from 'n8n-workflow';

import {
	matches,
	recognise,
	toNotifications,
} from '../../../nodes/MessagingGatewayTrigger/delivery/shape';
import { parseDefaultCountry } from '../../../nodes/text/country';

test.each<[IDataObject, IDataObject]>([
	[{ messageId: 'a', message_id: 'b' }, { messageId: 'a' }],
	[{ messageId: '', message_id: 'b' }, { messageId: 'b' }],
	[{ messageId: { id: 1 }, to: 5511 }, { to: 5511 }],
	[{ status: 200, statusmessage: 'pending' }, { status: 'pending' }],
	[{ status: 'sent', statusmessage: null }, { status: 'sent' }],
	[{ campaignId: 'c', campaign: 'x', status: ['sent'] }, { campaignId: 'c' }],
])('recognises in %j: %j', (delivery, expected) => {
	expect(recognise(delivery)).toEqual(expected);
});

test.each<[unknown, string, string | undefined]>([
	['5511912345678', '55', '+5511912345678'],
	[11912345678, 'BR', '+5511912345678'],
	['(11) 91234-5678', '55', '+5511912345678'],
	['5511912345678@c.us', '55', '+5511912345678'],
	['351912345678', 'included', '+351912345678'],
	['+351 912 345 678', '', '+351912345678'],
	// What 'To' refuses is left out.
	['351912345678', '55', undefined],
	['5511912345678', '', undefined],
	...['ACME', '29000', '', ['5511912345678'], '5511912345678, 5521987654321'].map(
		(from): [unknown, string, undefined] => [from, '55', undefined],
	),
])('recognises the sender %j, where the default country is %j: %j', (from, country, expected) => {
	const { from: recognised } = recognise({ from } as never, parseDefaultCountry(country));
	expect(recognised).toBe(expected);
});

const form = 'application/x-www-form-urlencoded';

test.each<[string, unknown, string | undefined, unknown]>([
	['', undefined, '\ufeff [{"a":1}]', { a: 1 }],
	['text/plain', '{"a":"é"}', '{"a":"\ufffd"}', { a: 'é' }], // n8n knows its charset
	['text/plain', '{"a":"\ufeffb"}', '{"a":"\ufeffb"}', { a: '\ufeffb' }],
	[form, { '{"a":1}': '', b: '2' }, '%7B%22a%22%3A1%7D&b=2', { raw: { '{"a":1}': '', b: '2' } }],
	['text/plain', 'see {"a":1}', 'see {"a":1}', { raw: 'see {"a":1}' }],
	['text/plain', '"{a}"', '"{a}"', { raw: '"{a}"' }],
	['application/xml', { m: { a: '1' } }, '<m><a>1</a></m>', { raw: { m: { a: '1' } } }],
	['application/octet-stream', undefined, 'bytes', { raw: 'bytes' }],
	['', undefined, undefined, { raw: '' }],
	['multipart/form-data', 'odd', undefined, { raw: 'odd' }],
])('what %s %j %s has', (contentType, body, raw, expected) => {
	const rawBody = raw === undefined ? undefined : Buffer.from(raw);
	const [notification, ...more] = toNotifications({ contentType, rawBody }, body)!;
	expect([notification!.json, more]).toEqual([expected, []]);
});

test.each<[string, unknown, IDataObject]>([
	['text/plain', 'a=1', { raw: 'a=1' }],
	[form, { a: '1' }, { a: '1', raw: { a: '1' } }],
	[
		form,
		{ text: '{"status":"x"}', b: '2' },
		{ text: { status: 'x' }, b: '2', raw: expect.anything() },
	],
	[form, { text: '{"status":"x"}' }, { status: 'x' }],
	[form, { a: { b: '1' }, c: '2' }, { a: { b: '1' }, c: '2', raw: expect.anything() }],
	['application/xml', { m: { a: '1' } }, { a: '1', m: { a: '1' }, raw: { m: { a: '1' } } }],
	['application/xml', { raw: '1' }, { raw: { raw: '1' } }],
	['application/json', { raw: { a: 1 } }, { raw: { a: 1 } }],
])('the fields of %s %j', (contentType, body, expected) => {
	expect(toNotifications({ contentType }, body)![0]!.fields).toEqual(expected);
});

test.each<[string, number]>([
	[`[${'{},'.repeat(9_999)}{}]`, 10_000],
	[`[${'[{}],'.repeat(9_999)}{"a":"\\",[[["}]`, 10_000],
	[`{"a":[${'1,'.repeat(20_000)}1]}`, 1],
	[`{"a":[${'{},'.repeat(20_000)}1]}`, 1],
])('%.20j… has %i notifications', (text, expected) => {
	for (const body of [text, { events: text }, { [text]: '' }])
		expect(toNotifications({ contentType: form }, body)).toHaveLength(expected);
});

test.each([`[${'{},'.repeat(10_000)}{}]`, `[${'"\\",[",'.repeat(10_000)}1]`])(
	'%.20j… has too many',
	(text) => {
		for (const body of [text, { events: text }, { events: [text, '{}'] }, { [text]: '' }])
			expect(toNotifications({ contentType: form }, body)).toBeUndefined();
		const [single] = toNotifications({ contentType: form }, { events: text, to: '55' })!;
		expect(single!.json.raw).toMatchObject({ to: '55' });
	},
);

/** What conditions are held against. */
const delivery = {
	status: 'sent',
	count: 5,
	ok: false,
	nothing: null,
	data: { messages: [{ to: '55' }, { to: '56' }], 'a.b': 'c' },
	padded: ' x ',
	'form[0][id]': 'y',
	list: [['a']],
	long: Array.from({ length: 11 }, (_, index) => index),
	message_id: 'm-1',
	from: '00351912345678',
	statusmessage: 'delivered',
};

const isMatch = (conditions: Parameters<typeof matches>[2]) =>
	matches(delivery, recognise(delivery), conditions);

test('a condition that is no text matches nothing, and breaks nothing', () => {
	const none = { toString: 1, valueOf: 1 } as never;
	expect(isMatch([{ field: none, value: 'sent' }])).toBe(false);
	expect(isMatch([{ field: 'status', value: none }])).toBe(false);
});

test.each<[string, unknown, boolean]>([
	[' status ', 'sent', true],
	['status', 'Sent', false],
	['status', ' sent\n', true],
	['status', 'delivered', true], // as _gateway names it
	['statusmessage', 'sent', false],
	['_gateway.status', 'delivered', true],
	['_gateway.status', 'sent', false],
	['_gateway.from', '+351912345678', true],
	['from', '+351912345678', true],
	['from', '00351912345678', true],
	['padded', 'x', true],
	[' form[0][id] ', 'y', true],
	['list[ 0 ].0', 'a', true],
	['long[10]', '10', true],
	['[0]', 'a', false],
	['.status', 'sent', true],
	['data . messages [1] . to', '56', true],
	['data.messages[1]to', '56', false],
	['count', '5', true],
	['count', 5, true],
	['ok', 'false', true],
	['nothing', 'null', false],
	['data.messages.1.to', '56', true],
	['data.messages.length', '2', true],
	['status.length', '4', false],
	['list.__proto__.length', '0', false],
	[' ', 'anything', false],
])('%s = %j: %s', (field, value, expected) => {
	expect(isMatch([{ field, value: value as string }])).toBe(expected);
});

test('all conditions must be met', () => {
	const status = { field: 'status', value: 'sent' };
	expect(isMatch([])).toBe(true);
	expect(isMatch([status, { field: 'count', value: '5' }])).toBe(true);
	expect(isMatch([status, { field: 'count', value: '6' }])).toBe(false);
});
