import type { CampaignSetting } from '../../../sandbox';
import { StatusWorkflow, useSandbox } from './support';

const sandbox = useSandbox();
const campaignId = 'c-1';

/** Puts the campaign there with messages in these statuses, by message id. */
function setStatuses(statuses: Record<string, string>, id = campaignId): void {
	const messages: CampaignSetting['messages'] = Object.entries(statuses).map(
		([messageId, status]) => ({ messageId, to: '5511912345678', status }),
	);
	sandbox().setCampaign({ channel: 'sms', campaignId: id, nome: 'Novidades', messages });
}

const watch = (parameters = {}) =>
	new StatusWorkflow(sandbox(), {
		event: 'messageStatusChanged',
		channel: 'sms',
		campaignIds: campaignId,
		...parameters,
	});

it('starts with nothing, then tells each change with the status before', async () => {
	setStatuses({ a: 'queued', b: 'sent' });
	const workflow = watch();
	await workflow.publish();
	expect(workflow.items).toEqual([]);
	expect(await workflow.look()).toEqual([]);
	setStatuses({ a: 'sent', b: 'sent' });
	expect(await workflow.look()).toEqual([
		{
			messageId: 'a',
			status: 'sent',
			previousStatus: 'queued',
			to: '5511912345678',
			campaignId,
			campaignName: 'Novidades',
			channel: 'sms',
		},
	]);
	expect(await workflow.look()).toEqual([]);
});
