import type { IDataObject } from 'n8n-workflow';

import { isObject, objectList } from '../../shared/answer';
import { campaignFields, campaignIn, campaignSources } from '../campaigns/campaigns';
import { asStatus, isUnderWay } from '../campaigns/progress';
import type { StatusEvent } from '../statusEvent';

/**
 * Interface §2.6: a campaign is known by its `campaignId`. It has finished when none of its messages
 * waits or is on its way; that is told once, whatever becomes of the campaign afterwards.
 */
export const campaignFinished: StatusEvent<string> = {
	value: 'campaignFinished',
	name: 'Campaign Finished',
	description:
		'When no message of a campaign is queued or on its way any more, once, with the statistics of the campaign',
	fields: campaignFields,

	sources: campaignSources,

	records(body, source) {
		const campaign = campaignIn(body, source);
		const state = campaign && isFinished(campaign) ? 'finished' : 'running';
		return campaign && [{ id: source.key, state, fields: { campaignId: source.key, ...campaign } }];
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

/**
 * By the counters. The interface does not show whether 'sent' counts those that were delivered as
 * well: what has come to an end is counted, which is right either way. Without counters, by the
 * messages.
 */
function isFinished({ statistics, messages }: IDataObject): boolean {
	const { total, queued, delivered, errors } = isObject(statistics) ? statistics : {};
	if (isCount(total) && isCount(delivered) && isCount(errors)) {
		return total > 0 && !(isCount(queued) && queued > 0) && delivered + errors >= total;
	}
	const statuses = objectList(messages).map(({ status }) => asStatus(status));
	return statuses.length > 0 && !statuses.some(isUnderWay);
}

const isCount = (value: unknown): value is number => Number.isInteger(value);
