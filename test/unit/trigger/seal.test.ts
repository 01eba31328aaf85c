import fc from 'fast-check';

import { seal, sealingKey, unseal } from '../../../nodes/MessagingGatewayTrigger/secret/seal';

const key = sealingKey('key', 'instance');

test('what is sealed comes back, and shows nothing', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, label) => {
			const sealed = seal(text, key, label);
			expect(sealed).toMatch(/^[\w-]*$/);
			expect(unseal(sealed, key, label)).toBe(Buffer.from(text).toString());
		}),
	);
	expect(seal('crm.example.com', key, 'x')).not.toBe(seal('crm.example.com', key, 'x'));
});

test('it is as short as can be: a third more than the text, and 38 signs', () => {
	for (const length of [0, 60, 300]) {
		expect(seal('x'.repeat(length), key, '')).toHaveLength(Math.ceil(((length + 28) * 4) / 3));
	}
});

test.each([
	['another API key', sealingKey('other', 'instance'), 'label'],
	['another n8n', sealingKey('key', 'other'), 'label'],
	['another label', key, 'other'],
])('it does not open with %s', (_, otherKey, label) => {
	expect(unseal(seal('text', key, 'label'), otherKey, label)).toBeUndefined();
});

test('it does not open when anything was changed or cut off', () => {
	const bytes = Buffer.from(seal('text', key, 'label'), 'base64url');
	for (let index = 0; index < bytes.length; index++) {
		const changed = Buffer.from(bytes);
		changed[index]! ^= 1;
		for (const each of [changed, bytes.subarray(0, index)]) {
			expect(unseal(each.toString('base64url'), key, 'label')).toBeUndefined();
		}
	}
	fc.assert(fc.property(fc.string(), (text) => unseal(text, key, 'label') === undefined));
});

test('spaces around the key are not sent, and so do not count', () => {
	expect(sealingKey(' key ', 'instance')).toEqual(key);
	expect(key).toHaveLength(32);
});

test('what any version has sealed opens', () => {
	const sealed = 'UBsxqqCtML8rqPk4BDd9CcIN61F-VNHItNZf5hTt8dI';
	expect(unseal(sealed, key, 'label')).toBe('text');
});
