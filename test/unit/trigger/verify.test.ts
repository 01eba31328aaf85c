import type { IWebhookFunctions } from 'n8n-workflow';

import {
	findInvalidEntry,
	isAllowed,
	isGenuine,
} from '../../../nodes/MessagingGatewayTrigger/delivery/verify';
import { identityOf, secretFor } from '../../../nodes/MessagingGatewayTrigger/token';
import { formatToken } from '../../../nodes/gateway/triggerToken';

/** A webhook call to a node, in a process that knows nothing yet. */
function callTo(
	webhookId: string,
	getCredentials: () => Promise<object>,
	mode = 'webhook',
): IWebhookFunctions {
	return {
		getMode: () => mode,
		getInstanceId: () => 'instance',
		getWorkflow: () => ({ id: 'workflow', active: true }),
		getNode: () => ({ id: 'node', webhookId }),
		getWorkflowStaticData: () => ({}),
		getCredentials,
	} as unknown as IWebhookFunctions;
}

afterEach(() => jest.restoreAllMocks());

const forged = `v1.p.${'x'.repeat(43)}`;

test('deliveries at the same time read the credential once, and later ones again', async () => {
	const read = jest.fn(async () => ({ apiKey: 'key' }));
	const call = callTo('a', read);
	for (let round = 1; round <= 2; round++) {
		const results = await Promise.all(Array.from({ length: 50 }, () => isGenuine(call, forged)));
		expect(new Set(results)).toEqual(new Set([false]));
		expect(read).toHaveBeenCalledTimes(round);
	}
	await Promise.all([isGenuine(call, forged), isGenuine(callTo('b', read), forged)]);
	expect(read).toHaveBeenCalledTimes(4); // each node its own
});

test('a credential that could not be read is read again', async () => {
	const read = jest.fn(async () => ({ apiKey: 'key' }));
	read.mockRejectedValueOnce(new Error('no database'));
	const call = callTo('c', read);
	const token = `v1.p.${secretFor('key', identityOf(call))}`;
	await expect(isGenuine(call, token)).rejects.toThrow('no database');
	expect(await isGenuine(call, token)).toBe(true);
	expect(await isGenuine(call, token)).toBe(true);
	expect(read).toHaveBeenCalledTimes(2);
});

test.each([
	['webhook', undefined, true],
	['webhook', 1_800_000_000_000, false],
	['manual', undefined, false],
	['manual', 1_800_000_000_000, true],
	['manual', 1_700_000_000_000, false], // that test is over
])('n8n running as %s with a secret until %s: %s', async (mode, until, expected) => {
	jest.spyOn(Date, 'now').mockReturnValue(1_750_000_000_000);
	const call = callTo('e', async () => ({ apiKey: 'key' }), mode);
	const secret = secretFor('key', identityOf(call), until);
	expect(await isGenuine(call, formatToken({ until, secret }))).toBe(expected);
});

test('nothing is read for what has not the shape of a token', async () => {
	const read = jest.fn();
	for (const given of [undefined, '', 'off', forged.slice(1), [forged], { p: forged }]) {
		expect(await isGenuine(callTo('d', read), given)).toBe(false);
	}
	expect(read).not.toHaveBeenCalled();
});

test.each<[unknown, string | undefined, boolean]>([
	['', '192.0.2.7', false],
	[undefined, undefined, false],
	[null, '192.0.2.7', false],
	[' ,; \n', '192.0.2.7', false],
	['192.0.2.7', '192.0.2.7', true],
	['192.0.2.7', '::ffff:192.0.2.7', true],
	['10.0.0.0/8,2001:db8::/32', '2001:db8::7', true],
	['10.0.0.0/8\n192.0.2.0/24', '192.0.2.255', true],
	[['10.0.0.1', '10.0.0.2'], '10.0.0.2', true],
	['203.0.113.7', '203.0.113.7:51234', true],
	['2001:db8::1', '[2001:db8::1]:443', true],
	['2001:db8::1', '[2001:db8::1]', true],
	['2001:db8::1', '2[001:db8::1]:443', false],
	['2001:db8::1', '[2001:db8::]1', false],
	['192.0.2.7', '::ffff:192.0.2.7:51234', false],
	['192.0.2.7', '192.0.2:5.7', false],
	['fe80::/10', 'fe80::1%en-0.1', true],
	['10.0.0.1', '10.0.0.1%', false],
	['nonsense', '192.0.2.7', false],
	[{ toString: 1, valueOf: 1 }, '192.0.2.7', false],
	['nonsense 192.0.2.7', '192.0.2.7', true],
	['0.0.0.0/0', 'nonsense', false],
])('%j and %s: %s', (list, ip, expected) => {
	expect(isAllowed(list, ip)).toBe(expected);
});

test('names the first entry that is no address', () => {
	expect(findInvalidEntry('10.0.0.1, 10.0.0.0/8')).toBeUndefined();
	expect(findInvalidEntry('')).toBeUndefined();
	expect(findInvalidEntry('10.0.0.1, example.com, 1.2.3')).toBe('example.com');
});
