import { setTimeout as wait } from 'node:timers/promises';

import { calls, stories, TriggerWorkflow, useSandbox } from './support';

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
beforeEach(() => (workflow = new TriggerWorkflow(sandbox())));

describe('a test event', () => {
	stories(sandbox, {
		'borrows its publication’s webhook, and gives it back as it was':
			'publish 1; listen 1 → test of 1; end 1 → production of 1; exists 1',
		'also where the service has lost that':
			'publish 1; none; listen 1 → test of 1; end 1; exists 1',
		'also with other endpoints (N8N_ENDPOINT_WEBHOOK), after n8n’s start':
			'publish 1; forget; hooks 1; restart 1; listen 1 → test of 1; end 1; exists 1',
		'switches the webhook off where there was none': 'listen 1; end 1 → test of 1, off',
		'replaces one that is off': 'crm; off; listen 1; end 1 → test of 1, off',
		'switches it off where its publication has ended meanwhile':
			'publish 1; listen 1; unpublish 1 → test of 1; end 1 → test of 1, off',
		'is refused over somebody else’s': 'crm; try listen 1 → crm; end 1 → crm',
		'is refused over another workflow’s':
			'publish 2; try listen 1 → production of 2; end 1 → production of 2; exists 2',
		'is refused over another test': 'listen 2; try listen 1 → test of 2; end 1 → test of 2',
		'prevents nothing when its n8n has died': 'listen 1; late listen 2 → test of 2',
		'is over at the start of its n8n': 'publish 1; listen 1; forget; restart 1; exists 1',
		'is over after its time': 'publish 1; listen 1; late check 1; exists 1',
		'is given back by the next check where its end has failed':
			'publish 1; listen 1; down; end 1 → test of 1; late check 1; exists 1',
		'gives back what was taken meanwhile to nobody': 'publish 1; listen 1; crm; end 1 → crm',
		'cannot borrow with another API key, before the publication has it':
			'publish 1; key 1; try listen 1 → production of 1; check 1; listen 1; end 1; exists 1',
	});

	it('ends without throwing when the service is down', async () => {
		await workflow.listen();
		sandbox().fault({ fault: { status: 503 } });
		const made = await calls(sandbox(), async () => {
			const { logs } = await workflow.endTest();
			expect(logs.join()).toContain('error: Could not switch the webhook of the account off');
		});
		expect(made).toEqual(['read']);
	});

	it('leaves nothing behind where its publication ends at the same time', async () => {
		await workflow.publish();
		await workflow.listen();
		const count = () => sandbox().requests({ operation: 'setWebhook' }).length;
		const before = count();
		sandbox().fault({ operation: 'setWebhook', times: 1, fault: { delayMs: 100 } });
		const ending = workflow.endTest();
		for (let ms = 0; ms < 60_000 && count() === before; ms++) await wait(1);
		await workflow.unpublish();
		await ending;
		expect(sandbox().webhook.enabled).toBe(false);
	});
});
