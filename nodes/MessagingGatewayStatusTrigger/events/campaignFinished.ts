import type { IDataObject } from 'n8n-workflow';

import { campaignIdOf, countOf } from '../../service/endpoints/campaigns';
import { isObject } from '../../text/values';
import type { StatusEvent } from '../statusEvent';
import { campaignEvent, recordsOfEach, onlyForward, type Packed } from './campaigns';

/**
 * Interface §2.6: a campaign is identified by its `campaignId`. It has finished when none of its
 * messages is waiting or on its way. It is reported once, even if it is resumed later.
 */
export const campaignFinished: StatusEvent<Packed> = {
	value: 'campaignFinished',
	name: 'Campaign Finished',
	description:
		'When every message of a campaign has been delivered or has failed. Starts once per campaign.',
	...campaignEvent,

	records: recordsOfEach(
		(campaign) => {
			const isOver = isFinished(campaign);
			const id = campaignIdOf(campaign);
			const state = isOver ? 'finished' : 'running';
			return isOver === undefined ? undefined : [{ id, state, fields: campaign }];
		},
		'The service returned a campaign without its statistics',
		"It should contain 'total', 'delivered' and 'errors'.",
	),

	compare: onlyForward((state) => state === 'finished'),

	output({ fields }, { channel, simplify }) {
		const { campaignId, campaignName, statistics } = fields;
		return simplify
			? { campaignId, campaignName, channel, ...(isObject(statistics) && statistics) }
			: fields;
	},
};

/**
 * Returns whether no message is waiting or on its way; undefined if there are no counters. Counts the
 * final messages: the interface does not show whether 'sent' includes those that were delivered.
 */
function isFinished(campaign: IDataObject): boolean | undefined {
	const counts = ['total', 'queued', 'delivered', 'errors'].map((name) => countOf(campaign, name));
	if (counts.every((count) => count === undefined)) return undefined;
	const [total = 0, queued = 0, delivered = 0, errors = 0] = counts;
	return total > 0 && queued === 0 && delivered + errors >= total;
}
