/** Who a trigger is, and what n8n stores of it. What is registered stays valid. */
import crypto from 'node:crypto';
import type { FunctionsBase, IDataObject } from 'n8n-workflow';

import {
	sha256Of,
	nodeIdentityOf,
	isSameDigest,
	secretFor,
	staticData,
} from '../../../nodes/MessagingGatewayTrigger/identity';
import { hasEnded, testLimitMs } from '../../../nodes/MessagingGatewayTrigger/registration/holder';
import { addressOf, hostOf } from '../../../nodes/MessagingGatewayTrigger/registration/url';

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
	expect(addressOf('https://n8n.example.com//a///b')).toBe('https://n8n.example.com/a/b');
	expect(addressOf('HTTPS://N8N.example.com:443/a')).toBe('https://n8n.example.com/a');
	expect(addressOf('no address?x')).toBe('no address?x');
});

test('the host is all that a person sees', () => {
	expect(hostOf('https://user:pass@crm.example.com:8443/path?key=1')).toBe('crm.example.com:8443');
	expect(hostOf('nonsense')).toBe('something that is not a web address');
	expect(hostOf('mailto:a@b.c')).toBe('something that is not a web address');
});

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
