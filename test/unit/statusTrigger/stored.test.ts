/** What n8n stores for a node. Later versions have to understand it, or each update loses the state. */
import type { IDataObject } from 'n8n-workflow';

import { credential } from '../../../tools/shared/context';
import { campaign, message, published } from './support';

const shown = { name: 'K', status: 'active', masked_key: '•••1' };
const key = { id: 'k', ...shown };
const digest = expect.stringMatching(/^[\w-]{43}$/) as string;

it.each<[string, IDataObject, unknown, string, unknown]>([
	[
		'apiKeyChanged',
		{},
		[key],
		'["apiKeyChanged"]',
		{ apiKeys: { account: digest, keys: { k: { ...shown, state: 'active' } } } },
	],
	...['open', 'close'].map((state): [string, IDataObject, unknown, string, unknown] => [
		'connectionChanged',
		{},
		{ state },
		'["connectionChanged"]',
		{ instance: { instance: digest, state: state === 'open' ? 'connected' : 'disconnected' } },
	]),
	[
		'campaignFinished',
		{},
		{ campaigns: [{ campaignId: 'c-1', statistics: { queued: 1 } }] },
		'["campaignFinished","sms"]',
		{ 'c-1': { running: 'pvfvR-6NyEr5' } },
	],
	[
		'messageStatusChanged',
		{ options: { statuses: 'sent' } },
		{ campaigns: [campaign('c-1', message('m-1', 'sent'), message('m-2', 'sent'))] },
		'["messageStatusChanged","sms",["sent"]]',
		{ 'c-1': { sent: 'pGG0cstBqew9iuKkEJWWnOPr' } },
	],
])('%s with %j and %j', async (event, parameters, answer, scope, kept) => {
	const { node } = await published({ event, ...parameters }, answer);
	expect(node.stored).toEqual({ state: { v: 1, scope, kept } });
});

it('identifies an account by its key, with or without spaces around it', async () => {
	const [one, spaced, another] = await Promise.all(
		[credential.apiKey, ` ${credential.apiKey}\n`, 'another-key-7b21'].map(async (apiKey) => {
			const options = { credential: { ...credential, apiKey } };
			return (await published({ event: 'apiKeyChanged' }, [key], options)).node.stored;
		}),
	);
	expect(spaced).toEqual(one);
	expect(another).not.toEqual(one);
});
