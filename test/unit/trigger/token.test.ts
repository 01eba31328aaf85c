import crypto from 'node:crypto';
import type { FunctionsBase, IDataObject } from 'n8n-workflow';

import {
	digestOf,
	forget,
	identityOf,
	isSame,
	isKnown,
	recall,
	secretFor,
	store,
} from '../../../nodes/MessagingGatewayTrigger/token';

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

test('is the same in every version: what is registered stays valid', () => {
	expect(secretFor('key', 'node')).toBe('1RdrHmIvDhRXbazMHTC5rDWFS0b0r56HQAa-phZVkJE');
	expect(secretFor('key', 'node', 1)).toBe('W725Y0xte_ePACs_OWGOP5L0EknAzj66jWIFFlH7ZPg');
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

test('what is remembered of a node is added up, and its digest outlives what n8n loses', () => {
	const data: IDataObject = {};
	const context = {
		getInstanceId: () => 'instance',
		getWorkflow: () => ({ id: 'workflow', active: true }),
		getNode: () => ({ id: 'node', webhookId: 'webhook' }),
		getWorkflowStaticData: () => data,
	} as unknown as Parameters<typeof store>[0];
	store(context, { digest: 'first' });
	store(context, { address: 'https://n8n.example.com/webhook' });
	const both = { digest: 'first', address: 'https://n8n.example.com/webhook' };
	expect(recall(context)).toMatchObject(both);
	expect(isKnown(context, 'first')).toBe(true);

	// As in a workflow that was imported with the static data of this one.
	const copy = { ...context, getWorkflow: () => ({ id: 'copy', active: true }) };
	expect(recall(copy as unknown as typeof context)).toEqual({});

	forget(context);
	expect(recall(context)).toEqual({});
	expect(isKnown(context, 'first')).toBe(true);
});
