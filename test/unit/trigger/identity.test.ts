/** Who a trigger is, and what n8n stores of it. What is registered stays valid. */
import crypto from 'node:crypto';
import type { FunctionsBase, IDataObject } from 'n8n-workflow';

import {
	digestOf,
	nodeIdentityOf,
	isSameDigest,
	secretFor,
	readDigest,
	storeDigest,
} from '../../../nodes/MessagingGatewayTrigger/identity';
import { addressOf, hostOf } from '../../../nodes/text/host';

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

test('is compared in constant time', () => {
	const compare = jest.spyOn(crypto, 'timingSafeEqual');
	isSameDigest('a', 'b');
	expect(compare.mock.calls.map((pair) => pair.map(String))).toEqual([['a', 'b']]);
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

test('the digest of a secret is stored, and is another one for each node', () => {
	const data: IDataObject = {};
	const context = contextOf(data);
	storeDigest(context, digestOf(context, 'secret'));
	const digest = '96sBFTAE3v7mTa1sXbnHbjF94gb72wVhgKRAtSULKMk';
	expect(data).toEqual({ webhook: { v: 1, digest } });
	expect(readDigest(context)).toBe(digest);
	expect(digestOf(contextOf(data, { id: 'copy' }), 'secret')).not.toBe(digest);
	storeDigest(context);
	expect(data).toEqual({});
	expect(readDigest(contextOf({ webhook: { v: 2, digest } }))).toBeUndefined();
});
