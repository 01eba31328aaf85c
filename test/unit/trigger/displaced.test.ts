import fc from 'fast-check';

import { openDisplaced, sealDisplaced } from '../../../nodes/MessagingGatewayTrigger/displaced';
import {
	seal,
	sealForAccount,
	sealingKeys,
	unseal,
} from '../../../nodes/MessagingGatewayTrigger/seal';

const keys = sealingKeys('key', 'instance');
const foreign = { url: 'https://crm.example.com/hook?key=hush', enabled: true };
const off = { url: 'https://old.example.com/hook', enabled: false };
const ours = {
	url: `https://n8n.example.com/webhook/4f1c/webhook?mgt=v1.p.${'a'.repeat(43)}`,
	enabled: true,
};

test('displaced webhooks are restored from the URL that the service has', () => {
	const sealed = sealDisplaced([ours, foreign, off], keys);
	expect(sealed.url.startsWith(`${ours.url}.`)).toBe(true);
	expect(openDisplaced(sealed, keys)).toEqual([ours, foreign, off]);
	expect(openDisplaced(sealed, sealingKeys('key', 'other'))).toBeUndefined();
});

describe('where deliveries are passed on', () => {
	const shares = { ...ours, url: ours.url.replace('v1.p', 'v1.s') };
	const otherN8n = sealingKeys('key', 'other');

	test('any n8n with the API key opens it, and what it has displaced of others', () => {
		const sealed = sealDisplaced([shares, sealDisplaced([ours, foreign], otherN8n), off], keys);
		expect(openDisplaced(sealed, otherN8n)).toEqual([shares, ours, foreign, off]);
		expect(openDisplaced(sealed, sealingKeys('other', 'instance'))).toHaveLength(3);
		expect(openDisplaced(sealed, sealingKeys('other', 'other'))).toBeUndefined();
	});

	test('only who has the API key can have sealed what opens with it alone', () => {
		const { account } = keys;
		const label = 'label';
		const genuine = Buffer.from(sealForAccount('genuine', keys, label), 'base64url');
		const forged = Buffer.from(
			sealForAccount('forged!', sealingKeys('guessed', 'instance'), label),
			'base64url',
		);
		expect(unseal(forged.toString('base64url'), keys, label)).toBe('forged!');
		// The wrapped key of a genuine one, before and after what was forged.
		const swapped = [
			forged,
			Buffer.concat([forged.subarray(0, 60), genuine.subarray(60, 120), forged.subarray(120)]),
			Buffer.from(seal('forged!', keys, label), 'base64url'),
		];
		for (const each of swapped) {
			expect(unseal(each.toString('base64url'), { account }, label)).toBeUndefined();
		}
		expect(unseal(genuine.toString('base64url'), { account }, label)).toBe('genuine');
	});
});

test.each([
	['one alone', [ours]],
	['what no trigger has registered', [foreign, ours]],
	['what already contains others', [sealDisplaced([ours, off], keys), foreign]],
] as const)('%s stays as it is', (_, [inForce, ...displaced]) => {
	expect(sealDisplaced([inForce, ...displaced], keys)).toEqual(inForce);
});

test('what is sealed comes back, and shows nothing', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, label) => {
			const sealed = seal(text, keys, label);
			expect(sealed).toMatch(/^[\w-]*$/);
			expect(unseal(sealed, keys, label)).toBe(Buffer.from(text).toString());
			expect(sealed).toHaveLength(Math.ceil(((Buffer.from(text).length + 28) * 4) / 3));
		}),
	);
	expect(seal('crm.example.com', keys, 'x')).not.toBe(seal('crm.example.com', keys, 'x'));
});

test.each([
	['another n8n', sealingKeys('key', 'other'), 'label'],
	['another label', keys, 'other'],
])('it does not open with %s', (_, otherKeys, label) => {
	expect(unseal(seal('text', keys, 'label'), otherKeys, label)).toBeUndefined();
});

test('it does not open when anything was changed or cut off', () => {
	const bytes = Buffer.from(seal('text', keys, 'label'), 'base64url');
	for (let index = 0; index < bytes.length; index++) {
		const changed = Buffer.from(bytes);
		changed[index]! ^= 1;
		for (const each of [changed, bytes.subarray(0, index)]) {
			expect(unseal(each.toString('base64url'), keys, 'label')).toBeUndefined();
		}
	}
});

test('spaces around the API key are not sent, and so do not count', () => {
	expect(sealingKeys(' key ', 'instance')).toEqual(keys);
});

test('what any version has sealed opens', () => {
	const otherApiKey = sealingKeys('other', 'instance');
	expect(unseal('KYKYeN8wwrE03CulSlh-s8Qtlw8pV3fzy1xYcK3_eTg', otherApiKey, 'label')).toBe('text');
	const sealedWithTheApiKey = 'UBsxqqCtML8rqPk4BDd9CcIN61F-VNHItNZf5hTt8dI';
	expect(unseal(sealedWithTheApiKey, keys, 'label')).toBe('text');
	expect(unseal(sealedWithTheApiKey, otherApiKey, 'label')).toBeUndefined();
});
