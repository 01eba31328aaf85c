import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../gateway/answerBody';
import { countOf, messagesIn } from '../../gateway/endpoints/campaigns';
import { asStatus, isAtEnd } from '../histories';
import type { Lack, StatusEvent } from '../statusEvent';
import { campaignIn, notThere, ofCampaigns } from './watchedCampaigns';

/**
 * Interface §2.6: a campaign is known by its `campaignId`. It has finished when none of its messages
 * waits or is on its way; that is told once, whatever becomes of the campaign afterwards.
 */
export const campaignFinished: StatusEvent<string> = {
	value: 'campaignFinished',
	name: 'Campaign Finished',
	description:
		'When no message of a campaign is queued or on its way any more, once, with the statistics of the campaign',
	...ofCampaigns,

	records(body, source) {
		const campaign = campaignIn(body, source);
		if (!campaign) return notThere;
		const isOver = isFinished(campaign);
		if (isOver === undefined) return withoutCounters;
		return [{ id: source.key, state: isOver ? 'finished' : 'running', fields: campaign }];
	},

	compare(before, records) {
		const has = records.filter(({ state }) => state === 'finished');
		const isNews = before === 'running';
		return {
			memory: before === 'finished' || has.length > 0 ? 'finished' : 'running',
			changes: isNews ? has.map(({ state, fields }) => ({ from: before, to: state, fields })) : [],
		};
	},

	sample: ([record]) => record && { from: 'running', to: 'finished', fields: record.fields },

	output({ fields }, { channel, simplify }) {
		const { campaignId, nome: campaignName, statistics } = fields;
		return simplify
			? { campaignId, campaignName, channel, ...(isObject(statistics) && statistics) }
			: fields;
	},
};

const withoutCounters: Lack = {
	message: 'This campaign came without its statistics',
	description:
		"The service told neither 'total', 'delivered' and 'errors' nor the messages of the campaign. 'Campaign: Get' shows its answer.",
};

/**
 * By the counters. The interface does not show whether 'sent' counts those that were delivered as
 * well: what has come to an end is counted, which is right either way. Without counters, by the
 * messages, of which each has to be known to be at its end.
 *
 * @returns undefined where none of it is there
 */
function isFinished(campaign: IDataObject): boolean | undefined {
	const counts = counters.map((name) => countOf(campaign, name));
	const [total, queued = 0, delivered, errors] = counts;
	if (total !== undefined && delivered !== undefined && errors !== undefined) {
		return total > 0 && queued === 0 && delivered + errors >= total;
	}
	const messages = messagesIn(campaign);
	if (!messages) return counts.some((count) => count !== undefined) ? false : undefined;
	return (
		messages.length >= Math.max(1, total ?? 0) &&
		messages.every((message) => isObject(message) && isAtEnd(asStatus(message.status)))
	);
}

const counters = ['total', 'queued', 'delivered', 'errors'];
