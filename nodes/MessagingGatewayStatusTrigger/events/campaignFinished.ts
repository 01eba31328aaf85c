import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../gateway/answerBody';
import { countOf, idOf, messagesIn } from '../../gateway/endpoints/campaigns';
import { asStatus, isAtEnd } from '../histories';
import type { Change, Lack, StatusEvent } from '../statusEvent';
import { notThere, ofCampaigns, watchedIn } from './watchedCampaigns';

/**
 * Interface §2.6: a campaign is known by its `campaignId`. It has finished when none of its messages
 * waits or is on its way; that is told once, whatever becomes of the campaign afterwards.
 */
export const campaignFinished: StatusEvent<States | State> = {
	value: 'campaignFinished',
	name: 'Campaign Finished',
	description:
		'When every message of a campaign has been delivered or has failed. Starts once per campaign.',
	...ofCampaigns,

	records(body, source) {
		const campaigns = watchedIn(body, source);
		if (!campaigns) return notThere;
		const records = campaigns.map((campaign) => {
			const id = idOf(campaign).toLowerCase();
			const isOver = isFinished(campaign);
			return { id, state: isOver ? 'finished' : 'running', isOver, fields: campaign };
		});
		return records.every(({ isOver }) => isOver !== undefined) ? records : withoutCounters;
	},

	compare(before, records) {
		// Of a campaign that is watched by its ID, its state alone.
		const states = typeof before === 'string' ? { [records[0]!.id]: before } : { ...before };
		const changes: Change[] = [];
		for (const { id, state, fields } of records) {
			if (states[id] === 'finished') continue;
			states[id] = state as State;
			// One that was not there before has run since.
			if (before && state === 'finished') changes.push({ from: 'running', to: state, fields });
		}
		return { memory: states, changes };
	},

	sample: ([record]) => record && { from: 'running', to: 'finished', fields: record.fields },

	output({ fields }, { channel, simplify }) {
		const { campaignId, nome: campaignName, statistics } = fields;
		return simplify
			? { campaignId, campaignName, channel, ...(isObject(statistics) && statistics) }
			: fields;
	},
};

type State = 'running' | 'finished';

/** By campaign. */
type States = Record<string, State>;

const withoutCounters: Lack = {
	message: 'The service returned this campaign without its statistics',
	description:
		"Run 'Campaign: Get' to see its answer. It should contain 'total', 'delivered' and 'errors', or else the messages of the campaign.",
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
