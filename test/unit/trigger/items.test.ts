import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
	fieldsOf,
	recognise,
	toObjects,
} from '../../../nodes/MessagingGatewayTrigger/delivery/items';

/** As n8n describes it. */
const file = { filepath: '/tmp/x', originalFilename: null, mimetype: null, size: 1 };

const json = (body: unknown) => toObjects({ contentType: 'application/json', body });

test('any JSON arrives whole, as at least one object', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (body) => {
			const objects = json(body);
			expect(objects.length).toBe(Array.isArray(body) ? Math.max(1, body.length) : 1);
			const whole = objects.map((object, index) => {
				const original: unknown = Array.isArray(body) && body.length > 0 ? body[index] : body;
				return object === original || (object as { raw?: unknown }).raw === original;
			});
			expect(whole).not.toContain(false);
		}),
	);
});

test.each<[string, unknown, Buffer | undefined, IDataObject]>([
	['text/plain', 'hello', undefined, { raw: 'hello' }],
	['application/x-www-form-urlencoded', { a: '1' }, undefined, { raw: { a: '1' } }],
	['application/xml', { a: { b: '1' } }, undefined, { raw: { a: { b: '1' } } }],
	[
		'multipart/form-data',
		{
			data: { a: '1' },
			files: {
				photo: { ...file, originalFilename: 'a.png', mimetype: 'image/png', size: 7 },
				more: [{ ...file, size: 0 }, file],
			},
		},
		undefined,
		{
			raw: { a: '1' },
			files: [
				{ field: 'photo', name: 'a.png', type: 'image/png', size: 7 },
				{ field: 'more', name: null, type: null, size: 0 },
				{ field: 'more', name: null, type: null, size: 1 },
			],
		},
	],
	['multipart/form-data', { data: { a: '1' }, files: {} }, undefined, { raw: { a: '1' } }],
	['multipart/form-data', 'odd', undefined, { raw: 'odd' }],
	['application/octet-stream', undefined, Buffer.from('bytes'), { raw: 'bytes' }],
	['application/json', undefined, Buffer.from(''), { raw: '' }],
	['', undefined, undefined, { raw: '' }],
])('%s %j', (contentType, body, rawBody, expected) => {
	expect(toObjects({ contentType, body, rawBody })).toEqual([expected]);
});

test.each<[IDataObject, IDataObject]>([
	[{}, {}],
	[{ messageId: 'a', message_id: 'b' }, { messageId: 'a' }],
	[{ messageId: '', message_id: 'b' }, { messageId: 'b' }],
	[{ messageId: { id: 1 }, to: 5511 }, { to: 5511 }],
	[{ status: 200, statusmessage: 'pending' }, { status: 'pending' }],
	[{ status: 'sent', statusmessage: null }, { status: 'sent' }],
	[{ campaignId: 'c', campaign: 'x', status: ['sent'] }, { campaignId: 'c' }],
])('recognises in %j: %j', (delivery, expected) => {
	expect(recognise(delivery)).toEqual(expected);
});

test.each<[string, IDataObject, IDataObject]>([
	['text/plain', { raw: 'a=1' }, { raw: 'a=1' }],
	['application/x-www-form-urlencoded', { raw: { a: 1 } }, { a: 1, raw: { a: 1 } }],
	['application/xml', { raw: { raw: 1 } }, { raw: { raw: 1 } }],
	['application/json', { raw: { a: 1 } }, { raw: { a: 1 } }],
])('the fields of %s %j', (contentType, delivery, expected) => {
	expect(fieldsOf(delivery, contentType)).toEqual(expected);
});

test('recognises texts and numbers alone', () => {
	fc.assert(
		fc.property(
			fc.dictionary(fc.constantFrom('messageId', 'to', 'status'), fc.jsonValue()),
			(body) => {
				for (const value of Object.values(recognise(body as IDataObject))) {
					expect(['string', 'number']).toContain(typeof value);
				}
			},
		),
	);
});
