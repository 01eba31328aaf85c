import fc from 'fast-check';

import { isBase64, splitDataUri } from '../../../../nodes/form/fields/audio';

/** RFC 4648 §4, padded and not empty. */
const rfc4648 = /^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

test.each([
	['T2dn', true],
	['T2c=', true],
	['Tw==', true],
	['', false],
	['T2dnU', false],
	['T2c', false],
	['=T2c', false],
	['T=2c', false],
	['T===', false],
	['====', false],
	['T2dn\n', false],
	['T2d\n', false],
	['T2d_', false],
	['T2 n', false],
	['Tw==T2dn', false],
])('%j: %j', (text, valid) => {
	expect(isBase64(text)).toBe(valid);
});

test('the Base64 of any bytes is Base64', () => {
	fc.assert(
		fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
			expect(isBase64(Buffer.from(bytes).toString('base64'))).toBe(true);
		}),
	);
});

test('any text is Base64 exactly if it fits the definition', () => {
	const close = fc.string({ unit: fc.constantFrom('A', 'z', '9', '+', '/', '=', ' ', '-', 'é') });
	const spoilt = fc
		.tuple(fc.base64String({ minLength: 4 }), fc.nat(), fc.constantFrom('=', '\n', '*', ''))
		.map(
			([text, at, other]) =>
				text.slice(0, at % text.length) + other + text.slice((at % text.length) + 1),
		);
	fc.assert(
		fc.property(
			fc.oneof(close, spoilt, fc.base64String(), fc.string({ unit: 'binary' })),
			(text) => {
				expect(isBase64(text)).toBe(rfc4648.test(text));
			},
		),
		{ numRuns: 2000 },
	);
});

test.each([
	['data:audio/ogg;base64,T2dn', 'audio/ogg', 'T2dn'],
	['data:audio/ogg;codecs=opus;base64,T2dn', 'audio/ogg', 'T2dn'],
	['data:;base64,T2dn', '', 'T2dn'],
	['data:,T2dn', '', undefined],
	['data:audio/ogg,T2dn', 'audio/ogg', undefined],
	['data:audio/ogg;base64', 'audio/ogg', undefined],
	['data:audio/ogg;base64x', 'audio/ogg', undefined],
	['data:audio/ogg; base64 ,T2dn', 'audio/ogg', 'T2dn'],
	['data:audio/ogg;base64,', 'audio/ogg', ''],
	['T2dn', '', 'T2dn'],
	['', '', ''],
])('%s is %j and %j', (text, mimeType, base64) => {
	expect(splitDataUri(text).base64).toBe(base64);
	if (base64 !== undefined) expect(splitDataUri(text).mimeType).toBe(mimeType);
});
