import crypto from 'node:crypto';
import type { FunctionsBase } from 'n8n-workflow';

import {
	digestOf,
	identityOf,
	isFrom,
	isSame,
	secretFor,
} from '../../../nodes/MessagingGatewayTrigger/identity';

const nodeOf = (instance: string, workflow: string, webhookId?: string, id = 'n') =>
	identityOf({
		getInstanceId: () => instance,
		getWorkflow: () => ({ id: workflow, active: true }),
		getNode: () => ({ id, webhookId }),
	} as unknown as FunctionsBase);

test('a node has one identity, which no other node has', () => {
	expect(nodeOf('i', 'w', 'h')).toBe(nodeOf('i', 'w', 'h', 'another id'));
	const others = [
		nodeOf('i', 'w', 'h'),
		nodeOf('x', 'w', 'h'),
		nodeOf('i', 'x', 'h'),
		nodeOf('i', 'w', 'x'),
		nodeOf('iw', '', 'h'),
		nodeOf('i', 'w', undefined, 'x1'),
		nodeOf('i', 'w', undefined, 'x2'),
	];
	expect(new Set(others).size).toBe(others.length);
});

test('a secret follows from the key, the node and the test', () => {
	const secret = secretFor('key', 'node');
	expect(secret).toMatch(/^[\w-]{43}$/);
	expect(secretFor(' key\n', 'node')).toBe(secret); // as it is sent
	const others = [
		secret,
		secretFor('other', 'node'),
		secretFor('key', 'other'),
		secretFor('key', 'node', 1),
		secretFor('key', 'node', 2),
		secretFor(undefined, 'node'),
	];
	expect(new Set(others).size).toBe(others.length);
});

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
	expect(secretFor('key', 'node')).toBe('1RdrHmIvDhRXbazMHTC5rDWFS0b0r56HHeIeqlp-x3o');
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
