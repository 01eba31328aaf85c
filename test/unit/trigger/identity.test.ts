/** Who a trigger is, and what its registration hides and gives back. What is registered stays valid. */
import crypto from 'node:crypto';
import fc from 'fast-check';
import type { FunctionsBase, IDataObject } from 'n8n-workflow';

import {
	addressOf,
	digestOf,
	hostOf,
	identityOf,
	isFrom,
	isSame,
	openDisplaced,
	seal,
	sealDisplaced,
	sealingKeys,
	secretFor,
	staticData,
	unseal,
	type StoringContext,
} from '../../../nodes/MessagingGatewayTrigger/identity';

test.each([
	['h', '["i","w","h"]'],
	[undefined, '["i","w","n"]'],
])(
	'a node with the webhook id %j has the identity %s, which no other node has',
	(webhookId, is) => {
		const context = {
			getInstanceId: () => 'i',
			getWorkflow: () => ({ id: 'w', active: true }),
			getNode: () => ({ id: 'n', webhookId }),
		} as unknown as FunctionsBase;
		expect(identityOf(context)).toBe(is);
	},
);

test('a secret shows its API key to who has that', () => {
	for (const until of [undefined, 1]) {
		expect(isFrom(' key', secretFor('key', 'node', until))).toBe(true);
		expect(isFrom('other', secretFor('key', 'node', until))).toBe(false);
	}
	const changed = secretFor('key', 'node').replace(/^./, (sign) => (sign === 'A' ? 'B' : 'A'));
	expect(isFrom('key', changed)).toBe(false);
	expect(isFrom('key', '')).toBe(false);
});

test('is the same in every version: what is registered stays valid', () => {
	for (const key of ['key', ' key\n']) {
		expect(secretFor(key, 'node')).toBe('1RdrHmIvDhRXbazMHTC5rDWFS0b0r56HHeIeqlp-x3o');
	}
	expect(secretFor('key', 'node', 1)).toBe('W725Y0xte_ePACs_OWGOP5L0EknAzj665DeZT95DECw');
});

test('only the same is the same', () => {
	const digest = digestOf('secret');
	expect(isSame(digest, digest)).toBe(true);
	expect(isSame(digest, undefined)).toBe(false);
	expect(isSame('', '')).toBe(true);
	for (const other of ['', 'Secret', 'secret '])
		expect(isSame(digest, digestOf(other))).toBe(false);
	expect(isSame(digest, `${digest}x`)).toBe(false);
});

test('is compared in constant time', () => {
	const compare = jest.spyOn(crypto, 'timingSafeEqual');
	isSame(digestOf('a'), digestOf('b'));
	expect(compare).toHaveBeenCalledTimes(1);
	expect(compare.mock.calls[0]!.map(String)).toEqual([digestOf('a'), digestOf('b')]);
	compare.mockRestore();
});

test('an address has no query, and is written as browsers write it', () => {
	expect(addressOf(`https://n8n.example.com/w?mgt=x#y`)).toBe('https://n8n.example.com/w');
	expect(addressOf('HTTPS://N8N.example.com:443/a')).toBe('https://n8n.example.com/a');
	expect(addressOf('no address?x')).toBe('no address?x');
});

test('the host is all that a person sees', () => {
	expect(hostOf('https://user:pass@crm.example.com:8443/path?key=1')).toBe('crm.example.com:8443');
	expect(hostOf('nonsense')).toBe('something that is not a web address');
	expect(hostOf('mailto:a@b.c')).toBe('something that is not a web address');
});

const keys = sealingKeys('key', 'instance');
const { n8n: key } = keys;
const foreign = { url: 'https://crm.example.com/hook?key=hush', enabled: true };
const off = { url: 'https://old.example.com/hook', enabled: false };
const ours = {
	url: `https://n8n.example.com/webhook/4f1c/webhook?mgt=v1.p.${'a'.repeat(43)}`,
	enabled: true,
};

const sharing = { ...ours, url: ours.url.replace('v1.p', 'v1.s') };

test('another API key opens it in the same n8n; what is shared opens in any n8n with this key', () => {
	const otherN8n = sealingKeys('key', 'other');
	const otherKey = sealingKeys('other', 'instance');
	const sealed = sealDisplaced([ours, foreign, off], keys);
	expect(sealed.url.startsWith(`${ours.url}.`)).toBe(true);
	expect(openDisplaced(sealed, otherKey)).toEqual([ours, foreign, off]);
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

/** What n8n stores of a trigger is a cache: what can't be read is not there. */
const contextOf = (stored: IDataObject) =>
	({
		getInstanceId: () => 'i',
		getWorkflow: () => ({ id: 'w' }),
		getNode: () => ({ id: 'n', webhookId: 'h' }),
		getWorkflowStaticData: () => stored,
	}) as unknown as StoringContext;

const all = { address: 'https://n8n.example.com/w', digest: 'd', displaces: true, borrows: true };
const stored = { ...all, v: 1, node: 'Z2c8zP359cKPMydP' };

test('is written and read', () => {
	const data: IDataObject = {};
	staticData.add(contextOf(data), all);
	expect(data).toEqual({ webhook: stored });
	expect(staticData.read(contextOf(data))).toEqual(stored);
	staticData.clear(contextOf(data));
	expect(data).toEqual({});
});

test.each([
	['a newer version', { ...stored, v: 2 }],
	['another node, as of a copied workflow', { ...stored, node: 'other' }],
])('of %s, it is not read', (_, webhook) => {
	expect(staticData.read(contextOf({ webhook }))).toEqual({});
});
