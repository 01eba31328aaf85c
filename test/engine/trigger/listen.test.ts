import {
	calls,
	crm,
	expectFailure,
	foreign,
	play,
	stories,
	TriggerWorkflow,
	useSandbox,
	waits,
} from './support';

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
let second: TriggerWorkflow;
let sleep: jest.SpyInstance<Promise<unknown>, [number]>;
beforeEach(() => {
	sleep = jest.spyOn(waits, 'sleep');
	workflow = new TriggerWorkflow(sandbox());
	second = new TriggerWorkflow(sandbox(), 'workflow-2', { conflict: 'takeOver' });
});
afterEach(() => jest.restoreAllMocks());

describe('a test event, where nobody else has the webhook', () => {
	stories(sandbox, {
		'borrows production’s webhook, and gives it back as it was':
			'publish 1; refuse 1; listen 1 → test of 1; end 1 → production of 1; exists 1',
		'is refused over another workflow, but not over its own':
			'publish 2; refuse 1; try listen 1 → production of 2; refuse 2; listen 2; end 2; exists 2',
		'switches the webhook off where there was none': 'refuse 1; listen 1; end 1 → test of 1, off',
		'does not end a publication made in the meantime':
			'refuse 1; listen 1; publish 1; end 1; exists 1',
		'gives nothing back that another workflow unpublished meanwhile':
			'publish 1; listen 2; unpublish 1 → test of 2; end 2 → test of 2, off',
		'is ended when another workflow takes over':
			'listen 1; publish 2; end 1 → production of 2; unpublish 2 → production of 2, off',
		'prevents nothing when its n8n has died':
			'listen 1; refuse 2; late publish 2 → production of 2',
	});

	it('tries several times to give the webhook back', async () => {
		sandbox().webhook = { ...crm };
		workflow.options.conflict = 'takeOver';
		await workflow.listen();
		sandbox().fault({ operation: 'getWebhook', times: 1, fault: { status: 503 } });
		sandbox().fault({ operation: 'setWebhook', times: 1, fault: { status: 503 } });
		await workflow.endTest();
		expect(sandbox().webhook).toEqual(crm);
		expect(sleep.mock.calls).toEqual([[1_000], [3_000], [500]]); // the last one before it looks again
	});

	it('ends without throwing when all attempts fail', async () => {
		await workflow.listen();
		sandbox().fault({ fault: { status: 503 } });
		const made = await calls(sandbox(), async () => {
			const { logs } = await workflow.endTest();
			expect(logs.join()).toContain('error: Could not give the webhook of the account back');
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

describe('a test event, where somebody else has the webhook', () => {
	beforeEach(() => {
		sandbox().webhook = { ...crm };
	});

	it('borrows it with Take Over', async () => {
		workflow.options.conflict = 'takeOver';
		const made = await calls(sandbox(), async () => {
			await workflow.listen();
			await workflow.endTest();
		});
		const test = 'test of workflow-1';
		expect(made).toEqual(['read', `set ${test}`, 'read', 'read', `set ${foreign}`, 'read']);
		expect(sandbox().webhook).toEqual(crm);
	});

	describe('is given back after n8n was killed', () =>
		stories(
			sandbox,
			{
				'at publishing, which is refused then': 'refuse 2; late try publish 2 → crm',
				'after another workflow takes over': 'late publish 2 → production of 2; unpublish 2 → crm',
				'not before the test can be over': 'refuse 2; try publish 2 → test of 1',
				'not where somebody has switched the webhook off':
					'off; refuse 2; late publish 2 → production of 2; unpublish 2 → crm',
			},
			{ opening: 'listen 1; forget; ' },
		));
});

describe('a trigger with another API key has the webhook', () => {
	beforeEach(async () => {
		sandbox().webhook = { ...crm };
		await play(sandbox(), 'key 1; publish 1');
	});

	it.each(['refuse', 'takeOver'] as const)('nothing takes it: %s', async (conflict) => {
		const webhook = { ...sandbox().webhook };
		second.options.conflict = conflict;
		for (const act of [async () => await second.publish(), async () => await second.listen()]) {
			const { message } = await expectFailure(act());
			expect(message).toContain(conflict === 'refuse' ? 'is using it' : 'with another API key');
			expect(sandbox().webhook).toEqual(webhook);
		}
	});
});

describe('a published workflow, after n8n was killed in a test,', () =>
	stories(sandbox, {
		'gives the webhook back at its end': 'crm; publish 2; listen 1; forget; late unpublish 2 → crm',
		'gives back what that had borrowed':
			'refuse 2; publish 2; crm; listen 1; forget; late check 2 → crm',
		'gives that back with another API key, too':
			'publish 2; crm; key 1; listen 1 → test of 1; forget; key 2; late check 2 → crm',
		'has the webhook again': 'refuse 2; publish 2; listen 1; forget; late check 2; exists 2',
		'has it at once at its start, where the test was its own':
			'crm; publish 1; listen 1; forget; restart 1; exists 1; unpublish 1 → crm',
	}));
