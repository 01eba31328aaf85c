import type { IDataObject } from 'n8n-workflow';

import { list } from '../../form/field';
import { channelField } from '../../form/fields/campaign';
import {
	campaignsIn,
	idOf,
	needsCampaigns,
	pick,
	queryCampaigns,
} from '../../gateway/endpoints/campaigns';
import type { Problem } from '../../gateway/node';
import { asLine } from '../../text/text';
import type { StatusEvent, StatusRecord } from '../statusEvent';

export const campaignIdsField = list(
	{
		displayName: 'Campaign Names or IDs',
		name: 'campaignIds',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'loadCampaigns', loadOptionsDependsOn: ['channel'] },
		default: [],
		hint: 'Leave empty to watch every campaign',
		builderHint: {
			propertyHint:
				'Set the channel first. Leave it empty for messages of every campaign, also of those that begin later.',
		},
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
	/[\s,;[\]"']+/, // also splits a list that was pasted as JSON
	'IDs',
);

/** What the events about campaigns share: interface §4.7 (chat app) and §4.8 (SMS). */
export const campaignEvent: Pick<StatusEvent, 'fields' | 'hints' | 'sources'> = {
	fields: [
		{ ...channelField, noDataExpression: true, description: 'How the messages are sent' },
		campaignIdsField,
	],

	hints: {
		campaignNotFound: "Check 'Campaign Names or IDs' and 'Channel'.",
		notFound: "Check 'Campaign Names or IDs'.",
		tooManyRequests: "Poll less often ('Poll Times'), or watch fewer campaigns.",
	},

	/** @throws NodeOperationError when the instance token is missing */
	sources({ client, quote, settings: { campaignIds, channel } }) {
		const howToName = `Choose the campaigns in '${campaignIdsField.displayName}'.`;
		const request = (id?: string) => ({
			...queryCampaigns(client, channel, id),
			judge: needsCampaigns(id, howToName, campaignIdsField.displayName),
		});
		if (campaignIds.length === 0) return [{ key: all, name: 'All campaigns', request: request() }];
		return campaignIds.map((id) => ({
			key: id,
			name: `Campaign ${quote(id)}`,
			request: request(id),
		}));
	},
};

/** No campaign has this ID. */
const all = '*';

/**
 * The records of the requested campaigns. A single one without an ID gets the requested ID.
 *
 * @param read undefined for a campaign without what its records are made of
 * @param missing says so, and what it should contain
 */
export const recordsOfEach =
	(
		read: (campaign: IDataObject) => StatusRecord[] | undefined,
		missing: Problem,
	): StatusEvent['records'] =>
	(body, { key }) => {
		const listed = campaignsIn(body) ?? [];
		const requested = key === all ? listed.filter((each) => idOf(each) !== '') : pick(listed, key);
		const campaigns = requested.map((campaign) =>
			idOf(campaign) === '' ? { ...campaign, campaignId: key } : campaign,
		);
		const records = campaigns.map(read);
		const incomplete = campaigns[records.indexOf(undefined)];
		if (!incomplete) return records.flatMap((found) => found!);
		const howTo = `Run 'Campaign: Get' with the ID '${asLine(idOf(incomplete))}' to see its answer.`;
		return { ...missing, description: `${howTo} ${missing.description}` };
	};
