import { calls, expectFailure, stories, TriggerWorkflow, useSandbox, waits } from './support';

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
let sleep: jest.SpyInstance<Promise<unknown>, [number]>;
beforeEach(() => {
	sleep = jest.spyOn(waits, 'sleep');
	workflow = new TriggerWorkflow(sandbox());
});

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
		'gives back what was taken meanwhile to nobody': 'publish 1; listen 1; crm; end 1 → crm',
		'cannot borrow with another API key, before the publication has it':
			'publish 1; key 1; try listen 1 → production of 1; check 1; listen 1; end 1; exists 1',
	});

	it('tries several times to give the webhook back', async () => {
		await workflow.listen();
		sandbox().fault({ operation: 'getWebhook', times: 1, fault: { status: 503 } });
		sandbox().fault({ operation: 'setWebhook', times: 1, fault: { status: 503 } });
		await workflow.endTest();
		expect(sandbox().webhook.enabled).toBe(false);
		expect(sleep.mock.calls).toEqual([[1_000], [3_000], [500]]); // the last one before it looks again
	});

	it('ends without throwing when all attempts fail', async () => {
		await workflow.listen();
		sandbox().fault({ fault: { status: 503 } });
		const made = await calls(sandbox(), async () => {
			const { logs } = await workflow.endTest();
			expect(logs.join()).toContain('error: Could not switch the webhook of the account off');
		});
		expect(made).toEqual(['read', 'read', 'read']);
	});

	it('does not wait if it has borrowed nothing', async () => {
		sandbox().fault({ fault: { status: 503 } });
		await expectFailure(workflow.listen());
		expect(await calls(sandbox(), async () => await workflow.endTest())).toEqual(['read']);
		expect(sleep).not.toHaveBeenCalled();
	});
});
