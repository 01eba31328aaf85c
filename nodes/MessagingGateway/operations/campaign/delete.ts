import { campaignIdField } from '../../../form/fields/campaign';
import { notice } from '../../../n8n/properties';
import { operation, hintsToCheck } from '../../../send/operation';
import { deleteCampaign } from '../../../service/endpoints/campaigns';
import { withAnswer } from '../../../service/outcome';

/** Interface §4.6. */
export const campaignDelete = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete campaign',
	description: 'Delete a chat-app campaign at the messaging service. This cannot be undone.',
	idempotent: false,
	uncertainty: {
		mayHave: 'The campaign may have been deleted',
		does: 'deletes',
		done: 'deleted',
		check: "Check with 'Campaign: Get' whether it still exists.",
	},
	hints: {
		...hintsToCheck('Campaign ID'),
		campaignNotFound:
			"Check 'Campaign ID': only chat-app campaigns can be deleted. Enter the ID, not the name.",
	},
	fields: {
		notice: notice(
			'deleteNotice',
			'Only chat-app campaigns can be deleted. This cannot be undone. To keep the status of its messages, get the campaign with Campaign: Get first.',
		),
		campaignId: campaignIdField('searchChatAppCampaigns'),
	},

	request: ({ campaignId }, item) => ({
		...deleteCampaign(item.account, campaignId),
		output: (body) => withAnswer({ deleted: true, campaignId }, body),
	}),
});
