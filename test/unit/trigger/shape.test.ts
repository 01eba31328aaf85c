import type { IDataObject } from 'n8n-workflow';

import { recognise, toNotifications } from '../../../nodes/MessagingGatewayTrigger/delivery/shape';
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
