import {
	afterItsEnd,
	calls,
	expectFailure,
	foreign,
	left,
	play,
	stories,
	TriggerWorkflow,
	useSandbox,
} from './support';

const waits: number[] = [];
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => void waits.push(ms),
}));

const sandbox = useSandbox();
let workflow: TriggerWorkflow;
let second: TriggerWorkflow;
beforeEach(() => {
	waits.length = 0;
	workflow = new TriggerWorkflow(sandbox());
	second = new TriggerWorkflow(sandbox(), 'workflow-2', { conflict: 'takeOver' });
});

const crm = { url: foreign, enabled: true };

describe('a test event, where nobody else has the webhook', () => {
	stories(sandbox, {
		'borrows production’s webhook, and gives it back as it was':
			'publish 1; refuse 1; listen 1 → test of 1; end 1 → production of 1; exists 1',
		'is refused over another workflow, but not over its own':
			'publish 2; refuse 1; try listen 1 → production of 2; refuse 2; listen 2; end 2; exists 2',
		'switches the webhook off where there was none': 'refuse 1; listen 1; end 1 → test of 1, off',
		'never gives back the URL of a test':
			'listen 1; listen 2; end 2 → test of 2, off; end 1 → test of 2, off',
		'does not end a publication made in the meantime':
			'refuse 1; listen 1; publish 1; end 1; exists 1',
		'gives nothing back that its own workflow unpublished meanwhile':
			'publish 1; listen 1; unpublish 1 → test of 1; end 1 → test of 1, off',
		'gives nothing back that another workflow unpublished meanwhile':
			'publish 1; listen 2; unpublish 1 → test of 2; end 2 → test of 2, off',
		'is ended when another workflow takes over':
			'listen 1; publish 2; end 1 → production of 2; unpublish 2 → production of 2, off',
		'prevents nothing when its n8n has died':
			'listen 1; refuse 2; late publish 2 → production of 2',
	});

	it('costs no extra request when its n8n has died and it had displaced nothing', async () => {
		await workflow.listen();
		const publish = async () => await calls(sandbox(), async () => await second.publish());
		const set = 'set production of workflow-2';
		expect(await afterItsEnd(publish)).toEqual(['read', set, 'read']);
	});

	it('tries several times to give the webhook back', async () => {
		sandbox().webhook = { ...crm };
		workflow.options.conflict = 'takeOver';
		await workflow.listen();
		sandbox().fault({ operation: 'getWebhook', times: 1, fault: { status: 503 } });
		sandbox().fault({ operation: 'setWebhook', times: 1, fault: { status: 503 } });
		await workflow.endTest();
		expect(sandbox().webhook).toEqual(crm);
		expect(waits).toEqual([1_000, 3_000]);
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
		expect(waits).toEqual([]);
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
				'at listening, which is refused then': 'refuse 2; late try listen 2 → crm',
				'at the start of a published workflow': 'refuse 2; late restart 2 → crm',
				'after another workflow takes over': 'late publish 2 → production of 2; unpublish 2 → crm',
				'not before the test can be over': 'refuse 2; try publish 2 → test of 1',
				'not where somebody has switched the webhook off':
					'off; refuse 2; late publish 2 → production of 2; unpublish 2 → crm',
			},
			{ opening: 'listen 1; forget; ' },
		));

	it('is left to its own n8n if another one cannot open the seal', async () => {
		await play(sandbox(), 'listen 1; forget');
		sandbox().webhook.url = sandbox().webhook.url!.replace(/.{4}$/, 'AAAA');
		const webhook = { ...sandbox().webhook };
		second.options.conflict = 'refuse';
		const error = await afterItsEnd(async () => await expectFailure(second.publish()));
		expect(error.message).toContain('another Messaging Gateway Trigger at localhost:1');
		second.options.conflict = 'takeOver';
		await afterItsEnd(async () => await second.publish());
		await afterItsEnd(async () => await second.unpublish());
		expect(sandbox().webhook).toEqual(webhook);
	});
});

describe('the check of a published workflow, after n8n was killed in a test', () => {
	stories(sandbox, {
		'gives back what that had borrowed':
			'refuse 2; publish 2; crm; listen 1; forget; late check 2 → crm',
		'has the webhook again': 'refuse 2; publish 2; listen 1; forget; late check 2; exists 2',
	});
});

/** crm.example.com has the webhook at the start, and has it again when all is over. */
describe('somebody else’s webhook, displaced by what overlaps', () => {
	beforeEach(() => {
		sandbox().webhook = { ...crm };
	});

	const tries = 'refuse 1; try publish 1; unpublish 1'; // n8n calls `delete` after each attempt
	stories(sandbox, {
		'is not displaced by publishing with Refuse while listening': `listen 1; ${tries} → test of 1; end 1 → crm`,
		'is not displaced by publishing with Refuse while another listens': `listen 2; ${tries} → test of 2; end 2 → crm`,
	});

	describe('is given back after', () =>
		stories(
			sandbox,
			{
				'publishing while listening': 'listen 1; publish 1; end 1 → production of 1; unpublish 1',
				'publishing while another listens':
					'listen 2; publish 1; end 2 → production of 1; unpublish 1',
				'publishing again while listening':
					'publish 1; listen 1; unpublish 1; publish 1; end 1 → production of 1; unpublish 1',
				'a test that outlives its publication':
					'publish 1; listen 1; forget; unpublish 1 → test of 1; end 1',
				'a test that outlives another publication':
					'publish 1; listen 2; forget; unpublish 1 → test of 2; end 2',
				'two tests at once, the first ending first': 'listen 1; listen 2; end 1; end 2',
				'two tests at once, the second ending first': 'listen 1; listen 2; end 2; end 1',
				'two tests of one workflow, the first ending first': 'listen 1; listen 1b; end 1; end 1b',
				'two tests of one workflow, the second ending first': 'listen 1; listen 1b; end 1b; end 1',
				'three workflows, each from the one before': three([1, 2, 3]),
				'three workflows, the newest ending first': three([3, 2, 1]),
				'three workflows, the middle one ending first': three([2, 3, 1]),
				'each of two has taken the webhook from the other':
					'publish 1; publish 2; unpublish 1; publish 1; unpublish 2; unpublish 1',
			},
			{ closing: ' → crm' },
		));

	it('is given back after a test that failed to end', async () => {
		workflow.options.conflict = 'takeOver';
		await workflow.listen();
		sandbox().fault({ times: 3, fault: { status: 503 } });
		await workflow.endTest();
		expect(left(sandbox())).toBe('test of workflow-1');
		await play(sandbox(), 'listen 2; end 2 → crm');
	});
});

/** Three that have taken the webhook from each other, and end in this order. */
function three(order: number[]): string {
	const ends = order.map((number) => `forget; unpublish ${number}`);
	return ['publish 1; publish 2; publish 3', ...ends].join('; ');
}
