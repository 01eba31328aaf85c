/** What n8n stores for a node. Later versions have to understand it, or each update loses the state. */
import type { IDataObject } from 'n8n-workflow';

import { campaign, message, published } from './support';

it.each<[string, IDataObject, unknown, string, unknown]>([
	...[
		['open', { state: 'connected', lastClear: 'connected' }],
		['close', { state: 'disconnected', lastClear: 'disconnected' }],
		['pairing', { state: 'unclear' }],
	].map(([state, instance]): [string, IDataObject, unknown, string, unknown] => [
		'connectionChanged',
		{},
		{ state },
		'ho8LV9gDmZajrjnXCt4eG-6haI1O2zIjgqh_vXEtkqQ',
		{ instance },
	]),
	[
		'campaignFinished',
		{},
		{ campaigns: [{ campaignId: 'c-1', statistics: { queued: 1 } }] },
		'GjE-U3K5ST8KTKGEx3vooXvWvr7fAMa7EWGinLwE6AM',
		{ 'c-1': { running: 'pvfvR-6NyEr5' } },
	],
	[
		'messageStatusChanged',
		{ options: { statuses: 'sent' } },
		{ campaigns: [campaign('c-1', message('m-1', 'sent'), message('m-2', 'sent'))] },
		'_8c8FisLQC6PhouSoaCotvnwYFx7BIvetOYrjtUH6tQ',
		{ 'c-1': { sent: 'pGG0cstBqew9iuKkEJWWnOPr' } },
	],
])('%s with %j and %j', async (event, parameters, answer, scope, kept) => {
	const { node } = await published({ event, ...parameters }, answer);
	expect(node.stored).toEqual({ state: { v: 1, scope, poll: 1, kept } });
});
