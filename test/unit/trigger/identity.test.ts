/** Who a trigger is, and what its registration hides and gives back. What is registered stays valid. */
import crypto from 'node:crypto';
import fc from 'fast-check';
import type { FunctionsBase, IDataObject } from 'n8n-workflow';

import {
	sha256Of,
	nodeIdentityOf,
	isSameDigest,
	secretFor,
	staticData,
} from '../../../nodes/MessagingGatewayTrigger/identity';
import { hasEnded, testLimitMs } from '../../../nodes/MessagingGatewayTrigger/registration/holder';
import {
	addressOf,
	hostOf,
	recall,
	remember,
	sealingKeyOf,
} from '../../../nodes/MessagingGatewayTrigger/registration/url';
import { tokenOf } from '../../../nodes/gateway/triggerToken';

/** A node, and what n8n stores of it: a cache. What can't be read is not there. */
const contextOf = (stored: IDataObject, node: object = { id: 'n', webhookId: 'h' }) =>
	({
		getInstanceId: () => 'i',
		getWorkflow: () => ({ id: 'w', active: true }),
		getNode: () => node,
		getWorkflowStaticData: () => stored,
	}) as unknown as FunctionsBase;

test('a node has an identity that no other node has: its webhook id, or else its own', () => {
	expect(nodeIdentityOf(contextOf({}))).toBe('["i","w","h"]');
	expect(nodeIdentityOf(contextOf({}, { id: 'n' }))).toBe('["i","w","n"]');
});

test('is the same in every version: what is registered stays valid', () => {
	for (const key of ['key', ' key\n']) {
		expect(secretFor(key, 'node')).toBe('1RdrHmIvDhRXbazMHTC5rDWFS0b0r56HQAa-phZVkJE');
	}
	expect(secretFor('key', 'node', 1)).toBe('W725Y0xte_ePACs_OWGOP5L0EknAzj66jWIFFlH7ZPg');
});

test('only the same is the same', () => {
	const digest = sha256Of('secret');
	expect(isSameDigest(digest, digest)).toBe(true);
	expect(isSameDigest(digest, undefined)).toBe(false);
	expect(isSameDigest('', '')).toBe(true);
	for (const other of ['', 'Secret', 'secret '])
		expect(isSameDigest(digest, sha256Of(other))).toBe(false);
	expect(isSameDigest(digest, `${digest}x`)).toBe(false);
});

test('is compared in constant time', () => {
	const compare = jest.spyOn(crypto, 'timingSafeEqual');
	isSameDigest(sha256Of('a'), sha256Of('b'));
	expect(compare).toHaveBeenCalledTimes(1);
	expect(compare.mock.calls[0]!.map(String)).toEqual([sha256Of('a'), sha256Of('b')]);
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

const key = sealingKeyOf('key');
const foreign = { url: 'https://crm.example.com/hook?key=hush', enabled: true };
const ours = `https://n8n.example.com/webhook/4f1c/webhook?mgt=v1.p.${'a'.repeat(43)}`;

test.each([foreign, { ...foreign, enabled: false }])(
	'what a URL remembers is read with the same API key alone, and can be replaced: %j',
	(webhook) => {
		const url = remember(ours, webhook, key);
		expect(url.startsWith(`${ours}.`)).toBe(true);
		expect(recall(url, key)).toEqual(webhook);
		expect(recall(url, sealingKeyOf('other'))).toBeUndefined();
		expect(recall(url.replace('4f1c', '5f1c'), key)).toBeUndefined();
		expect(recall(remember(url, { url: ours, enabled: true }, key), key)?.url).toBe(ours);
		expect(remember(url, undefined, key)).toBe(ours);
		expect(recall(ours, key)).toBeNull();
	},
);

test.each([
	[0, true],
	[1, false],
	[testLimitMs, false],
	[testLimitMs + 1, true], // the end of a clock that was ahead
])('a test that ends in %d ms is over: %j', (ms, expected) => {
	jest.useFakeTimers({ now: 1_700_000_000_000 });
	expect(hasEnded(Date.now() + ms)).toBe(expected);
	jest.useRealTimers();
});

test('what is remembered comes back whole, and shows nothing', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (path) => {
			const text = `https://crm.example.com/${path}`;
			const url = remember(ours, { url: text, enabled: true }, key);
			expect(url).toMatch(/[\w-]{43}\.[\w-]*$/);
			expect(recall(url, key)?.url).toBe(Buffer.from(text).toString());
		}),
	);
	expect(remember(ours, foreign, key)).not.toBe(remember(ours, foreign, key));
});

test.each(['', 'nonsense', '/hook', 'https://', 'ttps://crm.example.com', 'mailto:a@b.c'])(
	'what is no web address counts as none: %j',
	(text) => {
		expect(recall(remember(ours, { url: text, enabled: true }, key), key)).toBeNull();
	},
);

test('it does not open when anything was changed or cut off', () => {
	const sealed = tokenOf(remember(ours, foreign, key))!.sealed!;
	const bytes = Buffer.from(sealed, 'base64url');
	for (let index = 0; index < bytes.length; index++) {
		const changed = Buffer.from(bytes);
		changed[index]! ^= 1;
		for (const each of [changed, bytes.subarray(0, Math.max(index, 1))]) {
			expect(recall(`${ours}.${each.toString('base64url')}`, key)).toBeUndefined();
		}
	}
});

test('spaces around the API key are not sent, and so do not count', () => {
	expect(sealingKeyOf(' key ')).toEqual(key);
});

test('what any version has sealed opens', () => {
	const url = `${ours}.0LYKHFpAtCU0pKJcXsOy6IM0ee52mDuuZWaciULXZL1zH8Iuk6whyNz0LPdBASrHWpl8VW1BGWNfdc7ucrh_j6nJ`;
	expect(recall(url, key)).toEqual(foreign);
});

const all = { address: 'https://n8n.example.com/w', digest: 'd', borrows: true };
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
