import fc from 'fast-check';

import {
	openDisplaced,
	seal,
	sealDisplaced,
	sealingKeys,
	unseal,
} from '../../../nodes/MessagingGatewayTrigger/identity';

const keys = sealingKeys('key', 'instance');
const { n8n: key } = keys;
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

const sharing = { ...ours, url: ours.url.replace('v1.p', 'v1.s') };

test('another API key opens it in the same n8n; what is shared opens in any n8n with this key', () => {
	const otherN8n = sealingKeys('key', 'other');
	const otherKey = sealingKeys('other', 'instance');
	const sealed = sealDisplaced([ours, foreign], keys);
	expect(openDisplaced(sealed, otherKey)).toEqual([ours, foreign]);
	expect(openDisplaced(sealed, otherN8n)).toBeUndefined();

	const shared = sealDisplaced([sharing, sealDisplaced([ours, foreign], otherN8n), off], keys);
	expect(openDisplaced(shared, otherN8n)).toEqual([sharing, ours, foreign, off]);
	expect(openDisplaced(shared, keys)).toHaveLength(3); // with what the other n8n has sealed
	expect(openDisplaced(shared, otherKey)).toBeUndefined();
	expect(openDisplaced(shared, { n8n: key })).toBeUndefined();
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
			const sealed = seal(text, key, label);
			expect(sealed).toMatch(/^[\w-]*$/);
			expect(unseal(sealed, key, label)).toBe(Buffer.from(text).toString());
			expect(sealed).toHaveLength(Math.ceil(((Buffer.from(text).length + 28) * 4) / 3));
		}),
	);
	expect(seal('crm.example.com', key, 'x')).not.toBe(seal('crm.example.com', key, 'x'));
});

test('it does not open with another key or label', () => {
	const sealed = seal('text', key, 'label');
	expect(unseal(sealed, keys.account, 'label')).toBeUndefined();
	expect(unseal(sealed, key, 'other')).toBeUndefined();
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
});

test('spaces around the API key are not sent, and so do not count', () => {
	expect(sealingKeys(' key ', 'instance')).toEqual(keys);
});

test('what any version has sealed opens', () => {
	for (const [webhook, sealed] of [
		[
			ours,
			'r8xdJjlRA8Cg4LsSG8bfpu4EJjcPYcSpBusBZoDOikfBtnGZ7oiJaUL2U2giISrf2d8zxbApO2G-sN4CxQ6u45J7Huw04r8KQsK3UMl9Ikn1n__HybHB7K7IoqqCOK2yfgxNmvZx',
		],
		[
			sharing,
			'f3YQCNNT5E-0_tlBWqQ3psfVgY54Mxu_0zakj-8CGmBpgWdMNOFGrxy8J__c66Jl-TjIIjK6kfbavLbGY3nGTkWBrfAf_WqyXZ5A-k6g6gGgmWczrU8MUKOYt26c7yR9rfKFo5dV',
		],
	] as const) {
		const { url } = webhook;
		const opened = openDisplaced({ url: `${url}.${sealed}`, enabled: true }, keys);
		expect(opened).toEqual([webhook, foreign, off]);
	}
});
