/** What n8n stores of a node, which a later version has to understand: else each update begins anew. */
import type { IDataObject } from 'n8n-workflow';

import { credential } from '../../../testing/context';
import { message, PolledNode } from './support';

const watch = (parameters: IDataObject, answer: unknown, apiKey = credential.apiKey) =>
	new PolledNode({ parameters, credential: { ...credential, apiKey }, answer: () => answer });

const keys = [{ id: 'k', name: 'K', status: 'active', masked_key: '•••1' }];
const digest = expect.stringMatching(/^[\w-]{43}$/) as string;
const ofCampaign = { channel: 'sms', campaignIds: 'c-1' };
const campaign = (entry: IDataObject) => ({ campaigns: [{ campaignId: 'c-1', ...entry }] });

it.each<[string, IDataObject, unknown, IDataObject]>([
	[
		'apiKeyChanged',
		{},
		keys,
		{
			v: 1,
			scope: '["apiKeyChanged"]',
			memories: {
				apiKeys: {
					account: digest,
					keys: { k: { ...keys[0], id: undefined, state: 'active' } },
				},
			},
		},
	],
	[
		'connectionChanged',
		{},
		{ state: 'open' },
		{
			v: 1,
			scope: '["connectionChanged"]',
			memories: { instance: { instance: digest, state: 'connected' } },
		},
	],
	[
		'connectionChanged',
		{},
		{ state: 'close' },
		{
			v: 1,
			scope: '["connectionChanged"]',
			memories: { instance: { instance: digest, state: 'disconnected' } },
		},
	],
	[
		'campaignFinished',
		ofCampaign,
		campaign({ statistics: { queued: 1 } }),
		{ v: 1, scope: '["campaignFinished","sms"]', memories: { 'c-1': 'running' } },
	],
	[
		'messageStatusChanged',
		{ ...ofCampaign, options: { statuses: 'sent' } },
		campaign({ messages: [message('m-1', 'sent')] }),
		{
			v: 1,
			scope: '["messageStatusChanged","sms","sent"]',
			memories: { 'c-1': expect.anything() },
		},
	],
])('of %s with %j', async (event, parameters, answer, state) => {
	const node = watch({ event, ...parameters }, answer);
	await node.activate();
	expect(node.stored).toEqual({ state });
});

it('knows an account by its key, with or without spaces around it', async () => {
	const nodes = [credential.apiKey, ` ${credential.apiKey}\n`, 'another-key-7b21'].map((apiKey) =>
		watch({ event: 'apiKeyChanged' }, keys, apiKey),
	);
	for (const node of nodes) await node.activate();
	const [one, spaced, another] = nodes.map(({ stored }) => stored);
	expect(spaced).toEqual(one);
	expect(another).not.toEqual(one);
});
