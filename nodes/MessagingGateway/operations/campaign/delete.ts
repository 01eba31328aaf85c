import { deleteCampaign } from '../../../gateway/endpoints/campaigns';
import { campaignIdField } from '../../../form/fields/campaignId';
import { withAnswer } from '../../../form/fields/withAnswer';
import type { Operation } from '../../operation';

const campaignId = campaignIdField('searchChatAppCampaigns');

/** Interface §4.6. */
export const remove: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete campaign',
	description: 'Delete a chat-app campaign at the messaging service. This cannot be undone.',
	idempotent: false,
	uncertainty: {
		mayHave: 'The campaign may have been deleted',
		check: "'Campaign: Get' shows whether it is still there.",
	},
	fields: [
		{
			displayName:
				'<b>This cannot be undone.</b> To keep the status of its messages, read the campaign with <b>Campaign: Get</b> first.',
			name: 'deleteNotice',
			type: 'notice',
			default: '',
		},
		campaignId,
	],

	request(item) {
		const id = campaignId.read(item);
		return {
			...deleteCampaign(item, id),
			output: (body) => withAnswer({ deleted: true, campaignId: id }, body),
		};
	},
};
