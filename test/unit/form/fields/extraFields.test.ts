import fc from 'fast-check';

import { sendingOptions } from '../../../../nodes/MessagingGateway/operations/message/sending';
import { parseExactly } from '../../../../nodes/text/text';
import { makeItem } from '../../../../tools/shared/item';

const read = async (extraFields: unknown) =>
	sendingOptions(() => ['to']).extraFields.read(await makeItem({ options: { extraFields } }));

test.each<[unknown, object]>([
	['{ "sender": "ACME" }', { sender: 'ACME' }],
	[{ sender: 'ACME' }, { sender: 'ACME' }],
	['{ "template": 120363041234567891 }', { template: '120363041234567891' }], // not rounded
	// Words and braces are for the service, unless n8n's `$` is in them.
	[
		'{ "text": "Hi {{1}}, {{name}}", "note": "undefined" }',
		{ text: 'Hi {{1}}, {{name}}', note: 'undefined' },
	],
	...['{}', '', undefined, null].map((none): [unknown, object] => [none, {}]),
])('%j is %j', async (entered, fields) => {
	expect(await read(entered)).toEqual(fields);
});

test.each<unknown>([
	...['{ sender', 'sender', '[]', '[{}]', 'null', '7', '"x"', 'true', [], [{}], 7, true],
])('%j is an error of that item', async (entered) => {
	await expect(read(entered)).rejects.toThrow("'Extra Fields (JSON)' is not a JSON object");
});

const name = fc.string().filter((text) => text !== 'to');

test('any object is accepted unchanged, unless it contains the destination', async () => {
	await fc.assert(
		fc.asyncProperty(fc.dictionary(name, fc.jsonValue()), fc.jsonValue(), async (fields, to) => {
			const text = JSON.stringify(fields);
			expect(JSON.stringify(await read(text))).toBe(JSON.stringify(parseExactly(text)));
			expect(await read(fields)).toEqual(fields);
			const withTo = { ...fields, to };
			for (const entered of [withTo, JSON.stringify(withTo)]) {
				await expect(read(entered)).rejects.toThrow("must not contain 'to'");
			}
		}),
	);
});
