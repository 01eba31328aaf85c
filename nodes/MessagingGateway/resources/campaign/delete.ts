import { campaignIdField, readCampaignId } from '../../fields/campaignId';
import { withAnswer } from '../../fields/withAnswer';
import type { Operation } from '../../operation';

/** Interface §4.6: a DELETE with a body. */
export const deleteCampaign: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete campaign',
	description: 'Delete a chat-app campaign for good: there is no way to bring it back',
	idempotent: false,
	uncertainty: {
		mayHave: 'The campaign may have been deleted',
		check: "'Campaign: Get' shows whether it is still there.",
	},
	fields: [campaignIdField('searchChatAppCampaigns')],

	request(item) {
		const campaignId = readCampaignId(item);
		return {
			method: 'DELETE',
			path: item.chatAppPath('/campaign/excluir'),
			body: { campanhaId: campaignId },
			expected: 'notShown',
			output: (body) => withAnswer({ deleted: true, campaignId }, body),
		};
	},
};
