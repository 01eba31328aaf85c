import type { Channel } from '../../gateway/endpoints/campaigns';
import { choice, flag, locator, number, type Field } from '../field';

export const channelField = choice<Channel>({
	displayName: 'Channel',
	name: 'channel',
	type: 'options',
	options: [
		{ name: 'SMS', value: 'sms' },
		{ name: 'Chat App', value: 'chatApp' },
	],
	default: 'sms',
	description: 'How the messages were sent',
});

/** @param searchListMethod lists the campaigns to choose from */
export const campaignIdField = (searchListMethod: string) =>
	locator(
		{
			displayName: 'Campaign ID',
			name: 'campaignId',
			required: true,
			description: "Choose a campaign, or enter the 'campaignId' that 'Campaign: Get Many' returns",
			builderHint: {
				propertyHint:
					'Set the channel first. If the service does not list campaigns, use the mode "id" with a campaignId; a name is not an ID.',
			},
		},
		{ searchListMethod, placeholder: 'Select a campaign…' },
		{
			placeholder: 'e.g. 3f2a9c1e-58d4-4c6b-9a51-7d2e8f0b6c34',
			hint: "The 'campaignId' that 'Campaign: Get Many' returns, not the name",
		},
	);

const returnAllField = flag({
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limitField = number({
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
	description: 'Max number of results to return',
});

/** Its value is undefined where all results are wanted. */
const listLimitField: Field<number | undefined> = {
	...limitField,
	read: (item) => (returnAllField.read(item) ? undefined : limitField.read(item)),
};

export const listLimitFields = { returnAll: returnAllField, limit: listLimitField };
