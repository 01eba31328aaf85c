import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../gateway/outcome';
import { countOf, idOf, messagesIn } from '../../gateway/endpoints/campaigns';
import { asStatus, isFinal, onlyForward, type Packed } from '../histories';
import type { StatusEvent } from '../statusEvent';
import { campaignEvent, recordsOfEach } from './watchedCampaigns';

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
			const id = idOf(campaign).toLowerCase();
			const state = isOver ? 'finished' : 'running';
			return isOver === undefined ? undefined : [{ id, state, fields: campaign }];
		},
		{
			message: 'The service returned a campaign without its statistics',
			description:
				"It should contain 'total', 'delivered' and 'errors', or else the messages of the campaign.",
		},
	),

	compare: onlyForward((state) => state === 'finished'),

	sample: ([record]) => record && { ...record, from: 'running' },

	output({ fields }, { channel, simplify }) {
		const { campaignId, nome: campaignName, statistics } = fields;
		return simplify
			? { campaignId, campaignName, channel, ...(isObject(statistics) && statistics) }
			: fields;
	},
};

/**
 * By the counters of final messages: the interface does not show whether 'sent' includes those that
 * were delivered. Without counters, every message has to have a final status.
 *
 * @returns undefined if there are neither counters nor messages
 */
function isFinished(campaign: IDataObject): boolean | undefined {
	const counts = ['total', 'queued', 'delivered', 'errors'].map((name) => countOf(campaign, name));
	const [total, queued = 0, delivered, errors] = counts;
	if (total !== undefined && delivered !== undefined && errors !== undefined) {
		return total > 0 && queued === 0 && delivered + errors >= total;
	}
	const messages = messagesIn(campaign);
	if (!messages) return counts.some((count) => count !== undefined) ? false : undefined;
	return (
		messages.length >= Math.max(1, total ?? 0) &&
		messages.every((message) => isObject(message) && isFinal(asStatus(message.status)))
	);
}
